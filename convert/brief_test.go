package convert_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
)

// TestBriefNotes gives notes whole to programs and cut to people.
func TestBriefNotes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 400)
	const head = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  version: v1
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
`
	for name, src := range map[string]string{
		"a type":             head + "  validation: {openAPIV3Schema: {type: object, properties: {a: {type: " + long + "}}}}\n",
		"the server's words": head + "  preserveUnknownFields: false\n  validation: {openAPIV3Schema: {type: object}}\n  conversion: {strategy: Webhook, conversionReviewVersions: [v1], webhookClientConfig: {url: 'https://%zz" + long + "'}}\n",
	} {
		res, err := convert.File("crd.yaml", []byte(src), policy.Options{To: policy.V1})
		if err != nil {
			t.Fatal(err)
		}
		cut := 0
		for _, n := range res.CRDs[0].Notes {
			switch {
			case strings.Contains(n.Message, "…") || strings.Contains(n.Message, "\n"):
				t.Errorf("%s: the message is cut, or not one line: %s", name, n.Message)
			case n.Brief == "":
			case !strings.Contains(n.Message, long) || !strings.Contains(n.Brief, "…") || len(n.Brief) > 330:
				t.Errorf("%s: %s\nis in brief: %s", name, n.Message, n.Brief)
			default:
				cut++
			}
		}
		if cut == 0 {
			t.Errorf("%s: no note is cut for people: %+v", name, res.CRDs[0].Notes)
		}
	}
}
