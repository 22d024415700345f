package conversion

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
)

// TestPostpone converts manifests that v1beta1 rejects for something that is not left in the result: they are not converted.
func TestPostpone(t *testing.T) {
	t.Parallel()
	const manifest = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: kettles.example.com
spec:
  group: example.com
  names: {kind: Kettle, plural: kettles}
  scope: Namespaced
  version: v1
  versions: [{name: v1, served: true, storage: true}]
  validation:
    openAPIV3Schema: {type: object, properties: {a: {type: string}}}
`
	for name, test := range map[string]struct{ from, to, want string }{
		"as it is":                 {"", "", ""},
		"another version":          {"version: v1\n", "version: v2\n", "version-field-mismatch"},
		"a version twice":          {"name: v1, ", "name: v1, served: true, storage: true}, {name: v1, ", "version-name-duplicate"},
		"a mark that is false":     {"{type: object,", "{type: object, x-kubernetes-preserve-unknown-fields: false,", "schema-preserve-unknown-false"},
		"an embedded resource":     {"{type: string}", "{type: object, x-kubernetes-embedded-resource: true}", "schema-embedded-resource"},
		"subresources of versions": {"storage: true}", "storage: true, subresources: {status: {}}}", "per-version-identical"},
		"field managers":           {"  name: kettles.example.com", "  name: kettles.example.com\n  managedFields: [{manager: a, operation: Steep}]", "metadata-invalid"},
		"a webhook": {"scope: Namespaced", "scope: Namespaced\n  conversion: {strategy: Webhook, webhookClientConfig: {url: 'https://example.com'}}",
			"conversion-webhook-preserve-unknown"},
		"a default": {"{type: string}", "{type: string, default: a}", ""},
	} {
		found := crd.Parse([]byte(strings.Replace(manifest, test.from, test.to, 1)))
		if len(found) != 1 {
			t.Fatal(name)
		}
		out := Convert(found[0], policy.Options{})
		if test.want == "" {
			if out.State != policy.Converted {
				t.Errorf("%s: it is %s: %s", name, out.State, told(out.Notes, false))
			}
			continue
		}
		if out.State != policy.NeedsPerson || len(out.Notes) == 0 || out.Notes[0].ID != test.want {
			t.Errorf("%s: it is %s, want %s: %s", name, out.State, test.want, told(out.Notes, false))
		}
	}
}
