// Package upgrades carries the manifests of real repositories to the next version of their API, as `crdlift migrate -w` does, and
// compares them with what people made of them by hand.
//
// The repositories are not part of this one. CRDLIFT_UPGRADES names a folder of clones, each of which may be bare; a repository is
// found by the commits that it has, whatever its folder is called. Without them, only the upgrade of the repository that
// testdata/example.txtar describes is compared.
package upgrades

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// An upgrade is a commit in which people moved manifests to another version, and how crdlift is to do the same.
type upgrade struct {
	commit, about string
	crds          []folder
	runs          [][]string // the arguments of crdlift migrate, but for --crds and -w
	want          counts
	differ        []difference // where people wrote something else; the first that is about a file counts
}

// A difference is what people did besides, or instead.
type difference struct {
	path  string // of a file; one that ends with a slash stands for all below it
	why   string
	lines string // all lines that differ match that
}

// A folder is one of a repository at a commit.
type folder struct{ commit, path string }

// counts are the files that a commit changed, by what crdlift makes of them.
type counts struct {
	equal    int // byte for byte
	comments int // but for schema comments, which people forgot, or pointed to another place
	differ   int // for a reason that is named
}

// program is crdlift, built once, or the one that CRDLIFT names.
var program = sync.OnceValues(func() (string, error) {
	if named := os.Getenv("CRDLIFT"); named != "" {
		return named, nil
	}
	dir, err := os.MkdirTemp("", "upgrades")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "crdlift")
	out, err := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// built is the folder of the program, if it was built.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// TestUpgrades compares each upgrade of the table with what people wrote.
func TestUpgrades(t *testing.T) {
	all := os.Getenv("CRDLIFT_UPGRADES")
	if all == "" {
		t.Skip("set CRDLIFT_UPGRADES to a folder of clones of repositories that were upgraded by hand")
	}
	clones, err := filepath.Glob(filepath.Join(all, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var sum counts
	for _, u := range table {
		t.Run(u.commit[:10], func(t *testing.T) {
			is := compare(t, clones, u)
			if is != u.want {
				t.Errorf("%s: %+v, and not %+v", u.about, is, u.want)
			}
			sum = counts{sum.equal + is.equal, sum.comments + is.comments, sum.differ + is.differ}
		})
	}
	t.Logf("all: %+v", sum)
}

// compare carries the files of the parent of a commit, and compares them with those of the commit.
func compare(t *testing.T, clones []string, u upgrade) counts {
	t.Helper()
	dir, crds := t.TempDir(), t.TempDir()
	clone := having(t, clones, u.commit)
	extract(t, clone, u.commit+"^", ".", dir)
	before := read(t, dir)
	for _, f := range u.crds {
		extract(t, having(t, clones, f.commit), f.commit, f.path, filepath.Join(crds, f.commit))
	}
	migrate(t, dir, crds, u.runs, 0, 1)
	after := read(t, dir)
	migrate(t, dir, crds, u.runs, 0, 1)
	for path, src := range read(t, dir) {
		if !bytes.Equal(src, after[path]) {
			t.Errorf("%s: the second run changes it", path)
		}
	}
	lost := 0
	for path, src := range before {
		if !bytes.Equal(src, after[path]) {
			lost += missing(t, path, src, after[path])
		}
	}
	if lost > 0 {
		t.Errorf("%d comments are lost", lost)
	}
	byHand := t.TempDir()
	extract(t, clone, u.commit, ".", byHand)
	return tally(t, u, before, after, read(t, byHand))
}

// tally sorts the files. Those that people left at the old version are carried as well: nothing but their versions and schema comments
// may change.
func tally(t *testing.T, u upgrade, before, after, byHand map[string][]byte) (c counts) {
	t.Helper()
	more := 0
	for _, path := range sorted(before) {
		theirs, ours := byHand[path], after[path]
		moved, carried := theirs != nil && !bytes.Equal(before[path], theirs), !bytes.Equal(before[path], ours)
		switch {
		case !moved && !carried:
		case !moved:
			more++
			if !versions.MatchString(changed(before[path], ours)) {
				t.Errorf("%s: only crdlift changes it, and more than versions:\n%s", path, diff(before[path], ours))
			}
		case bytes.Equal(ours, theirs):
			c.equal++
		case bytes.Equal(bare(ours), bare(theirs)):
			c.comments++
		default:
			d := u.difference(path)
			if regexp.MustCompile("^(" + d.lines + ")*$").MatchString(changed(theirs, ours)) {
				c.differ++
				break
			}
			t.Errorf("%s: people wrote something else (-), which is not that %q:\n%s", path, d.why, diff(theirs, ours))
		}
	}
	t.Logf("%d files that people left are carried as well", more)
	return c
}

// versions are changed lines that have nothing but a version, or the schema of one.
var versions = regexp.MustCompile(`^([-+] *(- )?(apiVersion: .*|# yaml-language-server: .*)\n)*$`)

// difference is the one that is known of a file.
func (u upgrade) difference(path string) difference {
	for _, d := range u.differ {
		if path == d.path || strings.HasSuffix(d.path, "/") && strings.HasPrefix(path, d.path) {
			return d
		}
	}
	return difference{why: "nothing is known"}
}

// bare is a text without its schema comments.
func bare(src []byte) []byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	return bytes.Join(slices.DeleteFunc(lines, func(line []byte) bool {
		return bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) && bytes.Contains(line, []byte("$schema"))
	}), nil)
}

// migrate runs crdlift migrate, which is to end with one of some codes.
func migrate(t *testing.T, dir, crds string, runs [][]string, codes ...int) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range runs {
		cmd := exec.Command(path, append([]string{"migrate", "--crds", crds, "-w"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || !slices.Contains(codes, cmd.ProcessState.ExitCode()) {
			t.Fatalf("crdlift %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
		}
		t.Logf("crdlift migrate %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
