package webhook_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// gadgets is the CRD of the webhooks.
func gadgets(t testing.TB) *apiextensions.CustomResourceDefinition {
	t.Helper()
	crds, _, err := behaviour.Decode(webhooks.CRD)
	if err != nil || len(crds) != 1 {
		t.Fatal(err)
	}
	return crds[0]
}

// test tests a webhook with a fault.
func test(t testing.TB, fault string, o webhook.Options) *webhook.Result {
	t.Helper()
	return testCRD(t, gadgets(t), fault, o)
}

func testCRD(t testing.TB, crd *apiextensions.CustomResourceDefinition, fault string, o webhook.Options) *webhook.Result {
	t.Helper()
	c := review.Config{CRD: crd, Handler: webhooks.Handler(fault)}
	if fault == "hangs" {
		c.Timeout = webhooks.Hang / 2
	}
	client, err := review.New(c)
	if err != nil {
		t.Fatal(err)
	}
	result, err := webhook.Test(t.Context(), crd, client, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

var names = []string{
	"pair-missing", "contract", "failed", "undeclared", "metadata-lost", "data-lost", "status-lost", "preserved", "write-lost", "edit-lost",
	"not-writable", "invalid", "not-defaulted", "not-stable", "noop-writes", "not-idempotent", "order", "paths-differ", "scale", "partial",
	"unvalidated", "review-version", "same-version", "garbage", "concurrent", "annotation-size", "slow",
}

// shown is a finding in one line: the property, the pair, the field, and the kind of change.
func shown(f webhook.Finding) string {
	text := names[f.Property]
	if f.Pair.From != "" {
		text += " " + f.Pair.From + "-" + f.Pair.To
	}
	if len(f.Path) > 0 && f.Property != webhook.Order && f.Property != webhook.Concurrent {
		text += " " + f.Path.Field()
	}
	if f.Missing {
		text += " (missing)"
	}
	if f.Grade == webhook.Minor {
		text += " (minor)"
	}
	return text
}

// smallest are the specs of some findings' objects, with nothing in them but what shows it.
var smallest = map[string]string{
	"field-lost":          `{"image":"i"}`,
	"field-of-items-lost": `{"parts":[{"name":"n","weight":1}]}`,
	"stale-copy-wins":     `{"image":"i"}`,
	"spec-needed":         `null`,
	"name-of-part-needed": `{"parts":[{}]}`,
}

// TestFaults has each mistake of a webhook give its findings and no others, and a correct one none. What is wrong with an answer
// is said by a part of the API server's error.
func TestFaults(t *testing.T) {
	t.Parallel()
	all := map[string][]string{ // by the name of the fault
		"":                           nil,
		"review-of-no-kind":          {"contract: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind="},
		"other-review-version":       {`contract: no kind "ConversionReview" is registered for version "apiextensions.k8s.io/v2"`},
		"no-response":                {"contract: no response provided"},
		"capitals":                   {"contract: no response provided"},
		"other-request":              {"contract: expected response.uid="},
		"no-result":                  {"contract: response.result.status was '', not 'Success'"},
		"success-in-small-letters":   {"contract: response.result.status was 'success', not 'Success'"},
		"no-objects":                 {"contract: returned 0 objects, expected 1"},
		"one-object-more":            {"contract: returned 2 objects, expected 1"},
		"null-object":                {"contract: unexpected end of JSON input"},
		"text-object":                {"contract: json: cannot unmarshal string into Go value of type map[string]interface {}"},
		"no-kind":                    {"contract: Object 'Kind' is missing in"},
		"version-of-before":          {"contract: invalid groupVersion (expected example.com/v2, received example.com/v1)"},
		"other-group":                {"contract: invalid groupVersion (expected example.com/v2, received example.org/v2)"},
		"other-kind":                 {"contract: invalid kind (expected Gadget, received Widget)"},
		"other-name":                 {"contract: must have the same name: sample != another"},
		"other-namespace":            {"contract: must have the same namespace: default != another"},
		"other-object-uid":           {"contract: must have the same UID: "},
		"no-metadata":                {"contract: must have the same name: sample != "},
		"labels-as-list":             {"contract: invalid metadata.labels of type []interface {} in converted object"},
		"label-as-number":            {"contract: metadata.labels[a] must be a string, but is int64 in converted object"},
		"invalid-label":              {`contract: metadata.labels: Invalid value: "-"`},
		"invalid-annotation":         {`contract: metadata.annotation: Invalid value: "a b"`},
		"template-of-no-object":      {"contract v1-v2 spec.template: spec.template.metadata: Invalid value"},
		"empty-answer":               {"contract: 0-length response with status code: 200"},
		"no-json":                    {"contract: couldn't get version/kind; json parse error"},
		"list-as-response":           {"contract: json: cannot unmarshal array into Go struct field ConversionReview.response"},
		"status-as-answer":           {"contract: converting (v1.Status) to (v1.ConversionReview): unknown conversion"},
		"content-type":               {"contract: mime: expected slash after first token"},
		"error-500":                  {`contract: an error on the server ("out of order") has prevented the request from succeeding`},
		"error-404":                  {"contract: the server could not find the requested resource"},
		"connection-cut":             {"contract: EOF"},
		"field-lost":                 {"data-lost v1-v2 spec.image"},
		"field-lost-on-the-way-back": {"data-lost v1-v2 spec.image"},
		"own-field-lost":             {"data-lost v1-v2 spec.legacy"},
		"own-field-of-v2-lost":       {"write-lost v2-v1 spec.note"},
		"swapped":                    {"data-lost v1-v2 spec.command", "data-lost v1-v2 spec.image"},
		"value-changed":              {"data-lost v1-v2 spec.size"},
		"star-lost":                  {"data-lost v1-v2 spec.image"},
		"false-lost":                 {"data-lost v1-v2 spec.started"},
		"zero-lost":                  {"data-lost v1-v2 spec.replicas"},
		"large-number-rounded":       {"data-lost v1-v2 spec.serial"},
		"fraction-cut":               {"data-lost v1-v2 spec.ratio"},
		"number-as-text":             {"data-lost v1-v2 spec.port"},
		"list-cut":                   {"data-lost v1-v2 spec.args[*]"},
		"list-reversed":              {"data-lost v1-v2 spec.args"},
		"field-of-items-lost":        {"data-lost v1-v2 spec.parts[*].weight"},
		"key-lost":                   {"data-lost v1-v2 spec.env[example.com/key.1]"},
		"text-escaped":               {"data-lost v1-v2 spec.image"},
		"status-lost":                {"status-lost v1-v2 status"},
		"conditions-lost":            {"status-lost v1-v2 status.conditions"},
		"labels-lost":                {"metadata-lost v1-v2 metadata.labels[app]"},
		"annotations-lost":           {"metadata-lost v1-v2 metadata.annotations[empty]"},
		"undeclared":                 {"undeclared v2-v1 spec.capacity"},
		"unknown-field-lost":         {"preserved v1-v2 spec.settings.anything"},
		"list-too-long":              {"write-lost v2-v1 spec.args[*]", "invalid v1-v2 spec.args (minor)"},
		"template-of-no-kind":        {"not-writable v1-v2 spec.template.kind"},
		"default-missing":            {"not-defaulted v1-v2 spec.started"},
		"duration-respelled":         {"noop-writes v1-v2 spec.interval"},
		"grows":                      {"data-lost v1-v2 spec.env.converted"},
		"set-turned":                 {"not-idempotent v1-v2 spec.tags (minor)"},
		"absent-pointer-written":     {"data-lost v1-v2 spec.paused"},
		"false-pointer-dropped":      {"data-lost v1-v2 spec.paused"},
		"absent-made-true":           {"data-lost v1-v2 spec.paused"},
		"number-of-text":             {"data-lost v1-v2 spec.port"},
		"text-taken-for-number":      {"data-lost v1-v2 spec.command"},
		"empty-entry-dropped":        {"data-lost v1-v2 spec.env.key"},
		"omits-what-is-empty":        {"noop-writes v1-v2 spec.args"},
		"number-in-status":           {"invalid v1-v2 status.phase"},
		"direct-way-differs":         {"paths-differ v3-v2 spec.paused"},
		"stale-copy-wins":            {"edit-lost v1-v2 spec.image"},
		"stale-list-wins":            {"edit-lost v1-v2 spec.parts[*]"},
		"annotation-misread":         {"failed v1-v2 metadata.annotations[gadgets.example.com/note]: EOF"},
		"too-deep":                   {"pair-missing: an object in the response is nested 303 levels deep, and crdlift follows at most 256; return a flatter one"},
		"too-deep-if-large":          {"failed v1-v2 spec.size: an object in the response is nested 303 levels deep, and crdlift follows at most 256; return a flatter one"},
		"scale-differs":              {"scale v1-v2 status.replicas"},
		"pair-missing":               {"pair-missing v2-v3: v2 cannot be converted to v3"},
		"version-missing":            {"pair-missing v1-v3", "pair-missing v3-v1"},
		"value-refused":              {"failed v1-v2 spec.size: too large"},
		"absent-field":               {"failed v1-v2 spec.image (missing): EOF"},
		"text-read":                  {"failed v1-v2 spec.image: time: invalid duration", "data-lost v1-v2 spec.command"},
		"spec-needed":                {"failed v1-v2 spec (missing): spec is missing"},
		"name-of-part-needed":        {"partial v1-v2 (minor): a part has no name"},
		"crash-without-spec":         {"failed v1-v2 spec (missing): EOF"},
		"metadata-left-out":          {"partial v1-v2 (minor): missing metadata in converted object"},
		"crash-without-name-of-part": {"partial v1-v2: EOF"},
		"crash-on-invalid":           {"unvalidated v1-v2: EOF"},
		"random":                     {"not-stable v1-v2 spec.args"},
		"list-in-other-order":        {"order v1-v2"},
		"no-v1beta1":                 {"review-version: v1beta1: "},
		"panics-at-garbage":          {"garbage: the webhook does not respond to a GET, an empty body, "},
		"any-version":                {"garbage (minor): the webhook reports success for the unknown version v999unknown1"},
		"same-version-changed":       {"same-version v1-v1 spec.paused"},
		"mixes-up-requests":          {"concurrent v1-v2"},
		"hangs":                      {"slow v1-v2: context deadline exceeded"},
		"large-annotation":           {"annotation-size v1-v2 spec.port: an object of 256 KiB: ", "annotation-size v3-v2 spec.port: an object of 256 KiB: "},
	}
	for _, f := range webhooks.Faults {
		if f.Name == "text-never-read" { // see TestOnlyCodeCanRead
			continue
		}
		if _, found := all[f.Name]; !found {
			t.Errorf("what is expected of %s?", f.Name)
		}
	}
	for _, name := range corpus.Turn(t, slices.Sorted(maps.Keys(all))) {
		want := all[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := webhook.Options{Count: 40, Seed: 1, Skip: map[webhook.Group]bool{}}
			switch name {
			case "text-taken-for-number":
				o.Samples = []webhook.Object{{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"command": "1.10"}}}
			case "mixes-up-requests": // which takes its time
				o.Count = 20
			case "star-lost": // which takes a rare value
				o.Count = 200
			}
			// What is large takes long, and is tried with webhooks whose answers depend on it.
			o.Skip[webhook.Large] = name != "" && name != "large-annotation" && name != "stale-copy-wins"
			r := test(t, name, o)
			if len(r.Findings) != len(want) {
				for _, f := range r.Findings {
					t.Errorf("%s: %s\n\t%v", shown(f), f.Detail, f.Object)
				}
				t.Fatalf("want %q", want)
			}
			for i, f := range r.Findings {
				about, detail, _ := strings.Cut(want[i], ": ")
				if shown(f) != about || !strings.Contains(f.Detail, detail) {
					t.Errorf("%s: %s, want %s\n\t%v", shown(f), f.Detail, want[i], f.Object)
				}
			}
			if len(r.Notes) > 0 {
				t.Errorf("notes: %q", r.Notes)
			}
			replay(t, name, r.Findings)
			if want, found := smallest[name]; found {
				text, err := json.Marshal(outline(r.Findings[0].Object["spec"]))
				if err != nil || string(text) != want {
					t.Errorf("%s, want %s: %v", text, want, r.Findings[0].Object)
				}
			}
		})
	}
}

// TestCorrect finds nothing in correct webhooks, however many objects there are: in one that carries what a version has no field
// for in annotations, in one between versions with the same schema, and in strategy None between these.
func TestCorrect(t *testing.T) {
	t.Parallel()
	count := 60
	if corpus.All() {
		count = 5000
	}
	for seed := range uint64(2) {
		if r := test(t, "", webhook.Options{Count: count, Seed: seed + 10}); len(r.Findings) > 0 || len(r.Pairs) != 6 {
			t.Errorf("seed %d: %v", seed+10, r.Findings)
		}
	}
	crd := gadgets(t)
	crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Name == "v2" })
	if r := testCRD(t, crd, "", webhook.Options{Count: count, Seed: 1}); len(r.Findings) > 0 || len(r.Pairs) != 2 {
		t.Errorf("%v", r)
	}
	r, err := webhook.Test(t.Context(), crd, nil, webhook.Options{Count: count, Seed: 1})
	if err != nil || len(r.Findings) > 0 || len(r.Pairs) != 2 {
		t.Errorf("%v, %v", r, err)
	}
}
