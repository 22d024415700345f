package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTestingPage checks that the page shows the suite that is in examples.
func TestTestingPage(t *testing.T) {
	t.Parallel()
	suite := read(t, filepath.Join("examples", "test", "shelf.crdtest.yaml"))
	if !strings.Contains(read(t, filepath.Join("docs", "guides", "testing.md")), "```yaml\n"+suite+"```\n") {
		t.Error("docs/guides/testing.md does not show examples/test/shelf.crdtest.yaml")
	}
}
