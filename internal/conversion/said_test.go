package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// TestSaid: a note tells a person what to do about the field as it is written, at the nearest place that there is.
func TestSaid(t *testing.T) {
	t.Parallel()
	const names, schema = "names: {kind: Kettle, plural: kettles}", "validation: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}"
	const manifest = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: kettles.example.com}
spec: {group: example.com, version: v1, scope: Namespaced, ` + names + ", " + schema + "}\n"
	v1 := strings.NewReplacer("v1beta1", "v1", "version: v1", "versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]", ", "+schema, "").Replace(manifest)
	for name, test := range map[string]struct {
		manifest, from, to string
		options            policy.Options
		want               string // how the note begins, and then what it has; none where it is empty
	}{
		"a near miss":                  {manifest, "scope:", "scop:", policy.Options{}, `unknown-field spec.scop: v1beta1 has no field "scop" here; did you mean scope? Rename it`},
		"a near miss of what is there": {manifest, "scope:", "scop: Cluster, scope:", policy.Options{}, `unknown-field spec.scop: v1beta1 has no field "scop" here, and servers read scope instead; remove one of the two`},
		"a field like no other":        {manifest, "scope:", "whistles: true, scope:", policy.Options{}, ""},
		"one that v1 may lack":         {strings.Replace(v1, "schema: {openAPIV3Schema: {type: object}}", "whistles: {}", 1), "", "", policy.Options{}, `unknown-field spec.versions[0].whistles: v1 has no field "whistles" here; rename it, or remove it`},
		"pruned from now on":           {manifest, "", "", policy.Options{UnknownFields: policy.Prune}, "unknown-fields-pruned spec: unknown fields are pruned from now on: hidden when"},
		"pruned but for the root":      {manifest, "{type: string}", "{type: object, properties: {b: {type: string}}}", policy.Options{UnknownFields: policy.Root}, "unknown-fields-pruned spec: unknown fields are pruned from now on, but for those at the root;"},
		"a value that is there":        {manifest, "Namespaced", "Everywhere", policy.Options{}, `scope-invalid spec.scope: the v1beta1 API server rejects this: "Everywhere" is not one of "Cluster", "Namespaced" (complete)`},
		"a value that is not there":    {manifest, "kind: Kettle, ", "", policy.Options{}, "names-kind-invalid spec.names: the v1beta1 API server rejects this: kind is required"},
		"a schema that moves":          {manifest, "{type: object, properties: {a: {type: string}}}", "{type: string}", policy.Options{}, "schema-root-type spec.validation.openAPIV3Schema.type: the v1 API server rejects this: must be object at the root (complete)"},
		"a blank certificate": {manifest, "scope:", "preserveUnknownFields: false, conversion: {strategy: Webhook, webhookClientConfig: {url: 'https://a.example', caBundle: Cg==}}, scope:", policy.Options{},
			"webhook-cabundle-placeholder spec.conversion.webhookClientConfig.caBundle: caBundle is a blank placeholder"},
	} {
		out := Convert(crd.Parse([]byte(strings.Replace(test.manifest, test.from, test.to, 1)))[0], test.options)
		var said []string
		found := test.want == ""
		for _, n := range out.Notes {
			if n.Class == policy.Safe {
				continue
			}
			line := fmt.Sprintf("%s %s: %s", n.ID, n.At.Path, n.Message)
			if n.Complete {
				line += " (complete)"
			}
			said = append(said, line)
			found = found || strings.HasPrefix(line, test.want) && n.Complete == strings.HasSuffix(test.want, "(complete)")
		}
		if !found || test.want == "" && len(said) > 0 {
			t.Errorf("%s: it says %q, not %q", name, said, test.want)
		}
	}
}

// TestUnwritable: what the writer cannot do is no fault of crdlift where the manifest is odd.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	c := crd.Parse([]byte(fmt.Sprintf(oneField, "{}")))[0]
	for err, fault := range map[error]bool{
		rewrite.ErrCommentsLost: false, fmt.Errorf("%w: a cycle", rewrite.ErrOddForm): false, danglingError("a"): false, errors.New("a bug"): true,
	} {
		n := Unwritable(c.Node, err)
		if got := strings.HasPrefix(n.Message, Fault); got != fault || n.Class != policy.Report || n.At.Node != c.Node || !strings.Contains(n.Message, err.Error()) {
			t.Errorf("%v: %s %s", err, n.Class, n.Message)
		}
	}
}
