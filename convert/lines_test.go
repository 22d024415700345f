package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
)

// TestConvertLines: a note names the lines that do not come out as they went in, and no others; what moves with its own
// text is none of them.
func TestConvertLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src     string
		options policy.Options
		want    []string
	}{
		"fields that move, one under another name": {
			with(t, older, "  validation:", "  additionalPrinterColumns:\n  - name: A\n    type: string\n    JSONPath: .a\n  validation:"), policy.Options{},
			[]string{"api-version-changed [1]", "moved-into-versions [18]", "moved-into-versions []", "column-path-renamed [17]", "preserve-unknown-fields-removed [9]"},
		},
		"a key twice, with its value": {
			with(t, older, "  validation:", "  validation:\n    openAPIV3Schema:\n      type: string\n  validation:"), policy.Options{},
			[]string{"api-version-changed [1]", "duplicate-key-removed [14 15 16]", "moved-into-versions [17]", "preserve-unknown-fields-removed [9]"},
		},
		"a webhook, of which one field has another name": {
			with(t, older, "  versions:", "  conversion:\n    strategy: Webhook\n    webhookClientConfig:\n      url: https://example.com/convert\n    conversionReviewVersions: [v1]\n  versions:"), policy.Options{},
			[]string{"api-version-changed [1]", "moved-into-versions [19]", "webhook-client-config-moved [12]", "review-versions-moved []", "preserve-unknown-fields-removed [9]"},
		},
		"back": {newer, policy.Options{To: policy.V1beta1}, []string{"api-version-changed [1]", "moved-to-top-level [13]", "preserve-unknown-fields-written-out []"}},
	} {
		res, err := convert.File("crd.yaml", []byte(test.src), test.options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range res.CRDs[0].Notes {
			got = append(got, strings.TrimSpace(fmt.Sprintln(n.ID, n.Lines)))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestConvertMarks counts the objects that are marked to keep unknown fields.
func TestConvertMarks(t *testing.T) {
	t.Parallel()
	src := with(t, older, "  preserveUnknownFields: false\n", "", "      type: object\n", "      type: object\n      properties:\n        a: {type: object, properties: {b: {type: object}, c: {type: string}}}\n")
	for _, test := range []struct {
		options policy.Options
		marks   int
	}{{policy.Options{}, 3}, {policy.Options{UnknownFields: policy.Root}, 2}, {policy.Options{UnknownFields: policy.Prune}, 1}} {
		res, err := convert.File("crd.yaml", []byte(src), test.options)
		if err != nil {
			t.Fatal(err)
		}
		if c := res.CRDs[0]; c.Marks != test.marks || strings.Count(string(res.Output), "x-kubernetes-preserve-unknown-fields: true") != test.marks {
			t.Errorf("%s: %d marks, want %d, in\n%s", test.options.UnknownFields, c.Marks, test.marks, res.Output)
		}
	}
}
