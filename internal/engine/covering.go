package engine

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A subjectOf is what an ignore comment and a finding have to have in common before their places matter.
type subjectOf struct {
	document int
	rule     string
}

// A covering finds the comment that ignores a finding. A file may have as many comments as findings, so that not each is
// held against each.
type covering map[subjectOf]*covered

// A covered is what comments of one document say about one rule.
type covered struct {
	all   slot
	lines map[int]*slot
	spans []*span // by their start
}

// A span is an entry that a comment stands above.
type span struct {
	entry lint.Position
	slot
	outer *span // the nearest in front of it that does not end before it starts; all that do not are reached through it
}

// A slot holds the first comments for one place: one more than is needed, since a comment cannot hide that it is unused
// itself.
type slot []named

// A named is a name in a comment.
type named struct {
	*comment
	nth    int // of the comment in the file
	unused *Finding
}

func (s *slot) add(n named) {
	if len(*s) < 2 {
		*s = append(*s, n)
	}
}

// first is the first of those in the slot that hide a finding and the one known already.
func (s slot) first(f *Finding, known *named) *named {
	for i := range s {
		if s[i].unused != f && (known == nil || s[i].nth < known.nth) {
			return &s[i]
		}
	}
	return known
}

// newCovering indexes comments.
func newCovering(comments []*comment) covering {
	all := covering{}
	for nth, c := range comments {
		for _, n := range c.names {
			about := subjectOf{c.document, n.id}
			if all[about] == nil {
				all[about] = &covered{lines: map[int]*slot{}}
			}
			all[about].add(named{c, nth, n.unused})
		}
	}
	for _, c := range all {
		c.nest()
	}
	return all
}

func (c *covered) add(n named) {
	switch {
	case n.all:
		c.all.add(n)
	case n.line > 0:
		if c.lines[n.line] == nil {
			c.lines[n.line] = &slot{}
		}
		c.lines[n.line].add(n)
	default:
		c.spans = append(c.spans, &span{entry: n.entry, slot: slot{n}})
	}
}

// nest sorts the spans, unites those of the same entry, and finds what each is in.
func (c *covered) nest() {
	slices.SortStableFunc(c.spans, func(a, b *span) int {
		return cmp.Or(comparePlaces(a.entry, b.entry), a.entry.EndLine-b.entry.EndLine, a.entry.EndColumn-b.entry.EndColumn)
	})
	united := c.spans[:0]
	for _, s := range c.spans {
		if last := len(united) - 1; last >= 0 && united[last].entry == s.entry {
			united[last].add(s.slot[0])
			continue
		}
		united = append(united, s)
	}
	c.spans = united
	var outer *span
	for _, s := range c.spans {
		for outer != nil && before(outer.entry.EndLine, outer.entry.EndColumn, s.entry.Line, s.entry.Column) {
			outer = outer.outer
		}
		s.outer, outer = outer, s
	}
}

// hiding is the first comment of a file that ignores a finding; nil when none does.
func (all covering) hiding(f *Finding) *comment {
	c := all[subjectOf{f.Document, f.Rule.ID}]
	if c == nil {
		return nil
	}
	found := c.all.first(f, nil)
	if s := c.lines[f.Pos.Line]; s != nil {
		found = s.first(f, found)
	}
	after, _ := slices.BinarySearchFunc(c.spans, f.Pos, func(s *span, at lint.Position) int {
		return cmp.Or(comparePlaces(s.entry, at), -1) // the first that starts behind
	})
	if after > 0 {
		for s := c.spans[after-1]; s != nil; s = s.outer {
			if s.slot[0].covers(f.Pos) {
				found = s.first(f, found)
			}
		}
	}
	if found == nil {
		return nil
	}
	return found.comment
}

// comparePlaces compares where positions start.
func comparePlaces(a, b lint.Position) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) }

// A foundPlaces are the positions of findings, sorted.
type foundPlaces map[subjectOf][]lint.Position

// placesOf indexes findings by what comments can be about.
func placesOf(findings []*Finding) foundPlaces {
	all := foundPlaces{}
	for _, f := range findings {
		about := subjectOf{f.Document, f.Rule.ID}
		all[about] = append(all[about], f.Pos)
	}
	for _, places := range all {
		slices.SortFunc(places, comparePlaces)
	}
	return all
}

// coveredBy says whether a comment is about a finding of a rule.
func (all foundPlaces) coveredBy(c *comment, rule string) bool {
	from := c.entry
	switch {
	case c.all:
		from = lint.Position{}
	case c.line > 0:
		from = lint.Position{Line: c.line}
	}
	places := all[subjectOf{c.document, rule}]
	i, _ := slices.BinarySearchFunc(places, from, comparePlaces)
	return i < len(places) && c.covers(places[i])
}
