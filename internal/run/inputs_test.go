package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestFindFollowsNoLoops walks a folder with links to itself, to a file, to nothing and to a file that is found anyway.
func TestFindFollowsNoLoops(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	for _, name := range []string{"crds/a.yaml", "crds/sub/b.yml", "crds/c.JSON", "crds/notes.txt", "crds/.git/d.yaml", "other/e.yaml"} {
		writeFile(t, filepath.FromSlash(name), "x\n")
	}
	for link, target := range map[string]string{
		"crds/loop": ".", "crds/sub/up": "..", "crds/e.yaml": filepath.Join("..", "other", "e.yaml"), "crds/same.yaml": "a.yaml",
		"crds/folder.yaml": "sub", "crds/gone.yaml": "nowhere", "linked": "crds",
	} {
		if err := os.Symlink(target, filepath.FromSlash(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	f := &Inputs{}
	for _, path := range []string{"linked", "crds", "crds/a.yaml", "other"} {
		f.Find(filepath.FromSlash(path))
	}
	var got []string
	for _, in := range f.All {
		got = append(got, Slashed(in.Path))
	}
	want := []string{"linked/a.yaml", "linked/c.JSON", "other/e.yaml", "linked/sub/b.yml"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	// gone.yaml, once for each time the folder was walked.
	if len(f.Errs) != 2 || !errors.Is(f.Errs[0], fs.ErrNotExist) {
		t.Errorf("errors: %v", f.Errs)
	}
}

func TestMirrorOf(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for path, want := range map[string]string{
		"a.yaml": "a.yaml", filepath.Join("d", "a.yaml"): filepath.Join("d", "a.yaml"), ".": "",
		filepath.Join("..", "a.yaml"): "", filepath.Join(here, "a.yaml"): "a.yaml", filepath.Dir(here): "",
	} {
		if got := mirrorOf(path); got != want {
			t.Errorf("mirrorOf(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crd.yaml")
	writeFile(t, path, "12345678")
	for limit, want := range map[int64]bool{7: false, 8: true, 9: true} {
		if _, err := (Input{Path: path}).Read(nil, limit); (err == nil) != want {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if _, err := (Input{Path: StdinName}).Read(strings.NewReader("12345678"), 7); err == nil {
		t.Error("standard input has no limit")
	}
	if runtime.GOOS != "windows" {
		if _, err := (Input{Path: t.TempDir()}).Read(nil, 8); err == nil {
			t.Error("a folder was read")
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestByKind(t *testing.T) {
	f := Inputs{All: []Input{{kind: "Mast"}, {kind: "Boat"}, {}, {kind: "Mast"}, {kind: "Boat"}}}
	if got := f.ByKind(); !slices.Equal(got, []int{2, 1, 4, 0, 3}) {
		t.Errorf("got %v", got)
	}
}
