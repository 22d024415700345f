package conversion

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
)

// TestProve proves texts that a conversion of one manifest might have made.
func TestProve(t *testing.T) {
	t.Parallel()
	const head = `kind: CustomResourceDefinition
metadata: {name: kettles.example.com}
spec:
  group: example.com
  names: {kind: Kettle, plural: kettles}
  preserveUnknownFields: false
`
	const before = "apiVersion: apiextensions.k8s.io/v1beta1\n" + head + `  scope: Namespaced
  version: v1
  validation: {openAPIV3Schema: {type: object}}
`
	v1 := func(scope, schema string) string {
		return "apiVersion: apiextensions.k8s.io/v1\n" + head + "  scope: " + scope + `
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ` + schema + "}}]\n"
	}
	for name, test := range map[string]struct {
		after string
		noted []string
		want  string // in the error; "" for none
	}{
		"right":                  {v1("Namespaced", "{type: object}"), nil, ""},
		"not converted":          {before, nil, "apiVersion is still v1beta1"},
		"refused":                {v1("Namespaced", "{type: strin}"), nil, "a v1 API server rejects it"},
		"rejected, but noted":    {v1("Namespaced", "{type: strin}"), []string{"spec.versions[0].schema.openAPIV3Schema.type"}, "a v1 API server rejects it"},
		"another meaning":        {v1("Cluster", "{type: object}"), nil, "spec.scope differs"},
		"another that is noted":  {v1("Cluster", "{type: object}"), []string{"spec.scope"}, ""},
		"another place is noted": {v1("Cluster", "{type: object}"), []string{"spec.group"}, "spec.scope differs"},
		"more":                   {v1("Namespaced", "{type: object, minProperties: 1}"), nil, "openAPIV3Schema.minProperties differs"},
		"more that is noted":     {v1("Namespaced", "{type: object, minProperties: 1}"), []string{"spec.versions[0].schema.openAPIV3Schema.minProperties"}, ""},
	} {
		err := Prove(crd.Parse([]byte(before))[0], crd.Parse([]byte(test.after))[0], test.noted)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
