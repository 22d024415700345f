package rewrite

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// value prints everything of an entry after its key or dash.
func (p *printer) value(kv [2]*yaml.Node, e *element, col int, at spot) {
	v := kv[1]
	if e != nil && p.OriginOf(v) == e.value && p.isClean(v) {
		p.copyRest(e, e.indicatorEnd(), at)
		return
	}
	if p.inPlace(v, e) {
		o := e.value
		switch {
		case p.isBlock(v) && p.elements(o)[0].ownLine:
			p.copySource(e.indicatorEnd(), p.elements(o)[0].lead, at)
			p.block(v, p.Column(o)+at.shift, at.home, false)
		case p.isBlock(v):
			p.copySource(e.indicatorEnd(), o.Content, at)
			p.block(v, p.Column(o)+at.shift, at.home, true)
		case len(o.Children) > 0 || len(v.Content) > 0:
			p.copySource(e.indicatorEnd(), o.Start, at)
			p.flow(v, at)
			p.copySource(o.End, e.end, at)
		default:
			p.copySource(e.indicatorEnd(), o.Start, at)
			if o.Start == o.End {
				p.text(" ") // nothing was written there
			}
			p.text(scalarText(v, false))
			p.copySource(o.End, e.end, at)
		}
		return
	}
	if kv[0] != nil {
		p.text(":")
	}
	besides := func() {}
	if e != nil {
		if c, ok := p.commentBeside(e); ok {
			before := len(bytes.TrimRight(p.Source[:c.Start], " \t"))
			besides = func() { p.text(string(p.Source[before:c.End])) }
		}
	}
	if p.isBlock(v) {
		if v.Anchor != "" {
			p.text(" &" + v.Anchor)
		}
		if p.continues(kv) {
			p.text(" ")
			p.block(v, col+2, false, true)
			return
		}
		besides()
		p.newline()
		p.block(v, p.columnBelow(kv, col), false, false)
		return
	}
	p.loose(v, col)
	besides()
	p.newline()
	if o := p.OriginOf(v); o != nil {
		p.endText(o)
	}
}

// continues reports whether a new block begins on the line of the dash before it.
func (p *printer) continues(kv [2]*yaml.Node) bool { return kv[0] == nil && kv[1].Anchor == "" }

// columnBelow returns the column for the entries of a block that is new below a key at column col, or has moved there.
func (p *printer) columnBelow(kv [2]*yaml.Node, col int) int {
	v := kv[1]
	if o := p.OriginOf(v); p.blocks[o] != nil && o.Parent != nil && o.Parent.Node.Kind == yaml.MappingNode {
		return col + p.Column(o) - p.Column(o.Parent)
	}
	if v.Kind == yaml.SequenceNode && kv[0] != nil && !p.style.indentLists {
		return col
	}
	return col + p.style.step
}

// loose prints a value after its key or dash that is not a block: moved here with its own text, or new.
func (p *printer) loose(v *yaml.Node, col int) {
	o := p.OriginOf(v)
	switch {
	case o != nil && p.isClean(v) && v.Kind != yaml.AliasNode:
		if o.Start < o.End {
			p.text(" ")
		}
		from := p.Lines.Indentation(o.Start)
		if o.Parent != nil && p.blocks[o.Parent] != nil {
			from = p.Column(o.Parent)
		}
		p.copySource(o.Start, o.End, spot{shift: col - from})
		if isBlockScalar(v) && p.Source[o.End-1] == '\n' {
			p.text(p.style.eol) // its last line is an empty one that counts
		}
	case v.Kind == yaml.ScalarNode || v.Kind == yaml.AliasNode:
		p.text(" " + scalarText(v, false))
	default:
		p.text(" ")
		p.flow(v, spot{shift: 0})
	}
}
