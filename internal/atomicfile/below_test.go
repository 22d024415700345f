package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBelow has each kind of thing in the place of a file that the program names, and of a folder on the way to it.
func TestBelow(t *testing.T) {
	for _, test := range []struct {
		name  string // of the file
		made  func(dir string) error
		want  string // of the error
		wrong string // what the error names, when it is not the file
	}{
		{"new", nil, "", ""},
		{"a/b/new", nil, "", ""},
		{"old", func(dir string) error { return os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o600) }, "", ""},
		{"link", func(dir string) error { return os.Symlink("../outside", filepath.Join(dir, "link")) }, "is a symbolic link", ""},
		{"inside", func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "other"), nil, 0o600), os.Symlink("other", filepath.Join(dir, "inside")))
		}, "is a symbolic link", ""},
		{"dangling", func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, "dangling")) }, "is a symbolic link", ""},
		{"a/b", func(dir string) error { return os.Symlink("..", filepath.Join(dir, "a")) }, "is a symbolic link", "a"},
		{"a/b/c", func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "a"), 0o700), os.Symlink("../..", filepath.Join(dir, "a", "b")))
		}, "is a symbolic link", "a/b"},
		{"file/a", func(dir string) error { return os.WriteFile(filepath.Join(dir, "file"), nil, 0o600) }, "not a folder", "file"},
		{"folder", func(dir string) error { return os.Mkdir(filepath.Join(dir, "folder"), 0o700) }, "not a regular file", ""},
		{"../outside", nil, "leads out of its folder", ""},
		{"a/../../outside", nil, "leads out of its folder", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			dir, outside := filepath.Join(root, "dir"), filepath.Join(root, "outside")
			if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(outside, []byte("precious"), 0o600)); err != nil {
				t.Fatal(err)
			}
			if test.made != nil {
				if err := test.made(dir); err != nil {
					t.Skip(err)
				}
			}
			_, before := os.Stat(filepath.Join(dir, test.name))
			f, errOpen := OpenBelow(dir, filepath.FromSlash(test.name))
			if errOpen == nil {
				f.Close()
			}
			if is := errors.Is(errOpen, fs.ErrNotExist); test.want == "" && is != errors.Is(before, fs.ErrNotExist) || test.want != "" && (errOpen == nil || is) {
				t.Errorf("it is opened: %v", errOpen)
			}
			if at := (&fs.PathError{}); errors.As(errOpen, &at) && at.Op == "write" {
				t.Errorf("it was to be read: %v", errOpen)
			}
			err := WriteBelow(dir, filepath.FromSlash(test.name), []byte("new"))
			if got := content(t, outside); got != "precious" {
				t.Errorf("the file outside has %q", got)
			}
			if test.want != "" {
				if wrong := filepath.Join(dir, filepath.FromSlash(test.wrong)); err == nil || !strings.Contains(err.Error(), test.want) || test.wrong != "" && !strings.Contains(err.Error(), wrong+":") {
					t.Errorf("the error is %v, want %s", err, test.want)
				}
				return
			}
			if err != nil || content(t, filepath.Join(dir, test.name)) != "new" {
				t.Errorf("it is not written: %v", err)
			}
			if f, err = OpenBelow(dir, filepath.FromSlash(test.name)); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if text, err := io.ReadAll(f); err != nil || string(text) != "new" {
				t.Errorf("it has %q, %v", text, err)
			}
		})
	}
}

// TestBelowLinkedFolder follows a link in the place of the folder itself: the user named it.
func TestBelowLinkedFolder(t *testing.T) {
	root := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(root, "real"), 0o700), os.Symlink("real", filepath.Join(root, "link"))); err != nil {
		t.Skip(err)
	}
	if err := WriteBelow(filepath.Join(root, "link"), "a", []byte("new")); err != nil || content(t, filepath.Join(root, "real", "a")) != "new" {
		t.Error(err)
	}
	leftovers(t, filepath.Join(root, "real"), "a")
}
