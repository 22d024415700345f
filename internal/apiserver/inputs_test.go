package apiserver_test

import (
	"os"
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
