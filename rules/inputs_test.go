package rules

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// volume lists the files of folders of real or collected manifests, which are no part of the repository. Without them
// the test is skipped; fixtures, and mutants of them, carry the meaning.
func volume(t testing.TB, folders ...string) []string {
	t.Helper()
	root := os.Getenv("CRDLIFT_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "corpus")
	}
	var all []string
	for _, folder := range folders {
		all = append(all, filesBelow(t, filepath.Join(root, folder))...)
	}
	if len(all) == 0 {
		t.Skipf("no corpus at %s: set CRDLIFT_CORPUS to a folder of real manifests", root)
	}
	return all
}

func filesBelow(t testing.TB, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			switch filepath.Ext(path) {
			case ".yaml", ".yml", ".json":
				all = append(all, path)
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

// ownManifests are the manifests of this repository that hold CRDs.
func ownManifests(t testing.TB) []string {
	t.Helper()
	return append(filesBelow(t, fixtureRoot), filesBelow(t, filepath.Join("..", "internal", "apiserver", "testdata"))...)
}

// A sample is one CRD with the file that it came from.
type sample struct {
	path string
	crd  *crd.CRD
	json []byte // the CRD alone
}

// samples reads the CRDs of files. What no JSON can be made of is left out.
func samples(t testing.TB, paths ...string) []sample {
	t.Helper()
	var all []sample
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range crd.Parse(src) {
			if raw, err := yaml11.ToJSON(c.Node); err == nil && (c.Version == crd.V1 || c.Version == crd.V1beta1) {
				all = append(all, sample{path, c, raw})
			}
		}
	}
	return all
}

// share keeps every nth of many, a tenth of those if the run is short, and all if CRDLIFT_VOLUME is "all": what takes
// minutes is for those who change the rules, not for every run.
func share[T any](all []T, nth int) []T {
	switch {
	case os.Getenv("CRDLIFT_VOLUME") == "all":
		return all
	case testing.Short():
		return everyNth(all, 10*nth)
	}
	return everyNth(all, nth)
}

func everyNth[T any](all []T, nth int) []T {
	var some []T
	for i := 0; i < len(all); i += nth {
		some = append(some, all[i])
	}
	return some
}
