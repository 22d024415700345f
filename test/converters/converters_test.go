// Package converters has `crdlift migrate` carry manifests through the conversion webhooks of other projects, which are built from their
// modules.
//
// The fixtures are hand-written. CRDLIFT_UPGRADES names a folder of clones, each of which may be bare: those of the projects have more
// manifests, and CRDs with all fields. A clone is found by the commits that it has.
package converters

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// built is a program that was built from a folder of this repository.
func built(dir string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		into, err := os.MkdirTemp("", "converters")
		if err != nil {
			return "", err
		}
		path := filepath.Join(into, "program")
		build := exec.Command("go", "build", "-o", path, ".")
		build.Dir = dir
		build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off") // tests download nothing
		if out, err := build.CombinedOutput(); err != nil {
			return "", errors.New(string(out))
		}
		return path, nil
	})
}

var programs = map[string]func() (string, error){
	"crdlift":    built(filepath.Join("..", "..")),
	"tekton":     built("tekton"),
	"clusterapi": built("clusterapi"),
}

// program is a program of this repository. The test is skipped where the modules of a converter are not downloaded.
func program(t *testing.T, name string) string {
	t.Helper()
	if named := os.Getenv("CRDLIFT"); name == "crdlift" && named != "" {
		return named
	}
	path, err := programs[name]()
	if err != nil && strings.Contains(err.Error(), "GOPROXY=off") {
		t.Skip("the modules of a converter are not downloaded; `make converters` downloads them")
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// migrate carries the files below a folder in place, through a converter, and returns what crdlift says. It may find something.
func migrate(t *testing.T, converter, to, crds, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t, "crdlift"), "migrate", "--to", to, "--crds", crds, "-w", "--url", "http://127.0.0.1:"+port+"/convert", dir,
		"--", program(t, converter), port)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatalf("crdlift migrate: %v\n%s", err, out)
	}
	return string(out)
}

// TestFixtures carries what is written by hand, and wants what is written beside it.
func TestFixtures(t *testing.T) {
	for converter, to := range map[string]string{"tekton": "v1", "clusterapi": "v1beta2"} {
		t.Run(converter, func(t *testing.T) {
			dir := t.TempDir()
			from := filepath.Join("testdata", converter)
			for path, src := range read(t, filepath.Join(from, "before")) {
				write(t, filepath.Join(dir, path), src)
			}
			said := migrate(t, converter, to, filepath.Join(from, "crds"), dir)
			want := read(t, filepath.Join(from, "after"))
			if len(want) == 0 {
				t.Fatal("there are no fixtures")
			}
			for path, is := range read(t, dir) {
				if !bytes.Equal(is, want[path]) {
					t.Errorf("%s is\n%s\nand not\n%s\ncrdlift says\n%s", path, is, want[path], said)
				}
			}
		})
	}
}

// read is the content of all files below a folder, by their paths.
func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path string, src []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
}

// clone is the one below CRDLIFT_UPGRADES that has a commit.
func clone(t *testing.T, commit string) string {
	t.Helper()
	all := os.Getenv("CRDLIFT_UPGRADES")
	if all == "" {
		t.Skip("set CRDLIFT_UPGRADES to a folder of clones of the projects whose converters these are")
	}
	clones, err := filepath.Glob(filepath.Join(all, "*"))
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(clones, func(clone string) bool {
		return exec.Command("git", "-C", clone, "cat-file", "-e", commit+"^{commit}").Run() == nil
	})
	if at < 0 {
		t.Skipf("no clone has the commit %s", commit)
	}
	return clones[at]
}

// files are those below a folder of a clone at a commit, by their paths in the folder.
func files(t *testing.T, clone, commit, folder string) map[string][]byte {
	t.Helper()
	list, err := exec.Command("git", "-C", clone, "ls-tree", "-r", "--name-only", commit, "--", folder).Output()
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, clone, commit, folder+"/", list)
}

// changed are the files that a commit of a clone changed, as they were before.
func changed(t *testing.T, clone, commit string) map[string][]byte {
	t.Helper()
	list, err := exec.Command("git", "-C", clone, "diff", "--name-only", "--diff-filter=M", commit+"^", commit).Output()
	if err != nil {
		t.Fatal(err)
	}
	return contents(t, clone, commit+"^", "", list)
}

// contents are the manifests of a list of files, by their paths without what these begin with.
func contents(t *testing.T, clone, commit, prefix string, list []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for path := range strings.FieldsSeq(string(list)) {
		if !strings.HasSuffix(path, ".yaml") {
			continue
		}
		src, err := exec.Command("git", "-C", clone, "show", commit+":"+path).Output()
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(path, prefix)] = src
	}
	return all
}

// diff is what differs between two texts, as diff -u prints it.
func diff(t *testing.T, a, b []byte) string {
	t.Helper()
	dir := t.TempDir()
	one, other := filepath.Join(dir, "by-hand"), filepath.Join(dir, "crdlift")
	write(t, one, a)
	write(t, other, b)
	out, _ := exec.Command("diff", "-U1", one, other).Output() // it fails if they differ
	return string(out)
}
