package rewrite

import (
	"bytes"
	"slices"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A plan lists the elements to print for a block collection: for every entry of the changed tree the element that it
// was, and whether that element belongs to this very collection, in order.
type plan struct {
	origin  *manifest.Origin // nil when the collection was not a block of the source
	wasFlow bool             // it was in flow style, and its comments are printed above it
	entries [][2]*yaml.Node
	was     []*element
	stays   []bool
}

func (p *printer) plan(n *yaml.Node) plan {
	pl := plan{entries: entries(n)}
	if o := p.OriginOf(n); p.blocks[o] != nil {
		pl.origin = o
	} else {
		pl.wasFlow = o != nil
	}
	pl.was = make([]*element, len(pl.entries))
	pl.stays = make([]bool, len(pl.entries))
	indexes := make([]int, len(pl.entries))
	for i, kv := range pl.entries {
		pl.was[i], indexes[i] = p.elementOf(identity(kv)), -1
		if e := pl.was[i]; e != nil && pl.origin != nil && e.id().Parent == pl.origin {
			indexes[i] = e.index
		}
	}
	for _, i := range diff.LongestIncreasing(indexes) {
		pl.stays[i] = true
	}
	return pl
}

// elementOf finds the element of a block of the source that a key (in a mapping) or an item (in a sequence) is.
func (s *source) elementOf(n *yaml.Node) *element {
	o := s.OriginOf(n)
	i := indexOf(o)
	if i < 0 || s.blocks[o.Parent] == nil {
		return nil
	}
	return &s.elements(o.Parent)[i]
}

// entries lists a collection's children as keys and values; the keys of a sequence are nil.
func entries(n *yaml.Node) [][2]*yaml.Node {
	var all [][2]*yaml.Node
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			all = append(all, [2]*yaml.Node{nil, c})
		}
		return all
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
	}
	return all
}

func identity(kv [2]*yaml.Node) *yaml.Node {
	if kv[0] != nil {
		return kv[0]
	}
	return kv[1]
}

// lost returns the comments and blank lines of one element if it is gone.
func (p *printer) lost(o *manifest.Origin, index int) []lines.Span {
	e := &p.elements(o)[index]
	if p.used[e.id()] {
		return nil
	}
	lost := p.orphans(e.lead, e.end, e.value)
	if twin := p.twin(e); twin != nil {
		lost = p.withoutTwins(lost, twin)
	}
	return lost
}

// orphans returns the comments and blank lines of source elements that are gone, in the order of the source: comments
// as they are written, an empty span for a blank line. Elements that moved elsewhere keep theirs.
func (p *printer) orphans(from, to int, o *manifest.Origin) []lines.Span {
	var found []lines.Span
	at := from
	take := func(upTo int) {
		if at < upTo {
			found = append(found, p.trivia(at, upTo)...)
		}
	}
	var visit func(o *manifest.Origin)
	visit = func(o *manifest.Origin) {
		switch {
		case p.kept[o] && p.blocks[o] != nil:
			take(p.elements(o)[0].lead)
			at = max(at, p.blocks[o].last)
			return
		case p.kept[o]:
			take(o.Start)
			at = max(at, o.End)
			return
		}
		for i := range p.elements(o) {
			e := &p.elements(o)[i]
			switch {
			case e.start < at || e.start >= to:
			case p.used[e.id()]:
				take(e.lead)
				at = max(at, e.end)
			default:
				visit(e.value)
			}
		}
		for _, c := range o.Children {
			if p.blocks[o] == nil {
				visit(c)
			}
		}
	}
	visit(o)
	take(to)
	return found
}

// twin finds the entry that a deleted one was merged into: of the same key, in another item of the same list, and
// moved out of it. Merging copies of an entry into one is the only change that takes comments away.
func (p *printer) twin(e *element) *element {
	if e.key == nil || e.key.Parent.Parent == nil || e.key.Parent.Parent.Node.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range e.key.Parent.Parent.Children {
		for i := range p.elements(item) {
			m := &p.elements(item)[i]
			if m.key != nil && m.key.Node.Value == e.key.Node.Value && p.moved[m.key] {
				return m
			}
		}
	}
	return nil
}

// withoutTwins leaves out the comments and blank lines that a twin has as well.
func (p *printer) withoutTwins(lost []lines.Span, twin *element) []lines.Span {
	said := map[string]int{}
	for _, s := range p.trivia(twin.lead, twin.end) {
		said[string(p.Source[s.Start:s.End])]++
	}
	return slices.DeleteFunc(lost, func(s lines.Span) bool {
		text := string(p.Source[s.Start:s.End])
		if said[text]--; said[text] < 0 {
			return false
		}
		if text != "" {
			p.merged[text]++
		}
		return true
	})
}

// trivia returns the comments and blank lines in a range of the source.
func (p *printer) trivia(from, to int) []lines.Span {
	var found []lines.Span
	first, _ := slices.BinarySearchFunc(p.Comments, from, func(s lines.Span, at int) int { return s.Start - at })
	comments := p.Comments[first:]
	for at, end := from, from; at < to; at = end {
		end = at + lines.Length(p.Source[at:to])
		if lines.Begins(p.Source, at) && len(bytes.TrimSpace(p.Source[at:end])) == 0 && !p.insideScalar(at) {
			found = append(found, lines.Span{Start: at, End: at})
		}
		for len(comments) > 0 && comments[0].Start < end {
			found = append(found, comments[0])
			comments = comments[1:]
		}
	}
	return found
}

// insideScalar reports whether an offset lies within a scalar of several lines, where a blank line is content.
func (p *printer) insideScalar(at int) bool {
	o := p.Root
	for o != nil && len(o.Children) > 0 {
		i, found := slices.BinarySearchFunc(o.Children, at, func(c *manifest.Origin, at int) int { return c.Start - at })
		if !found {
			i--
		}
		if i < 0 {
			return false
		}
		o = o.Children[i]
	}
	return o != nil && o.Content < at && at <= o.End // the last line of one that keeps its line ends may be empty
}
