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

// only is the one CRD of a text.
func only(t *testing.T, text string) *crd.CRD {
	t.Helper()
	all := crd.Parse([]byte(text))
	if len(all) != 1 {
		t.Fatalf("has %d CRDs:\n%s", len(all), text)
	}
	return all[0]
}
