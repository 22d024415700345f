package suppress

import (
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/lint"
)

// A concern is the key that a comment and a finding must share before their places are compared.
type concern struct {
	document int
	rule     string
}

// A mention is a rule's name in a comment.
type mention struct {
	*Comment
	unused *lint.Finding // that the comment ignores none of the rule's
}

// A search finds which comments of a file are about which of its findings.
type search struct {
	mentions map[concern][]mention // in the order of the text
	findings map[concern][]*lint.Finding
	excess   bool // there are more pairs than a second is enough for: nothing is found
}

func newSearch(comments []*Comment, findings []*lint.Finding) *search {
	s := &search{mentions: map[concern][]mention{}, findings: map[concern][]*lint.Finding{}}
	for _, c := range comments {
		for _, n := range c.Names {
			about := concern{c.Document, n.ID}
			s.mentions[about] = append(s.mentions[about], mention{c, n.Unused})
		}
	}
	if len(comments) == 0 {
		return s
	}
	pairs := 0
	for _, f := range findings {
		about := concern{f.Document, f.Rule.ID}
		s.findings[about] = append(s.findings[about], f)
		pairs += len(s.mentions[about])
	}
	s.excess = pairs > limit.IgnorePairs
	return s
}

// hiding returns the first comment that ignores a finding; nil when none does. A comment cannot hide that it is unused.
func (s *search) hiding(f *lint.Finding) *Comment {
	if s.excess {
		return nil
	}
	for _, m := range s.mentions[concern{f.Document, f.Rule.ID}] {
		if m.covers(f.Pos) && m.unused != f {
			return m.Comment
		}
	}
	return nil
}

// isUsed reports whether a comment is about a finding of a rule.
func (s *search) isUsed(c *Comment, rule string) bool {
	return slices.ContainsFunc(s.findings[concern{c.Document, rule}], func(f *lint.Finding) bool { return c.covers(f.Pos) })
}
