package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSharedProgram holds what the modules for others' tests have in common, as neither of them requires another module.
func TestSharedProgram(t *testing.T) {
	t.Parallel()
	body := func(module string) string {
		clause, rest, _ := strings.Cut(read(t, filepath.Join(module, "program.go")), "\n")
		if clause != "package "+module {
			t.Errorf("%s/program.go begins with %q", module, clause)
		}
		return rest
	}
	if body("crdtest") != body("webhooktest") {
		t.Error("crdtest/program.go and webhooktest/program.go differ; copy the one that you have changed")
	}
}
