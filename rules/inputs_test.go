package rules

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// volume lists the manifests in folders of real ones.
func volume(t testing.TB, folders ...string) []string {
	t.Helper()
	return manifests(corpus.Files(t, folders...))
}

// manifests are those of the files whose names say that they hold any.
func manifests(files []string) []string {
	return slices.DeleteFunc(files, func(path string) bool {
		ext := filepath.Ext(path)
		return ext != ".yaml" && ext != ".yml" && ext != ".json"
	})
}

// ownManifests are the manifests of this repository that hold CRDs.
func ownManifests(t testing.TB) []string {
	t.Helper()
	return manifests(append(corpus.Below(t, fixtureRoot), corpus.Below(t, filepath.Join("..", "internal", "apiserver", "testdata"))...))
}

// own are ownManifests, in a short run a sample of them.
func own(t testing.TB) []string {
	t.Helper()
	if testing.Short() {
		return corpus.Sample(t, ownManifests(t), 1)
	}
	return ownManifests(t)
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
