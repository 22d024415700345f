package manifest

import (
	"bytes"
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// lost gives the comments and blank lines of one element if it is gone.
func (p *printer) lost(o *origin, index int) []lines.Span {
	e := &o.elements[index]
	if p.used[e.id()] {
		return nil
	}
	lost := p.orphans(e.lead, e.end, e.value)
	if twin := p.twin(e); twin != nil {
		lost = p.withoutTwins(lost, twin)
	}
	return lost
}

// orphans gives the comments and blank lines of source elements that are gone, in the order of the source: comments
// as they stand, an empty span for a blank line. Elements that live on elsewhere keep theirs.
func (p *printer) orphans(from, to int, o *origin) []lines.Span {
	var found []lines.Span
	at := from
	take := func(upTo int) {
		if at < upTo {
			found = append(found, p.trivia(at, upTo)...)
		}
	}
	var visit func(o *origin)
	visit = func(o *origin) {
		switch {
		case p.kept[o] && o.elements != nil:
			take(o.elements[0].lead)
			at = max(at, o.last)
			return
		case p.kept[o]:
			take(o.start)
			at = max(at, o.end)
			return
		}
		for i := range o.elements {
			e := &o.elements[i]
			switch {
			case e.start < at || e.start >= to:
			case p.used[e.id()]:
				take(e.lead)
				at = max(at, e.end)
			default:
				visit(e.value)
			}
		}
		for _, c := range o.children {
			if o.elements == nil {
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
	if e.key == nil || e.key.parent.parent == nil || e.key.parent.parent.node.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range e.key.parent.parent.children {
		for i := range item.elements {
			m := &item.elements[i]
			if m.key != nil && m.key.node.Value == e.key.node.Value && p.moved[m.key] {
				return m
			}
		}
	}
	return nil
}

// withoutTwins leaves out what a twin says as well, comment by comment and blank line by blank line.
func (p *printer) withoutTwins(lost []lines.Span, twin *element) []lines.Span {
	said := map[string]int{}
	for _, s := range p.trivia(twin.lead, twin.end) {
		said[string(p.src[s.Start:s.End])]++
	}
	return slices.DeleteFunc(lost, func(s lines.Span) bool {
		text := string(p.src[s.Start:s.End])
		if said[text]--; said[text] < 0 {
			return false
		}
		if text != "" {
			p.merged[text]++
		}
		return true
	})
}

// trivia gives the comments and blank lines in a range of the source.
func (p *printer) trivia(from, to int) []lines.Span {
	var found []lines.Span
	first, _ := slices.BinarySearchFunc(p.comments, from, func(s lines.Span, at int) int { return s.Start - at })
	comments := p.comments[first:]
	for at, end := from, from; at < to; at = end {
		end = at + lines.Length(p.src[at:to])
		if lines.Begins(p.src, at) && len(bytes.TrimSpace(p.src[at:end])) == 0 && !p.insideScalar(at) {
			found = append(found, lines.Span{Start: at, End: at})
		}
		for len(comments) > 0 && comments[0].Start < end {
			found = append(found, comments[0])
			comments = comments[1:]
		}
	}
	return found
}

// insideScalar says whether an offset lies within a scalar of several lines, where a blank line is content.
func (p *printer) insideScalar(at int) bool {
	o := p.root
	for o != nil && len(o.children) > 0 {
		i, found := slices.BinarySearchFunc(o.children, at, func(c *origin, at int) int { return c.start - at })
		if !found {
			i--
		}
		if i < 0 {
			return false
		}
		o = o.children[i]
	}
	return o != nil && o.content < at && at <= o.end // the last line of one that keeps its line ends may be empty
}
