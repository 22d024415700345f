package suppress

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestCovers tries places at the edges of what a comment is about.
func TestCovers(t *testing.T) {
	t.Parallel()
	below := &Comment{Entry: lint.Position{Line: 3, Column: 5, EndLine: 6, EndColumn: 9}}
	for _, test := range []struct {
		what         string
		c            *Comment
		line, column int
		want         bool
	}{
		{"anywhere in a document that is ignored as a whole", &Comment{All: true}, 99, 1, true},
		{"the line at whose end it is", &Comment{Line: 4}, 4, 7, true},
		{"the line after that", &Comment{Line: 4}, 5, 1, false},
		{"the begin of the entry", below, 3, 5, true},
		{"before the begin, on its line", below, 3, 4, false},
		{"the line before the entry", below, 2, 80, false},
		{"inside of the entry", below, 4, 1, true},
		{"its last line, further left than it begins", below, 6, 1, true},
		{"its end", below, 6, 9, true},
		{"behind its end", below, 6, 10, false},
		{"the line behind it", below, 7, 1, false},
		{"nothing is below it", &Comment{}, 1, 1, false},
	} {
		if got := test.c.covers(lint.Point("a.yaml", test.line, test.column)); got != test.want {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
}

// TestJudges: an ignore is unused only where the run would have shown all findings of its rule.
func TestJudges(t *testing.T) {
	t.Parallel()
	all := lint.Rules{
		{ID: "plain", Severity: lint.Error}, {ID: "old", Severity: lint.Error, NeedsOld: true}, {ID: "across", Severity: lint.Error, Across: true},
		{ID: "object", Severity: lint.Error, Object: true}, {ID: "conversion", Severity: lint.Error, Conversion: true},
	}
	r := &Run{Rules: all, Config: &lint.Config{}, Runs: func(rule *lint.Rule) bool { return !rule.Object && !rule.Conversion }}
	objects := &Run{Rules: all, Config: &lint.Config{}, Runs: func(rule *lint.Rule) bool { return rule.Object }}
	off := &lint.Config{Rules: map[string]lint.Severity{"plain": lint.Off}}
	f := &File{FileReport: &lint.FileReport{}, Judged: []Subject{{Document: 1}, {Document: 2, Compared: true}, {Document: 3, Partly: true}}}
	for _, test := range []struct {
		what     string
		run      *Run
		document int
		id       string
		of       *lint.Config
		want     bool
	}{
		{"a rule that runs", r, 1, "plain", &lint.Config{}, true},
		{"a rule that is off", r, 1, "plain", off, false},
		{"a rule across files", r, 1, "across", &lint.Config{}, false},
		{"a rule about objects, in a run about CRDs", r, 1, "object", &lint.Config{}, false},
		{"a rule about conversions, in a run about CRDs", r, 1, "conversion", &lint.Config{}, false},
		{"a rule about objects, in a run about them", objects, 1, "object", &lint.Config{}, true},
		{"a rule about CRDs, in a run about objects", objects, 1, "plain", &lint.Config{}, false},
		{"a change, of what was not compared", r, 1, "old", &lint.Config{}, false},
		{"a change, of what was compared", r, 2, "old", &lint.Config{}, true},
		{"a document that was looked at in part", r, 3, "plain", &lint.Config{}, false},
	} {
		if got := test.run.judges(f, test.document, test.id, test.of); got != test.want {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
}
