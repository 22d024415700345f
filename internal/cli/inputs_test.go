package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFindFollowsNoLoops walks a folder with links to itself, to a file, to nothing and to a file that is found anyway.
func TestFindFollowsNoLoops(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	for _, name := range []string{"crds/a.yaml", "crds/sub/b.yml", "crds/c.JSON", "crds/notes.txt", "crds/.git/d.yaml", "other/e.yaml"} {
		write(t, filepath.FromSlash(name), "x\n")
	}
	for link, target := range map[string]string{
		"crds/loop": ".", "crds/sub/up": "..", "crds/e.yaml": filepath.Join("..", "other", "e.yaml"), "crds/same.yaml": "a.yaml",
		"crds/folder.yaml": "sub", "crds/gone.yaml": "nowhere", "linked": "crds",
	} {
		if err := os.Symlink(target, filepath.FromSlash(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	f := &finder{}
	for _, path := range []string{"linked", "crds", "crds/a.yaml", "other"} {
		f.find(filepath.FromSlash(path))
	}
	var got []string
	for _, in := range f.inputs {
		got = append(got, slashed(in.path))
	}
	want := []string{"linked/a.yaml", "linked/c.JSON", "other/e.yaml", "linked/sub/b.yml"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	// gone.yaml, once for each time the folder was walked.
	if len(f.errs) != 2 || !errors.Is(f.errs[0], fs.ErrNotExist) {
		t.Errorf("errors: %v", f.errs)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
