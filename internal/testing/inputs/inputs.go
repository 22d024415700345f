// Package inputs reads what tests look at: the CRDs of a file or a text, and modules of Go types with their manifest.
package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/crd"
)

// CRDs are those of the file at a path.
func CRDs(t testing.TB, path string) []*crd.CRD {
	t.Helper()
	return crd.Parse(read(t, path))
}

// CRD is the one CRD of a text.
func CRD(t testing.TB, text string) *crd.CRD {
	t.Helper()
	all := crd.Parse([]byte(text))
	if len(all) != 1 {
		t.Fatalf("%d CRDs in:\n%s", len(all), text)
	}
	return all[0]
}

// Module writes the files of a txtar archive into a folder, and returns that with the text of its crd.yaml.
func Module(t testing.TB, archive string) (dir string, manifest []byte) {
	t.Helper()
	files, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := txtar.Write(files, dir); err != nil {
		t.Fatal(err)
	}
	return dir, read(t, filepath.Join(dir, "crd.yaml"))
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}
