package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/internal/run"
)

// TestWhereKeepsTheContract validates places as JSON against the published schema: those of a manifest, and of a path in
// it, in the types, and in neither.
func TestWhereKeepsTheContract(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/where.json")
	if err != nil {
		t.Fatal(err)
	}
	crd := filepath.Join("testdata", "config-keys", "go", "crd.yaml")
	for path, want := range map[string]int{"": 0, "metadata.name": 0, "spec.versions[0].schema.openAPIV3Schema.properties[spec]": 0, "spec.nothing.here": run.ExitFindings} {
		args := []string{"where", "--output", "json", crd}
		if path != "" {
			args = append(args, path)
		}
		var stdout, stderr bytes.Buffer
		if code := Run(args, strings.NewReader(""), &stdout, &stderr); code != want {
			t.Errorf("%v: exit code %d, want %d: %s", args, code, want, &stderr)
		}
		value, err := jsonschema.UnmarshalJSON(&stdout)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}
