package rules

import (
	"fmt"
	"testing"
)

// TestCRDsOfJudged: the CRDs that a linter reads while it judges a file are those of ReadCRDs.
func TestCRDsOfJudged(t *testing.T) {
	t.Parallel()
	const one = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]ss.example.com}
spec:
  group: example.com
  names: {kind: %[2]s, plural: %[1]ss}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	boat, mast := fmt.Sprintf(one, "boat", "Boat"), fmt.Sprintf(one, "mast", "Mast")
	for name, text := range map[string]string{
		"one":        boat,
		"several":    boat + "---\nkind: Boat\n---\n" + mast + "---\n" + boat,
		"a list":     "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: boats.example.com}, spec: {group: example.com, names: {kind: Boat}}}\n",
		"JSON":       `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {"group": "example.com", "names": {"kind": "Boat"}, "versions": []}}`,
		"broken":     boat + "---\nkind: CustomResourceDefinition\na: b: c\n",
		"other":      "kind: Boat\n",
		"nothing":    "",
		"a template": "{{- if .Values.crds }}\n" + boat + "{{- else }}\n" + mast + "{{- end }}\n",
		"a webhook":  boat + "---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nwebhooks: [{name: a.example.com}]\n",
	} {
		path := "chart/templates/crd.yaml"
		want := CRDsIn(path, []byte(text))
		l := Linter{CRDs: &CRDFile{}}
		l.File(path, []byte(text))
		got := l.CRDs
		if got.Kind != want.Kind || got.path != want.path || len(got.webhooks) != len(want.webhooks) || len(got.definitions) != len(want.definitions) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
			continue
		}
		for i, d := range got.definitions {
			w := want.definitions[i]
			if d.Path != w.Path || d.Name != w.Name || d.Nth != w.Nth || !d.IsCopy(w) || d.Where() != w.Where() || d.Document.Root != nil {
				t.Errorf("%s: got %+v, want %+v", name, d, w)
			}
		}
	}
}
