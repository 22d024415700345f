package fast_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
)

func readCRDs(t *testing.T, path string) []*crd.CRD {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return crd.Parse(src)
}

// only is the one CRD of a text.
func only(t *testing.T, text string) *crd.CRD {
	t.Helper()
	all := crd.Parse([]byte(text))
	if len(all) != 1 {
		t.Fatalf("has %d CRDs:\n%s", len(all), text)
	}
	return all[0]
}

// A fixture is a CRD of package apiserver's.
type fixture struct {
	*crd.CRD
	name string
}

func fixtures(t *testing.T, folder string) (all []fixture) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../apiserver/testdata", folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		for i, c := range readCRDs(t, path) {
			all = append(all, fixture{c, fmt.Sprintf("%s/%d", path, i)})
		}
	}
	return all
}
