package compare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

func manifestText(c *crd.CRD) (string, error) {
	b, err := yaml.Marshal(c.Node)
	return string(b), err
}

// TestCorpus compares every CRD with the one of the release before, both ways: no panic, the same answer each time,
// places that exist, and no changes between equal CRDs.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for at, files := range corpus.Sample(t, corpus.Releases(t), 4) {
		times := 1
		if at%20 == 0 && !testing.Short() {
			times = 100
		}
		t.Run(filepath.Base(filepath.Dir(files[0])), func(t *testing.T) {
			t.Parallel()
			var before map[string]*crd.CRD
			for i, file := range files {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				now := map[string]*crd.CRD{}
				for _, c := range crd.Parse(src) {
					now[c.Name()] = c
					if text := facts(t, c, c); text != "" {
						t.Errorf("%s: it differs from itself: %s", file, text)
					}
					if old := before[c.Name()]; old != nil {
						first := facts(t, old, c)
						n := 1
						if i == 1 {
							n = times
						}
						for range n {
							if again := facts(t, old, c); again != first {
								t.Fatalf("%s: another answer the second time", file)
							}
						}
						facts(t, c, old)
					}
				}
				before = now
			}
		})
	}
}

func facts(t *testing.T, old, new *crd.CRD) string {
	t.Helper()
	all, err := compare.CRDs(old, new)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, c := range all.Changes {
		was, is := c.Was(), c.Is()
		if was.Node == nil || is.Node == nil {
			t.Errorf("%s has no place", describe(c))
		}
		fmt.Fprintln(&b, c.Version, describe(c), was.Path, is.Path)
	}
	return b.String()
}
