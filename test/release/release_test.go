// Package release tests what a release brings beside the program: its notes, the problem matcher, and the files with
// which package managers find its archives. `make snapshot` makes a release without publishing it, and installs from it
// in every way that one Linux machine has.
package release

import (
	"os"
	"path/filepath"
	"testing"
)

// repository is the path of a file of the repository.
func repository(path ...string) string {
	return filepath.Join(append([]string{"..", ".."}, path...)...)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
