package apiserver_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
)

// corpusDir is the folder of real manifests. It is no part of the repository.
func corpusDir() string {
	if dir := os.Getenv("CRDLIFT_CORPUS"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared", "corpus")
}

// casesDir is the folder of judged manifests, no part of the repository either.
func casesDir() string {
	if dir := os.Getenv("CRDLIFT_CASES"); dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(filepath.Clean(corpusDir())), "cases")
}

// files lists the files below a folder. Without the folder the test is skipped.
func files(t *testing.T, dir, variable string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %s: set %s", dir, variable)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readCRDs(t *testing.T, path string) []*crd.CRD {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return crd.Parse(src)
}
