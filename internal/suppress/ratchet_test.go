package suppress

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

func TestDropKnown(t *testing.T) {
	t.Parallel()
	rule, other, change := &lint.Rule{ID: "a"}, &lint.Rule{ID: "b"}, &lint.Rule{ID: "c", NeedsOld: true}
	finding := func(r *lint.Rule, path, message string) *lint.Finding {
		return &lint.Finding{Rule: r, Resource: "foos.example.com", Stable: []string{path}, Message: message}
	}
	ignored := finding(rule, "spec.ignored", "x")
	ignored.Ignored = "because"
	older := &lint.Report{Findings: []*lint.Finding{
		finding(rule, "spec.a[]", "x"), finding(rule, "spec.a[]", "y"), finding(change, "spec", "x"), ignored,
		finding(rule, "spec.b", "3 fields are pruned: a, b, c"),
	}}
	newer := &lint.Report{Findings: []*lint.Finding{
		finding(rule, "spec.a[]", "z"), finding(rule, "spec.a[]", "y"), finding(rule, "spec.a[]", "x"), // one more than before
		finding(other, "spec.a[]", "x"),                      // of another rule
		finding(change, "spec", "x"),                         // about the change
		finding(rule, "spec.ignored", "x"),                   // not ignored any more
		finding(rule, "spec.b", "2 fields are pruned: a, c"), // less than before
		finding(rule, "spec.c", "x"),
	}}
	want := []*lint.Finding{newer.Findings[0], newer.Findings[3], newer.Findings[4], newer.Findings[5], newer.Findings[7]}
	DropKnown(newer, older)
	if !slices.Equal(newer.Findings, want) {
		t.Errorf("%d findings are left, want %d", len(newer.Findings), len(want))
	}
}

// TestDropKnownLeftOut counts what is new, whichever file had it: a test may be a copy of what was told of.
func TestDropKnownLeftOut(t *testing.T) {
	t.Parallel()
	finding := func(needsOld bool, path string) *lint.Finding {
		return &lint.Finding{Rule: &lint.Rule{ID: "a", NeedsOld: needsOld}, Resource: "foos.example.com", Stable: []string{path}}
	}
	older := &lint.Report{Findings: []*lint.Finding{finding(false, "told"), finding(true, "change")}, LeftOut: []*lint.Finding{finding(false, "left out")}}
	newer := &lint.Report{
		Findings: []*lint.Finding{finding(false, "told"), finding(false, "left out")},
		LeftOut:  []*lint.Finding{finding(false, "told"), finding(false, "told"), finding(false, "left out"), finding(false, "new"), finding(true, "change")},
	}
	told, left := newer.Findings[1], slices.Clone(newer.LeftOut[3:])
	DropKnown(newer, older)
	if !slices.Equal(newer.Findings, []*lint.Finding{told}) || !slices.Equal(newer.LeftOut, left) {
		t.Errorf("%d are told and %d left out", len(newer.Findings), len(newer.LeftOut))
	}
}
