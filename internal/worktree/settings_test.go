package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadFound reads files of settings that come with manifests, as far as they are what they seem to be.
func TestReadFound(t *testing.T) {
	t.Parallel()
	const limit = 10
	dir, away := t.TempDir(), t.TempDir()
	write := func(path string, size int) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Repeat("a", size)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "small"), limit-1)
	write(filepath.Join(dir, "full"), limit)
	write(filepath.Join(dir, "large"), limit+1)
	write(filepath.Join(away, "secret"), 1)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"inside": "small", "outside": filepath.Join(away, "secret"), "nowhere": "gone", "folders": "folder"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]struct {
		size         int
		found, named error
	}{
		"small":   {limit - 1, nil, nil},
		"full":    {limit, nil, nil},
		"large":   {0, ErrTooLarge, ErrTooLarge},
		"inside":  {limit - 1, nil, nil},
		"outside": {1, ErrLeadsAway, nil},
		"folders": {0, ErrIrregular, nil},
		"folder":  {0, ErrIrregular, nil},
		"nowhere": {0, fs.ErrNotExist, fs.ErrNotExist},
		"gone":    {0, fs.ErrNotExist, fs.ErrNotExist},
	} {
		path := filepath.Join(dir, name)
		if src, err := ReadFound(path, limit); !errors.Is(err, want.found) || err == nil && len(src) != want.size {
			t.Errorf("%s: %d bytes, %v; want %v", name, len(src), err, want.found)
		}
		if want.found == ErrIrregular { // whoever names it gets the system's error
			continue
		}
		if src, err := ReadNamed(path, limit); !errors.Is(err, want.named) || err == nil && len(src) != want.size {
			t.Errorf("%s, by its name: %d bytes, %v; want %v", name, len(src), err, want.named)
		}
	}
}
