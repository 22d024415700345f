package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
)

const gadgetCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "https://example.com"}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}}
    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}}
    - {name: v3, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}}
`

// TestConversionStories tells what rules say of what a test of a conversion found: severity, versions, line, and message.
func TestConversionStories(t *testing.T) {
	t.Parallel()
	maxLength := int64(3)
	size := request.Keys("spec", "size")
	refused := func(c request.Cause) webhook.Finding {
		c.Path = size
		return webhook.Finding{Property: webhook.NotWritable, Pair: webhook.Pair{From: "v1", To: "v2"}, Version: "v2", Path: size, Cause: &c}
	}
	found := func(p webhook.Property, from, to string, more func(*webhook.Finding)) webhook.Finding {
		f := webhook.Finding{Property: p, Pair: webhook.Pair{From: from, To: to}, Version: from, Path: size, Change: webhook.Lost}
		if more != nil {
			more(&f)
		}
		return f
	}
	const notWritable = "error [v2 v1] 15: v1 → v2 makes an object that clients can read at v2, but not write there ("
	for _, test := range []struct {
		story string
		found []webhook.Finding
		want  string
	}{
		{"a field is missing", []webhook.Finding{refused(request.Cause{Rule: -1, Missing: true})}, notWritable + "spec.size is required); correct the conversion"},
		{"a field is required", []webhook.Finding{refused(request.Cause{Rule: -1, Keyword: "required"})}, notWritable + "spec.size is required); correct the conversion"},
		{"the first rule is broken", []webhook.Finding{refused(request.Cause{Rule: 0, Keyword: "enum", Detail: "too large"})}, notWritable + "spec.size: too large); correct the conversion"},
		{"an enum does not have it", []webhook.Finding{refused(request.Cause{Rule: -1, Keyword: "enum", Detail: "x"})}, notWritable + "spec.size is not in the enum); correct the conversion"},
		{"it is not of the format", []webhook.Finding{refused(request.Cause{Rule: -1, Keyword: "format", Schema: &apiextensions.JSONSchemaProps{Format: "date"}})}, notWritable + "spec.size must be of format date); correct the conversion"},
		{"it has another type", []webhook.Finding{refused(request.Cause{Rule: -1, Keyword: "type", Detail: "x"})}, notWritable + "spec.size has another type); correct the conversion"},
		{"it is too long", []webhook.Finding{refused(request.Cause{Rule: -1, Keyword: "maxLength", Actual: 4, Schema: &apiextensions.JSONSchemaProps{MaxLength: &maxLength}})}, notWritable + "spec.size has 4 characters, and must have at most 3); correct the conversion"},
		{"the server says why", []webhook.Finding{refused(request.Cause{Rule: -1, Detail: "boom"})}, notWritable + "spec.size: boom); correct the conversion"},
		{"the server says nothing", []webhook.Finding{refused(request.Cause{Rule: -1})}, notWritable + "spec.size); correct the conversion"},
		{"the stored version is converted", []webhook.Finding{found(webhook.Contract, "v1", "v2", func(f *webhook.Finding) { f.Path, f.Detail = nil, "boom" })},
			"error [v2 v1] 15: v1 → v2: the API server rejects the response with \"boom\", so lists at v2 fail; correct the response"},
		{"the stored version is made", []webhook.Finding{found(webhook.Contract, "v2", "v1", func(f *webhook.Finding) { f.Path, f.Detail = nil, "boom" })},
			"error [v1 v2] 14: v2 → v1: the API server rejects the response with \"boom\", so writes at v2 fail; correct the response"},
		{"the stored version has no part in it", []webhook.Finding{found(webhook.Contract, "v2", "v3", func(f *webhook.Finding) { f.Path, f.Detail = nil, "boom" })},
			"error [v3 v2] 16: v2 → v3: the API server rejects the response with \"boom\"; correct the response"},
		{"a text is changed", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Change, f.Was, f.Is = webhook.Changed, "a", "b" })},
			`error [v1 v2] 14: v1 → v2 → v1 changes spec.size from "a" to "b"; return the same value`},
		{"an object is changed", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Change, f.Was, f.Is = webhook.Changed, map[string]any{}, "b" })},
			"error [v1 v2] 14: v1 → v2 → v1 changes spec.size; return the same value"},
		{"a list is made of a text", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Change, f.Was, f.Is = webhook.Changed, "b", []any{} })},
			"error [v1 v2] 14: v1 → v2 → v1 changes spec.size; return the same value"},
		{"items change places", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Change = webhook.Reordered })},
			"error [v1 v2] 14: v1 → v2 → v1 puts spec.size in another order; keep the order"},
		{"one of several objects", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Shown, f.Seen = 1, 2 })},
			"error [v1 v2] 14: v1 → v2 → v1 loses spec.size (in 1 of the 2 converted objects with it); keep the value in a field or an annotation of v2"},
		{"the same in two places", []webhook.Finding{found(webhook.DataLost, "v1", "v2", nil), found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Path = request.Keys("spec", "tank", "size") })},
			"error [v1 v2] 14: v1 → v2 → v1 loses spec.tank.size; keep the value in a field or an annotation of v2, as before\nerror [v1 v2] 14: v1 → v2 → v1 loses spec.size; keep the value in a field or an annotation of v2"},
		{"another field", []webhook.Finding{found(webhook.DataLost, "v1", "v2", nil), found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Path = request.Keys("spec", "tank", "color") })},
			"error [v1 v2] 14: v1 → v2 → v1 loses spec.tank.color; keep the value in a field or an annotation of v2\nerror [v1 v2] 14: v1 → v2 → v1 loses spec.size; keep the value in a field or an annotation of v2"},
		{"the object as a whole, in two ways", []webhook.Finding{found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Path, f.Shown, f.Seen = nil, 1, 2 }), found(webhook.DataLost, "v1", "v2", func(f *webhook.Finding) { f.Path, f.Shown, f.Seen = nil, 1, 1 })},
			"error [v2 v1] 15: v1 → v2 → v1 loses the object (in 1 of the 1 converted object with it); keep the value in a field or an annotation of v2\nerror [v2 v1] 15: v1 → v2 → v1 loses the object (in 1 of the 2 converted objects with it); keep the value in a field or an annotation of v2"},
		{"objects without a field", []webhook.Finding{found(webhook.Failed, "v1", "v2", func(f *webhook.Finding) { f.Missing, f.Detail = true, "boom" })},
			"error [v1 v2] 14: v1 → v2 fails with \"boom\" for objects without spec.size, so lists at v2 fail; correct the conversion"},
		{"objects with a value", []webhook.Finding{found(webhook.Failed, "v1", "v2", func(f *webhook.Finding) {
			f.Object, f.Detail = map[string]any{"spec": map[string]any{"size": "x"}}, "boom"
		})}, `error [v1 v2] 14: v1 → v2 fails with "boom" for objects with spec.size: "x", so lists at v2 fail; correct the conversion`},
		{"objects with an object", []webhook.Finding{found(webhook.Failed, "v1", "v2", func(f *webhook.Finding) {
			f.Object, f.Detail = map[string]any{"spec": map[string]any{"size": map[string]any{}}}, "boom"
		})}, "error [v1 v2] 14: v1 → v2 fails with \"boom\" for objects with spec.size set, so lists at v2 fail; correct the conversion"},
		{"a change of another field is taken back", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) {
			f.Edit = &webhook.Edit{Path: request.Keys("spec", "color"), Value: "red"}
		})}, "error [v1 v2] 14: a change of spec.color at v2 is not kept: v2 → v1 → v2 loses spec.size; make the edited value win"},
		{"a change is taken back", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) { f.Edit = &webhook.Edit{Path: size, Value: "red"} })},
			"error [v1 v2] 14: a change at v2 is not kept: v2 → v1 → v2 loses spec.size; make the edited value win"},
		{"what was removed is back", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) {
			f.Version, f.Change, f.Is, f.Edit = "v2", webhook.Added, "red", &webhook.Edit{Path: size, Removed: true}
		})}, "error [v2 v1] 15: a removal at v2 is not kept: v2 → v1 → v2 adds spec.size: \"red\"; make the removal win"},
		{"what was removed at the storage version is back", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) {
			f.Change, f.Is, f.Edit = webhook.Added, "red", &webhook.Edit{Path: size, Removed: true, Stored: true}
		})}, "error [v1 v2] 14: a removal at v1, after a write at v2, is not kept: v1 → v2 → v1 adds spec.size: \"red\"; make the removal win"},
		{"a change at the storage version is taken back", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) {
			f.Edit = &webhook.Edit{Path: request.Keys("spec"), Value: map[string]any{}, Stored: true}
		})}, "error [v1 v2] 14: a change of spec at v1, after a write at v2, is not kept: v1 → v2 → v1 loses spec.size; make the edited value win"},
		{"items take each other's place", []webhook.Finding{found(webhook.EditLost, "v1", "v2", func(f *webhook.Finding) {
			f.Edit = &webhook.Edit{Path: request.Keys("spec", "parts").To(request.Index(0)), Removed: true}
		})}, "error [v1 v2] 14: the other items of spec.parts lose what they have at v1 when one is removed at v2: v2 → v1 loses spec.size; keep the values of the other items"},
		{"an object grows", []webhook.Finding{found(webhook.NotIdempotent, "v1", "v2", nil)}, "error [v1 v2] 14: v1 → v2 → v1 makes the object longer again with every round trip (spec.size); make the conversion back return the same object"},
		{"an object alternates", []webhook.Finding{found(webhook.NotIdempotent, "v1", "v2", func(f *webhook.Finding) { f.Grade = webhook.Minor })},
			"warning [v1 v2] 14: v1 → v2 → v1 changes the object again with every round trip (spec.size); make the conversion back return the same object"},
		{"a version of reviews is not answered", []webhook.Finding{{Property: webhook.ReviewVersion, Detail: "v1: boom"}},
			"error [] 11: the CRD lists ConversionReview v1, which the webhook does not support (boom); support it, or remove it from the list"},
		{"other requests without any version", []webhook.Finding{{Property: webhook.Garbage, Detail: "boom"}}, "error [] 9: boom; return an error instead"},
		{"other answers meanwhile", []webhook.Finding{found(webhook.Concurrent, "v1", "v2", func(f *webhook.Finding) { f.Path = nil })},
			"error [v2 v1] 15: v1 → v2 returns another result for the same object in parallel requests, because the webhook shares state; remove that state"},
		{"other answers meanwhile, at a field", []webhook.Finding{found(webhook.Concurrent, "v1", "v2", func(f *webhook.Finding) { f.Detail = "boom" })},
			"error [v1 v2] 14: v1 → v2 returns another spec.size for the same object in parallel requests (boom), because the webhook shares state; remove that state"},
	} {
		l := everyRule()
		l.Conversions = &engine.Conversions{Test: func(*engine.Pass) *webhook.Result { return &webhook.Result{Findings: test.found} }}
		findings := slices.DeleteFunc(l.File("crd.yaml", []byte(gadgetCRD)).Findings, func(f *lint.Finding) bool { return !f.Rule.Conversion })
		var got []string
		for _, f := range findings {
			line := fmt.Sprintf("%s %v %d: %s", f.Severity, f.Versions, f.Pos.Line, f.Message)
			if f.First != nil && f.First != f {
				line += ", as before"
			}
			got = append(got, line)
		}
		if all := strings.Join(got, "\n"); all != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.story, all, test.want)
		}
	}
}
