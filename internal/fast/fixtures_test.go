package fast_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

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
		for i, c := range inputs.CRDs(t, path) {
			all = append(all, fixture{c, fmt.Sprintf("%s/%d", path, i)})
		}
	}
	return all
}
