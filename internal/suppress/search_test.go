package suppress

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestSearch holds the search against a look at each comment.
func TestSearch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	at := func() lint.Position {
		line, column := 1+random.IntN(12), 1+random.IntN(4)
		return lint.Position{Line: line, Column: column, EndLine: line + random.IntN(4), EndColumn: 1 + random.IntN(6)}
	}
	rules := []*lint.Rule{{ID: "a"}, {ID: "b"}, UnusedRule}
	ignored, used := 0, 0
	for range 2000 {
		var findings []*lint.Finding
		for range random.IntN(6) {
			findings = append(findings, &lint.Finding{Rule: rules[random.IntN(3)], Document: random.IntN(2), Source: lint.Source{Pos: at()}})
		}
		var comments []*Comment
		for range random.IntN(8) {
			c := &Comment{Document: random.IntN(2)}
			switch random.IntN(5) {
			case 0:
				c.All = true
			case 1:
				c.Line = 1 + random.IntN(12)
			case 2: // above nothing
			default:
				c.Entry = at()
			}
			for range 1 + random.IntN(2) {
				n := RuleName{ID: rules[random.IntN(3)].ID, Unused: &lint.Finding{Rule: UnusedRule, Document: c.Document, Source: lint.Source{Pos: at()}}}
				c.Names = append(c.Names, n)
				if random.IntN(2) == 0 {
					findings = append(findings, n.Unused)
				}
			}
			comments = append(comments, c)
		}
		search := newSearch(comments, findings)
		for _, f := range findings {
			want := slices.IndexFunc(comments, func(c *Comment) bool {
				return c.Document == f.Document && c.covers(f.Pos) &&
					slices.ContainsFunc(c.Names, func(n RuleName) bool { return n.ID == f.Rule.ID && n.Unused != f })
			})
			got := slices.Index(comments, search.hiding(f))
			if got != want {
				t.Fatalf("%s at %v is ignored by comment %d, want %d of %+v", f.Rule.ID, f.Pos, got, want, comments)
			}
			if want >= 0 {
				ignored++
			}
		}
		for _, c := range comments {
			for _, n := range c.Names {
				want := slices.ContainsFunc(findings, func(f *lint.Finding) bool {
					return f.Rule.ID == n.ID && f.Document == c.Document && c.covers(f.Pos)
				})
				if got := search.isUsed(c, n.ID); got != want {
					t.Fatalf("comment %+v is about a finding of %s: %t, want %t", c, n.ID, got, want)
				}
				if want {
					used++
				}
			}
		}
	}
	if ignored < 100 || used < 100 {
		t.Errorf("%d findings ignored and %d comments used, too few to tell anything", ignored, used)
	}
}
