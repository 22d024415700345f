package rules

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// TestEveryFixIsMade holds fixes to what the count of fixable findings promises: each, made alone, changes the text of
// its fixture, or the fixes of other findings make it possible.
func TestEveryFixIsMade(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t) {
		l := f.linter(t)
		promised := fixesOf(l.File(f.path, f.src))
		left := l.Fix(f.path, f.src, true).Left.Findings
		l.Edits = true
		alone := fixesOf(l.File(f.path, f.src))
		for _, finding := range promised {
			again := func(other *lint.Finding) bool {
				return other.Rule.ID == finding.Rule.ID && other.Path == finding.Path && other.Message == finding.Message
			}
			made := slices.ContainsFunc(alone, func(a *lint.Finding) bool { return again(a) && len(a.Fix.Edits) > 0 })
			if !made && slices.ContainsFunc(left, again) {
				t.Errorf("%s:%d: the fix %q does nothing: %s [%s]", f.path, finding.Pos.Line, finding.Fix.Title, finding.Message, finding.Rule.ID)
			}
		}
	}
}

func fixesOf(r *engine.FileReport) []*lint.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f *lint.Finding) bool { return f.Fix == nil })
}
