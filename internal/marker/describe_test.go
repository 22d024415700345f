package marker

import (
	"slices"
	"strings"
	"testing"
)

// TestDescribe has words for every marker that controller-gen takes, above what it takes it, and for its arguments.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, r := range registrations {
		for _, above := range []Target{AboveField, AboveType, AboveKind} {
			d, ok := Describe(r.name, above)
			if taken := r.since(above) != ""; ok != taken || taken != slices.Contains(Names(above), r.name) {
				t.Errorf("%s above %d: described %v, taken %v, named %v", r.name, above, ok, taken, slices.Contains(Names(above), r.name))
			}
			if ok && (d.Doc == "" || (r.takes == takesArguments) != (len(d.Arguments) > 0) && r.name != "kubebuilder:subresource:status") {
				t.Errorf("%s: %+v", r.name, d)
			}
			for _, a := range d.Arguments {
				if a.Name == "" || a.Doc == "" {
					t.Errorf("%s: %+v", r.name, a)
				}
			}
		}
	}
	for name := range said() {
		if !slices.ContainsFunc(registrations, func(r registration) bool { return r.name == name || strings.HasSuffix(r.name, ":"+name) }) {
			t.Errorf("there are words for %s, which is no marker", name)
		}
	}
}

// TestDescribed is what markers are told of that differ in one thing.
func TestDescribed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                 string
		above                Target
		usual                bool
		since, takes, of     string
		keyword, beginsDocOf string
	}{
		{validation + "MaxItems", AboveField, true, "v0.2.0", "an integer", "array", "maxItems", "a list has"},
		{validation + "items:MaxLength", AboveField, true, "v0.15.0", "an integer", "array", "maxLength", "a value has"},
		{validation + "items:MaxLength", AboveType, true, "v0.15.0", "an integer", "array", "maxLength", "a value has"},
		{validation + "Pattern", AboveType, true, "v0.2.0", "a value", "string", "pattern", "a regular"},
		{validation + "Minimum", AboveField, true, "v0.2.0", "a number", "number", "minimum", "the smallest"},
		{validation + "MinProperties", AboveField, true, "v0.4.1", "an integer", "object", "minProperties", "a map has"},
		{"optional", AboveField, true, "", "", "", "optional", "the field may"},
		{validation + "Optional", AboveField, false, "v0.2.0", "", "", "optional", "the field may"},
		{"kubebuilder:storageversion", AboveKind, true, "v0.2.0", "", "", "storage", "objects are"},
		{"kubebuilder:title", AboveType, true, "v0.20.0", "a value", "", "", "the title"},
	} {
		d, ok := Describe(test.name, test.above)
		if !ok || d.Name != test.name || d.Usual != test.usual || d.Since != test.since || d.Takes != test.takes || d.For != test.of ||
			d.Row.Keyword != test.keyword || !strings.HasPrefix(d.Doc, test.beginsDocOf) {
			t.Errorf("%s: %v %+v", test.name, ok, d)
		}
	}
	if _, ok := Describe(validation+"items:Schemaless", AboveField); ok {
		t.Error("Schemaless has no form for items")
	}
}

// TestSentence says what to do about a marker.
func TestSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"+nullable=false":                        "controller-gen fails at +nullable=false above A.b; this marker takes no value",
		"+kubebuilder:storageversion":            "move it above the struct of a kind",
		"+kubebuilder:validation:ExactlyOneOf=a": "move it above a type",
	} {
		if got := Reject(text, AboveField, nil).Sentence(text, "A.b").String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	r := Reject("+kubebuilder:validation:Optional", AboveType, nil)
	if got := r.Sentence("+o", "A").String(); !strings.HasSuffix(got, "move it above a field or in a comment apart from declarations, for all of the package") {
		t.Error(got)
	}
}
