package krm

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestDeclarationSaysAll reads the declaration, with the settings that are commented out, too, and wants each of a
// Config's fields in it.
func TestDeclarationSaysAll(t *testing.T) {
	t.Parallel()
	whole := regexp.MustCompile(`(?m)^( +)# (\w+: )`).ReplaceAllString(Declaration, "$1$2")
	node, err := yaml.Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readConfig(node.YNode()); err != nil {
		t.Fatal(err)
	}
	for _, settings := range []any{Config{}, policy.Options{}, LintConfig{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(settings)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.IsExported() && !strings.Contains(whole, "  "+name+":") {
				t.Errorf("the declaration does not have %s", name)
			}
		}
	}
}
