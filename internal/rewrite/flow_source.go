package rewrite

import (
	"bytes"
	"slices"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// flowParts are the places of a flow collection's entries in the source.
type flowParts struct {
	ids          []*manifest.Origin
	leads        []int // after the entry before, or the bracket
	starts, ends []int
	commas       []int // where the comma after it is, -1 without one
	nexts        []int // after its comma and the comment beside it
	lines        bool  // one entry a line
	indent       int
	space        string // a space or a tab
}

// flowParts finds them, once for each collection.
func (p *printer) flowParts(o *manifest.Origin) *flowParts {
	f := p.parts[o]
	if f == nil {
		f = p.findFlowParts(o)
		p.parts[o] = f
	}
	return f
}

func (p *printer) findFlowParts(o *manifest.Origin) *flowParts {
	f := &flowParts{space: " "}
	lead := o.Content + 1
	for _, e := range elementsOf(o) {
		first := e.id()
		end := max(first.End, e.value.End)
		comma := p.commaAfter(end, o.End)
		next := end
		if comma >= 0 {
			next = comma + 1
		}
		next = p.afterComment(next)
		f.ids = append(f.ids, first)
		f.leads, f.starts, f.ends = append(f.leads, lead), append(f.starts, first.Start), append(f.ends, end)
		f.commas, f.nexts = append(f.commas, comma), append(f.nexts, next)
		lead = next
	}
	f.lines = bytes.IndexByte(p.Source[f.leads[0]:f.starts[0]], '\n') >= 0
	f.indent = p.Lines.Indentation(f.starts[0])
	if !f.lines {
		f.indent += p.style.step
	} else if p.Source[p.Lines.LineStart(f.starts[0])] == '\t' {
		f.space = "\t"
	}
	return f
}

// close is after the last entry, its comma and the comment beside it.
func (f *flowParts) close() int { return f.nexts[len(f.nexts)-1] }

// trailingComma reports whether a comma follows the last entry, too.
func (f *flowParts) trailingComma() bool { return f.commas[len(f.commas)-1] >= 0 }

// commaAfter returns the offset of the comma after an entry, -1 when a bracket follows.
func (p *printer) commaAfter(at, limit int) int {
	for i := at; i < limit; i++ {
		switch c := p.Source[i]; {
		case c == ',':
			return i
		case c == '#' && lines.IsSpace(p.Source[i-1]):
			i += len(lines.Text(p.Source[i:]))
		case !lines.IsSpace(c) && c != ':':
			return -1
		}
	}
	return -1
}

// afterComment returns the end of the comment after an offset on its line, or the offset.
func (p *printer) afterComment(at int) int {
	i := at + blanks(p.Source[at:])
	if i > at && i < len(p.Source) && p.Source[i] == '#' {
		return i + len(lines.Text(p.Source[i:]))
	}
	return at
}

// keptFlow returns for every entry the index of the source's entry that it is, -1 when it was not in this collection
// or when the order has changed.
func (p *printer) keptFlow(o *manifest.Origin, all [][2]*yaml.Node) []int {
	indexes := make([]int, len(all))
	for i, kv := range all {
		indexes[i] = -1
		if w := p.OriginOf(identity(kv)); w != nil && w.Parent == o {
			indexes[i] = indexOf(w)
		}
	}
	kept := slices.Repeat([]int{-1}, len(all))
	for _, i := range diff.LongestIncreasing(indexes) {
		kept[i] = indexes[i]
	}
	return kept
}

// lost returns the comments of the entries from..to of the source that are gone and, where each has lines of its own, the
// blank lines before them.
func (f *flowParts) lost(p *printer, o *manifest.Origin, from, to int) []lines.Span {
	var found []lines.Span
	for ; from < to; from++ {
		if p.used[f.ids[from]] {
			continue
		}
		for _, s := range p.trivia(f.leads[from], f.nexts[from]) {
			blank := s.Start == s.End
			if blank && f.lines && s.Start < f.starts[from] || !blank && !p.livesOn(o, s.Start) {
				found = append(found, s)
			}
		}
	}
	return found
}

// replacedInFlow returns the comments inside a kept entry whose value is gone.
func (p *printer) replacedInFlow(kv [2]*yaml.Node, kept int, o *manifest.Origin, f *flowParts) []lines.Span {
	if kept < 0 || kv[0] == nil || p.OriginOf(kv[1]) == o.Children[2*kept+1] {
		return nil
	}
	return slices.DeleteFunc(p.commentsIn(f.starts[kept], f.ends[kept]), func(s lines.Span) bool { return p.livesOn(o.Children[2*kept+1], s.Start) })
}

// livesOn reports whether a comment inside a flow collection belongs to something that the changed tree still has.
func (p *printer) livesOn(o *manifest.Origin, at int) bool {
	for len(o.Children) > 0 {
		i, found := slices.BinarySearchFunc(o.Children, at, func(c *manifest.Origin, at int) int { return c.Start - at })
		if !found {
			i--
		}
		if i < 0 || o.Children[i].End <= at {
			return p.entryAround(o, at)
		}
		if o = o.Children[i]; p.used[o] {
			return true
		}
	}
	return false
}

// entryAround reports whether a comment between the entries of a flow collection belongs to one of them that is used.
func (p *printer) entryAround(o *manifest.Origin, at int) bool {
	if o.Node.Style&yaml.FlowStyle == 0 || p.IsBarePair(o) {
		return false
	}
	f := p.flowParts(o)
	i, _ := slices.BinarySearch(f.nexts, at+1)
	return i < len(f.ids) && p.used[f.ids[i]]
}

// commentsIn returns the comments in a range of the source.
func (p *printer) commentsIn(from, to int) []lines.Span {
	return slices.DeleteFunc(p.trivia(from, to), func(s lines.Span) bool { return s.Start == s.End })
}

// flowComments returns the comments around an entry that stood in a flow collection, for where it has moved to.
func (p *printer) flowComments(kv [2]*yaml.Node) []lines.Span {
	if len(p.Comments) == 0 {
		return nil
	}
	o := p.OriginOf(identity(kv))
	i := indexOf(o)
	if i < 0 || o.Parent.Node.Style&yaml.FlowStyle == 0 || p.IsBarePair(o.Parent) {
		return nil
	}
	f := p.flowParts(o.Parent)
	return append(p.commentsIn(f.leads[i], f.starts[i]), p.commentsIn(f.ends[i], f.nexts[i])...)
}
