package convert_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
)

// half are v1 manifests, in which the words in capitals are replaced by fields of v1beta1.
var half = map[string]string{
	"with columns": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  SPEC
  conversion:
    strategy: None
    CONVERSION
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object}
    additionalPrinterColumns:
    - name: Size
      type: string
      jsonPath: .size
      COLUMN
`,
	"with a webhook": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  SPEC
  conversion:
    strategy: Webhook
    CONVERSION
    webhook:
      clientConfig:
        url: https://example.com
      conversionReviewVersions: [v1]
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {a: {type: string}}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object}
    subresources: {status: {}}
`,
	"without schemas": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  SPEC
  conversion:
    strategy: Webhook
    CONVERSION
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - name: Size
      type: string
      COLUMN
`,
}

// leftoverLines are fields of v1beta1 and the places that they stood in.
var leftoverLines = []struct{ place, text string }{
	{"SPEC", "version: v1"}, {"SPEC", "version: v2"}, {"SPEC", "version: null"}, {"SPEC", `version: ""`},
	{"SPEC", "validation: null"}, {"SPEC", "validation: {}"}, {"SPEC", "validation: {openAPIV3Schema: {}}"},
	{"SPEC", "validation: {openAPIV3Schema: {type: object}}"}, {"SPEC", "validation: []"}, {"SPEC", "validation: x"},
	{"SPEC", "subresources: {}"}, {"SPEC", "subresources: {status: {}}"}, {"SPEC", "subresources: {status: null}"}, {"SPEC", "subresources: []"},
	{"SPEC", "additionalPrinterColumns: null"}, {"SPEC", "additionalPrinterColumns: []"},
	{"SPEC", "additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]"},
	{"SPEC", "additionalPrinterColumns: [{name: A, type: string, jsonPath: .a}]"}, {"SPEC", "additionalPrinterColumns: [{}]"},
	{"SPEC", "selectableFields: []"}, {"SPEC", "selectableFields: [{jsonPath: .a}]"},
	{"SPEC", "preserveUnknownFields: true"}, {"SPEC", "preserveUnknownFields: false"}, {"SPEC", "preserveUnknownFields: null"},
	{"CONVERSION", "webhookClientConfig: null"}, {"CONVERSION", "webhookClientConfig: {}"},
	{"CONVERSION", "webhookClientConfig: {url: https://example.com}"}, {"CONVERSION", "webhookClientConfig: {service: {name: a, namespace: b}}"},
	{"CONVERSION", "conversionReviewVersions: null"}, {"CONVERSION", "conversionReviewVersions: []"}, {"CONVERSION", "conversionReviewVersions: [v1beta1]"},
	{"COLUMN", "JSONPath: .size"}, {"COLUMN", `JSONPath: ""`}, {"COLUMN", "JSONPath: null"}, {"COLUMN", "JSONPath: {}"},
}

// TestLeftovers adds fields of v1beta1 to v1 manifests, one and two at a time. Each is converted, left unchanged, or
// reported as what it is.
func TestLeftovers(t *testing.T) {
	ways := []policy.Options{{}, {Policy: policy.Idiomatic}, {UpgradeInPlace: true}, {To: policy.V1beta1, OnLoss: policy.DropLoss}}
	for name, text := range half {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, a := range leftoverLines {
				for _, b := range leftoverLines[i:] {
					src := text
					for _, l := range []struct{ place, text string }{a, b} {
						indent := map[string]string{"SPEC": "  ", "CONVERSION": "    ", "COLUMN": "      "}[l.place]
						if !strings.Contains(src, l.text+"\n") {
							src = strings.Replace(src, l.place, l.text+"\n"+indent+l.place, 1)
						}
					}
					for place := range map[string]bool{"SPEC": true, "CONVERSION": true, "COLUMN": true} {
						src = strings.Replace(src, " "+place+"\n", "\n", 1)
					}
					for w, opt := range ways {
						if a != b && w%3 != 0 {
							continue // one at a time is enough for the ways between
						}
						res, err := convert.File("leftovers.yaml", []byte(src), opt)
						if err != nil {
							t.Fatalf("%v\n%s", err, src)
						}
						for _, n := range res.CRDs[0].Notes {
							if strings.Contains(n.Message, "fault of crdlift") {
								t.Errorf("%q and %q, %+v: %s", a.text, b.text, opt, n.Message)
							}
						}
					}
				}
			}
		})
	}
}
