package xrds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEqual has the CRDs of the XRDs in testdata be those that Crossplane makes. The names of those that are rejected say so.
func TestEqual(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			theirs := byCrossplane(t, objectOf(t, src))
			if refused := strings.HasPrefix(filepath.Base(file), "refused-"); refused != (theirs.err != nil) {
				t.Errorf("Crossplane: %v", theirs.err)
			}
			if differ := compare(t, src) + compareLost(t, src); differ != "" {
				t.Error(differ)
			}
		})
	}
}
