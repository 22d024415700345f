package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestMigrateCases carries the cases of strategy None beside the repository, if there are any.
func TestMigrateCases(t *testing.T) {
	folder := filepath.Join(corpus.Cases(), "migrate")
	inputs, _ := filepath.Glob(filepath.Join(folder, "*.in.*"))
	if len(inputs) == 0 {
		t.Skipf("no cases in %s: set CRDLIFT_CORPUS to a folder beside them", folder)
	}
	for _, in := range inputs {
		name := filepath.Base(in)
		if name >= "20" || strings.HasPrefix(name, "13") { // which need a webhook
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(strings.Replace(in, ".in.", ".want.", 1))
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			code := cli.Run([]string{"migrate", "--to", "v1", "--crds", filepath.Join(folder, "crd-things.yaml"),
				"--crds", filepath.Join(folder, "crd-widgets.yaml"), in}, strings.NewReader(""), &stdout, &stderr)
			if code > 1 || stdout.String() != string(want) {
				t.Errorf("exit code %d, %s\n%s", code, &stderr, &stdout)
			}
		})
	}
}
