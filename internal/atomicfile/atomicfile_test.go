package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// leftovers fails the test if the folder holds anything but the named files.
func leftovers(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range want {
		known[name] = true
	}
	for _, e := range entries {
		if !known[e.Name()] {
			t.Errorf("%s is left over", e.Name())
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestWriteKeepsMode(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "crd.yaml")
	for _, mode := range []fs.FileMode{0o644, 0o600, 0o755, 0o444, 0o666} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		after, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if after.Mode() != before.Mode() {
			t.Errorf("mode %v became %v", before.Mode(), after.Mode())
		}
		if got := content(t, path); got != "new" {
			t.Errorf("content is %q", got)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	leftovers(t, dir)
}

func TestWriteFollowsSymlinks(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "real", "crd.yaml")
	if err := os.Mkdir(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	link, second := filepath.Join(dir, "link.yaml"), filepath.Join(dir, "second.yaml")
	if err := os.Symlink(filepath.Join("real", "crd.yaml"), link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.Symlink("link.yaml", second); err != nil {
		t.Fatal(err)
	}
	if err := Write(second, []byte("new")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, second} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no symbolic link any more: %v", path, err)
		}
	}
	if got := content(t, target); got != "new" {
		t.Errorf("the target's content is %q", got)
	}
	leftovers(t, dir, "real", "link.yaml", "second.yaml")
	leftovers(t, filepath.Dir(target), "crd.yaml")
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dangling", "loop", "folder", filepath.Join("missing", "crd.yaml")} {
		if err := Write(filepath.Join(dir, name), []byte("new")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	leftovers(t, dir, "dangling", "loop", "folder")
}

func TestWriteCreates(t *testing.T) {
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "crd.yaml"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	// The reference: the mode that the system gives a new file under this umask.
	if err := os.WriteFile(filepath.Join(dir, "other.yaml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(filepath.Join(dir, "crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(filepath.Join(dir, "other.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("mode is %v, want %v", got.Mode(), want.Mode())
	}
	leftovers(t, dir, "crd.yaml", "other.yaml")
}

func TestWriteReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("folders are never read-only for root, nor on Windows")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "crd.yaml")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if err := Write(path, []byte("new")); err == nil {
		t.Error("written into a read-only folder")
	}
	if got := content(t, path); got != "old" {
		t.Errorf("content is %q", got)
	}
	leftovers(t, dir, "crd.yaml")
}

// TestWriteRemovesTemp has the rename fail, which a file that turned into a folder in the meantime does even for
// root.
func TestWriteRemovesTemp(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "crd.yaml")
	temp, err := createBeside(target, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := replace(temp, target, target, strings.NewReader("new"), nil, func(string) error { return nil }); err == nil {
		t.Error("a folder was replaced")
	}
	leftovers(t, dir, "crd.yaml")
}

// FuzzWriteFile replaces files of any name that the system takes, and leaves nothing else behind.
func FuzzWriteFile(f *testing.F) {
	f.Add("crd.yaml", []byte("old"), []byte("new"))
	f.Add(".x.tmp", []byte(""), []byte("\x00"))
	f.Add("a\n\xff", []byte("a"), []byte(""))
	f.Add(strings.Repeat("x", 255), []byte("a"), []byte("b"))
	f.Add(strings.Repeat("世", 85), []byte("a"), []byte("b"))
	f.Fuzz(func(t *testing.T, name string, old, new []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if filepath.Dir(path) != dir || os.WriteFile(path, old, 0o640) != nil {
			return
		}
		if err := Write(path, new); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, new) {
			t.Errorf("%q, %v", got, err)
		}
		leftovers(t, dir, filepath.Base(path))
	})
}

func TestRewriteLeavesWhatChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "crd.yaml")
	for name, tt := range map[string]struct {
		is   string // the kind of the existing file; "" for no file
		want string
		err  error
	}{
		"as it was read":  {is: "old\n", want: "new\n"},
		"changed":         {is: "saved by another\n", want: "saved by another\n", err: ErrChanged},
		"the same change": {is: "new\n", want: "new\n"},
		"same size":       {is: "odl\n", want: "odl\n", err: ErrChanged},
	} {
		if err := os.WriteFile(path, []byte(tt.is), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Rewrite(path, []byte("old\n"), []byte("new\n")); !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v", name, err, tt.err)
		}
		if got := content(t, path); got != tt.want {
			t.Errorf("%s: the file holds %q, want %q", name, got, tt.want)
		}
		leftovers(t, dir, "crd.yaml")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Rewrite(path, []byte("old\n"), []byte("new\n")); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that is gone: error %v", err)
	}
	leftovers(t, dir)
}
