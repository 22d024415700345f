package rewrite

import (
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// block prints the entries of a collection at a column, each on its own line. With inline, the first one continues the
// line (after a dash), and aboveInline has printed the comments above it.
func (p *printer) block(n *yaml.Node, col int, home, inline bool) {
	pl := p.plan(n)
	next := 0 // the first element of the source that has not been passed
	for i, kv := range pl.entries {
		above := p.above(pl, i, next)
		if pl.stays[i] {
			next = pl.was[i].index + 1
		}
		if i > 0 || !inline {
			p.newline()
			p.commentLines(above, col)
		}
		p.element(kv, pl.was[i], col, home && pl.stays[i], i == 0 && inline)
	}
	if o := pl.origin; o != nil {
		p.below(pl, next, col, home)
	}
}

// above returns the comments and blank lines of deleted elements that stood before entry i, or the comments around
// it in the flow collection that it comes from.
func (p *printer) above(pl plan, i, next int) []lines.Span {
	var found []lines.Span
	if pl.was[i] == nil && !pl.wasFlow {
		return p.flowComments(pl.entries[i])
	}
	if !pl.stays[i] {
		return nil
	}
	for ; next < pl.was[i].index; next++ {
		found = append(found, p.lost(pl.origin, next)...)
	}
	return found
}

// below prints the comments after the last entry: those of deleted elements, and the collection's own.
func (p *printer) below(pl plan, next, col int, home bool) {
	o := pl.origin
	var lost []lines.Span
	for ; next < len(p.elements(o)); next++ {
		lost = append(lost, p.lost(o, next)...)
	}
	if len(lost) > 0 {
		p.newline()
		p.commentLines(lost, col)
	}
	end := p.elements(o)[len(p.elements(o))-1].end
	if end < p.blocks[o].last {
		p.newline()
		p.copySource(end, p.blocks[o].last, spot{home, col - p.Column(o)})
	}
}

// commentLines prints comments, each on its own line at a column, and blank lines (empty spans).
func (p *printer) commentLines(spans []lines.Span, col int) {
	for _, s := range spans {
		if s.Start < s.End {
			p.spaces(col)
			p.text(string(p.Source[s.Start:s.End]))
		}
		p.text(p.style.eol)
	}
}

// aboveInline prints the comments that have to be above the line on which a block starts after a dash at column col:
// those of the block's first entry, and of entries deleted before it.
func (p *printer) aboveInline(n *yaml.Node, col int) {
	pl := p.plan(n)
	p.commentLines(p.above(pl, 0, 0), col)
	e := pl.was[0]
	if e == nil {
		return
	}
	p.commentLines(p.trivia(e.lead, lines.Start(p.Source, e.start)), col)
	kv := pl.entries[0]
	p.commentLines(p.replaced(kv, e), col)
	if kv[0] == nil && p.isBlock(kv[1]) && p.startsInline(kv, e) {
		p.aboveInline(kv[1], col)
	}
}

// element prints one entry at a column: the comments above it, its key or dash, its value, and its line end.
func (p *printer) element(kv [2]*yaml.Node, e *element, col int, home, inline bool) {
	at := spot{home: home}
	if e != nil {
		at.shift = col - lines.Column(p.Source, e.start)
	}
	if e != nil && p.isClean(kv[1]) && p.OriginOf(kv[1]) == e.value && (kv[0] == nil || p.isClean(kv[0])) {
		switch {
		case inline:
			p.copyRest(e, e.start, at)
		case e.ownLine:
			p.copyRest(e, e.lead, at)
		default:
			p.spaces(col)
			p.copyRest(e, e.start, at)
		}
		return
	}
	if !inline {
		if e != nil && e.ownLine {
			p.copySource(e.lead, lines.Start(p.Source, e.start), at)
		}
		p.commentLines(p.replaced(kv, e), col)
		if kv[0] == nil && p.isBlock(kv[1]) && p.startsInline(kv, e) {
			p.aboveInline(kv[1], col)
		}
		if e != nil && e.ownLine {
			p.copySource(lines.Start(p.Source, e.start), e.start, at)
		} else {
			p.spaces(col)
		}
	}
	switch {
	case kv[0] == nil && e != nil:
		p.copySource(e.start, e.start+1, at)
	case kv[0] == nil:
		p.text("-")
	default:
		p.key(kv, e, at)
	}
	p.value(kv, e, col, at)
}

// key prints the key of an entry. A question mark before it stays where the colon on a later line does. The key of a new mapping may stand
// for the item that the mapping takes the place of: the comments of that are the entry's.
func (p *printer) key(kv [2]*yaml.Node, e *element, at spot) {
	if e != nil && e.key == nil {
		e = nil
	}
	asked := e != nil && e.start < e.key.Start
	stays := e != nil && (p.OriginOf(kv[1]) == e.value && p.isClean(kv[1]) || p.inPlace(kv[1], e))
	if asked && stays {
		p.copySource(e.start, e.key.Start, at)
	}
	if e != nil && p.isClean(kv[0]) && (stays || !asked) {
		p.copySource(e.key.Start, e.key.End, at)
		return
	}
	p.text(scalarText(kv[0], p.style.json))
}

// inPlace reports whether a value is the one that its entry had when it was read, perhaps changed inside but of the same
// form, so that the text between key and value can stay.
func (p *printer) inPlace(v *yaml.Node, e *element) bool {
	if e == nil || p.OriginOf(v) != e.value {
		return false
	}
	w := e.value.Node
	return p.isFlow(v) == p.isFlow(w) && p.isBlock(v) == isBlock(w) && v.Anchor == w.Anchor &&
		(p.blocks[e.value] != nil || !p.isBlock(v)) && !(v.Kind == yaml.ScalarNode && (isBlockScalar(w) || v.Style&yaml.TaggedStyle != 0))
}

// replaced returns the comments inside an entry whose value has been replaced. The one on the line of its key is left
// out where it can stay there: not after a dash that is followed by a block.
func (p *printer) replaced(kv [2]*yaml.Node, e *element) []lines.Span {
	if e == nil || p.isClean(kv[1]) && p.OriginOf(kv[1]) == e.value || p.inPlace(kv[1], e) {
		return nil
	}
	found := p.orphans(e.indicatorEnd(), e.end, e.value)
	if p.isBlock(kv[1]) && p.continues(kv) {
		return found
	}
	if c, ok := p.commentBeside(e); ok {
		found = slices.DeleteFunc(found, func(s lines.Span) bool { return s == c })
	}
	return found
}

// commentBeside finds the comment on the line of an element's key or dash.
func (p *printer) commentBeside(e *element) (lines.Span, bool) {
	end := lines.End(p.Source, e.indicatorEnd())
	i, _ := slices.BinarySearchFunc(p.Comments, e.indicatorEnd(), func(s lines.Span, at int) int { return s.Start - at })
	if i < len(p.Comments) && p.Comments[i].Start < end {
		if p.originCovers(e.value, p.Comments[i].Start) {
			return lines.Span{}, false // it belongs to an entry on the same line, `- a: b # c`, or is in brackets
		}
		return p.Comments[i], true
	}
	return lines.Span{}, false
}

func (p *printer) originCovers(o *manifest.Origin, at int) bool {
	return p.blocks[o] != nil && !p.elements(o)[0].ownLine && p.elements(o)[0].start < at ||
		p.blocks[o] == nil && p.kept[o] && o.Content < at && at < o.End
}

// startsInline reports whether a block after a dash starts on the dash's line.
func (p *printer) startsInline(kv [2]*yaml.Node, e *element) bool {
	if p.inPlace(kv[1], e) {
		return !p.elements(e.value)[0].ownLine
	}
	return true
}
