package suppress

import (
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/lint"
)

// TestTooManyIgnores: up to the cap every ignore counts. With one pair more none does, which the file is told once,
// instead of a run that takes minutes.
func TestTooManyIgnores(t *testing.T) {
	t.Parallel()
	const side = 1 << 14 // as many comments as findings make just as many pairs as there may be
	if side*side != limit.IgnorePairs {
		t.Fatalf("the cap is %d pairs, and the test has %d", limit.IgnorePairs, side*side)
	}
	rule := &lint.Rule{ID: "a", Severity: lint.Warning}
	file := func(findings int) *File {
		f := &File{FileReport: &lint.FileReport{Path: "crd.yaml"}}
		for range findings {
			f.Findings = append(f.Findings, &lint.Finding{Rule: rule, Severity: lint.Warning})
		}
		for range side {
			f.Comments = append(f.Comments, &Comment{All: true, Reason: "old", Names: []RuleName{{ID: "a", Unused: &lint.Finding{Rule: UnusedRule}}}})
		}
		return f
	}
	ignored := func(f *File) (n int) {
		for _, finding := range f.Findings {
			if finding.Ignored != "" {
				n++
			}
		}
		return n
	}
	run := &Run{Config: &lint.Config{}, Rules: lint.Rules{rule, UnusedRule}, Runs: func(*lint.Rule) bool { return true }}

	most := file(side)
	run.Mark(most)
	run.Unused([]*File{most})
	if n := ignored(most); n != side || len(most.Findings) != side {
		t.Errorf("at the cap %d of %d findings are ignored, and %d reported", n, side, len(most.Findings))
	}

	more := file(side + 1)
	run.Mark(more)
	run.Unused([]*File{more})
	if n := ignored(more); n != 0 || len(more.Findings) != side+2 {
		t.Errorf("above the cap %d of %d findings are ignored, and %d reported", n, side+1, len(more.Findings))
	}
	var told []*lint.Finding
	for _, f := range more.Findings {
		if f.Rule == UnusedRule {
			told = append(told, f)
		}
	}
	if len(told) != 1 || told[0].Message != tooMany(more, lint.Warning).Message || told[0].Pos != lint.Point("crd.yaml", 1, 1) {
		t.Errorf("the file is told %v", told)
	}

	off := &Run{Config: &lint.Config{Rules: map[string]lint.Severity{UnusedRule.ID: lint.Off}}, Rules: run.Rules, Runs: run.Runs}
	silent := file(side + 1)
	if off.Unused([]*File{silent}); len(silent.Findings) != side+1 {
		t.Error("ignore-unused is off, and reports nevertheless")
	}
}
