package repair

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestKeepEverything gives a version a schema that keeps all fields, and lists the lines that change.
func TestKeepEverything(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, out string
		line    int // that is touched; 0 for none
	}{
		{"name: v1\n", "name: v1\nschema:\n  openAPIV3Schema:\n    type: object\n    x-kubernetes-preserve-unknown-fields: true\n", 0},
		{"schema: {a: 1}\n", "schema: {a: 1, openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}\n", 1},
		{"schema: null\n", "schema:\n  openAPIV3Schema:\n    type: object\n    x-kubernetes-preserve-unknown-fields: true\n", 1},
	}
	for _, tt := range tests {
		m := yaml.MustParse(tt.in).YNode()
		line := 0
		for _, n := range KeepEverything(m, "schema") {
			line = max(line, n.Line)
		}
		if got := yaml.NewRNode(m).MustString(); got != tt.out || line != tt.line {
			t.Errorf("%s\nbecomes %s\nand touches line %d, want line %d and\n%s", tt.in, got, line, tt.line, tt.out)
		}
	}
}
