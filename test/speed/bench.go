package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

// A bench is one run of this program: what it measures with, and what it has measured.
type bench struct {
	ctx                context.Context
	root               string // the repository
	dir                string // temporary
	withPeers          bool
	lookPath           func(program string) (string, error)
	measure            func(ctx context.Context, c contestant, home string) (sample, error)
	rounds             int
	grow               *regexp.Regexp    // nil for all growths, or a sample
	v1                 string            // folder with v1 manifests; "" when there are none
	v1beta1            string            // the same
	evolution          string            // folder with CRDs in several releases; "" when there are none
	crdlift, reference string            // programs
	machine            string            // one line
	began              time.Time         // the run
	measured           map[string]string // by contest, as Markdown
	targets            []target
	plot               []byte // nil until the contest "files"
}

// prepare builds what is measured, as releases are built, and finds the corpus.
func (b *bench) prepare() error {
	b.machine, b.began = machine(), time.Now()
	b.crdlift, b.reference = filepath.Join(b.dir, "crdlift"), filepath.Join(b.dir, "reference")
	for program, pkg := range map[string]string{b.crdlift: ".", b.reference: "./internal/testing/reference"} {
		if err := b.build(program, pkg); err != nil {
			return err
		}
	}
	home := filepath.Join(b.dir, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	if b.v1 != "" {
		var err error
		b.v1, err = filepath.Abs(b.v1)
		return err
	}
	corpus := os.Getenv("CRDLIFT_CORPUS")
	if corpus == "" {
		corpus = filepath.Join(b.root, "..", "shared", "corpus")
	}
	corpus, err := filepath.Abs(corpus)
	if err != nil {
		return err
	}
	if _, err := os.Stat(corpus); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	b.v1, b.v1beta1, b.evolution = filepath.Join(corpus, "v1"), filepath.Join(corpus, "v1beta1"), filepath.Join(corpus, "evolution")
	return nil
}

// build builds a program with the flags of .goreleaser.yaml.
func (b *bench) build(program, pkg string) error {
	cmd := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", program, pkg)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

func (b *bench) home() string { return filepath.Join(b.dir, "home") }

// race runs contestants. On a terminal it says where it is.
func (b *bench) race(rounds int, contestants ...contestant) ([]result, error) {
	progress := io.Discard
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		progress = os.Stderr
	}
	return race(b.ctx, b.measure, b.home(), rounds, os.Stderr, progress, contestants)
}

// A folder is what contestants look at.
type folder struct {
	path  string
	files int
	size  int64 // of all files, in bytes
}

// survey counts the manifests of a folder and reads them once, so that the first program finds them in memory like the
// others.
func survey(path string) (folder, error) {
	f := folder{path: path}
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		switch filepath.Ext(path) {
		case ".yaml", ".yml", ".json":
		default:
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		n, err := io.Copy(io.Discard, file)
		f.files++
		f.size += n
		return err
	})
	if err == nil && f.files == 0 {
		err = fmt.Errorf("%s: no manifests", path)
	}
	return f, err
}

// workers is how many files crdlift works on at a time.
var workers = runtime.GOMAXPROCS(0)
