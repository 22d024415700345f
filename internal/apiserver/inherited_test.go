package apiserver

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInherited lists the rules of errors that a manifest may have from v1beta1, and finds rules with only some of their
// rows among them.
func TestInherited(t *testing.T) {
	t.Parallel()
	var inherited, own []string
	for _, r := range rows {
		if r.inherited() {
			inherited = append(inherited, r.rule)
		} else {
			own = append(own, r.rule)
		}
	}
	slices.Sort(inherited)
	inherited = slices.Compact(inherited)
	for _, rule := range inherited {
		if slices.Contains(own, rule) {
			t.Errorf("only some errors of %s are inherited", rule)
		}
	}
	want := []string{
		"api-approval-invalid", "api-approval-missing", "conversion-review-versions-required",
		"conversion-webhook-preserve-unknown", "schema-additional-properties-root", "schema-build-failed",
		"schema-embedded-resource", "schema-int-or-string-conflict", "schema-items-array", "schema-items-missing",
		"schema-junctor-forbidden-field", "schema-junctor-incomplete", "schema-junctor-metadata",
		"schema-list-map-key-optional", "schema-list-map-keys", "schema-list-set-items", "schema-list-type-invalid",
		"schema-map-type-invalid", "schema-metadata-restricted", "schema-nullable-root", "schema-pattern-invalid",
		"schema-preserve-unknown-false", "schema-properties-and-additional-properties", "schema-required",
		"schema-root-forbidden-with-status", "schema-root-type", "schema-type-meta", "schema-type-missing",
		"schema-unique-items", "schema-unsupported-keyword", "selectable-field-no-schema", "webhook-config-required",
	}
	if diff := cmp.Diff(want, inherited); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
