// Command speed measures crdlift beside other programs: whole processes, by turns, on the same files. `make speed` writes
// what it finds into docs/internals/performance.md. `make ratios` compares ratios of CPU times with those of the page, and fails if
// crdlift has become slower, if the language server takes too much beside lint, or if what it costs grows faster than its input:
// a sample of all growths, which changes every day, or those that -grow names.
//
//	go run ./test/_tools/speed [-rounds N]
//	go run ./test/_tools/speed [-rounds N] [-grow REGEXP] -check
//
// All files are generated, but for those of the corpus, which CRDLIFT_CORPUS names; without it, and without kubeconform on
// PATH, the page keeps its figures. Programs are measured by the resource usage of children: wall time, CPU time and peak
// memory of one and the same run, and nothing to install.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// A bench is one run of this program: what it measures with, and what.
type bench struct {
	ctx                context.Context
	dir                string // temporary
	rounds             int
	crdlift, reference string         // programs
	grow               *regexp.Regexp // nil for a sample of all growths
	measure            func(ctx context.Context, c contestant, folder string) (sample, error)
	lookPath           func(program string) (string, error)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(2)
	}
}

// run is the program, in the folder of the repository.
func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("speed", flag.ExitOnError)
	rounds := flags.Int("rounds", 5, "how often each program runs")
	check := flags.Bool("check", false, "fail if a ratio is worse than the one in docs/internals/performance.md, or a growth too steep")
	grow := flags.String("grow", "", "measure only growths whose `WAY, THING` matches; . for all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || flags.NArg() > 0 {
		return errors.New("usage: speed [-rounds N] [-check] [-grow REGEXP]")
	}
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, dir: dir, rounds: *rounds, measure: measure, lookPath: exec.LookPath,
		crdlift: filepath.Join(dir, "crdlift"), reference: filepath.Join(dir, "reference")}
	if *grow != "" {
		if b.grow, err = regexp.Compile(*grow); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr, machine())
	if err := errors.Join(b.build(b.crdlift, "."), b.build(b.reference, "./test/_tools/reference")); err != nil {
		return err
	}
	page := filepath.Join("docs", "internals", "performance.md")
	if !*check {
		return rewrite(page, b.table)
	}
	seed, err := corpus.Today()
	if err != nil {
		return err
	}
	looks := func(folder string) (sample, error) { return looked(b, folder) }
	return onceMore(ctx, os.Stderr, func() error {
		return errors.Join(b.check(page, os.Stdout), b.editor(looks, os.Stdout), b.linearly(seed, os.Stdout))
	})
}

// onceMore measures, and measures all of it a second time if something fails: what others do on a shared machine lasts minutes, and only
// what is slow after that says something of the program.
func onceMore(ctx context.Context, out io.Writer, measure func() error) error {
	err := measure()
	if err == nil || ctx.Err() != nil {
		return err
	}
	fmt.Fprintf(out, "speed: once more, for %v\n", err)
	return measure()
}

// build builds a program with the flags of .goreleaser.yaml.
func (b *bench) build(program, pkg string) error {
	cmd := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// machine says what the figures were measured on, and how busy it was before: figures of a busy one are no good.
func machine() string {
	find := func(file, before, after string) string {
		text, _ := os.ReadFile(file) // only Linux has these
		_, rest, _ := strings.Cut(string(text), before)
		found, _, _ := strings.Cut(rest, after)
		if found == "" {
			return "unknown"
		}
		return found
	}
	return fmt.Sprintf("%s/%s, %s, %d cores, %s, load %s before the run", runtime.GOOS, runtime.GOARCH,
		find("/proc/cpuinfo", "model name\t: ", "\n"), runtime.NumCPU(), runtime.Version(), find("/proc/loadavg", "", " "))
}

// rewrite puts a table into a page, between its marks. It is made of what is there.
func rewrite(page string, table func(before string) (string, error)) error {
	before, old, after, err := cut(page)
	if err != nil {
		return err
	}
	on := machine()
	written, err := table(old)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+"\nMeasured last on "+on+".\n\n"+written+"\n"+after), 0o644)
}

// cut finds the table of a page, and what is around it, with its marks.
func cut(page string) (before, table, after string, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return "", "", "", err
	}
	const begin, end = "<!-- measured: make speed -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), begin)
	table, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", "", "", fmt.Errorf("%s: no lines %q and %q", page, strings.TrimSpace(begin), end)
	}
	return before + begin, table, end + after, nil
}
