package rewrite

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// flow prints a collection in flow style: in brackets, with commas.
func (p *printer) flow(n *yaml.Node, at spot) {
	o := p.OriginOf(n)
	if o == nil || o.Node.Style&yaml.FlowStyle == 0 || len(o.Children) == 0 || p.IsBarePair(o) {
		indent := 0
		if p.style.json { // only for its root, which was empty
			indent = p.currentIndent()
		}
		p.freshFlow(n, p.style.json, indent)
		return
	}
	defer p.asAround(o)()
	p.openFlow(n, o, at)
	f := p.flowParts(o)
	all := entries(n)
	kept := p.keptFlow(o, all)
	passed := 0
	for i, kv := range all {
		var above []lines.Span
		home := kept[i] >= 0 && (i == 0) == (kept[i] == 0)
		if kept[i] >= 0 {
			above = f.lost(p, o, passed, kept[i])
			passed = kept[i] + 1
		}
		switch {
		case kept[i] < 0:
			above = p.flowComments(kv)
		case !home:
			above = append(above, p.commentsIn(f.leads[kept[i]], f.starts[kept[i]])...)
		}
		above = append(above, p.replacedInFlow(kv, kept[i], o, f)...)
		p.linesInFlow(above, f, at)
		switch lead := f.lead(kept[i]); {
		case home && (!p.commented || bytes.IndexByte(p.Source[lead.Start:lead.End], '\n') >= 0):
			p.copySource(lead.Start, lead.End, at)
		case f.lines || p.commented:
			p.newline()
			p.text(strings.Repeat(f.space, f.indent+at.shift))
		case i == 0:
			p.copySource(f.leads[0], f.starts[0], spot{shift: at.shift})
		default:
			p.text(p.gap())
		}
		p.commented = false
		p.flowEntry(kv, kept[i], o, f, at)
		p.flowTail(f, kept[i], i+1 < len(all) || f.trailingComma(), at)
	}
	p.linesInFlow(f.lost(p, o, passed, len(f.starts)), f, at)
	closing := lines.Span{Start: f.close(), End: o.End}
	if len(all) == 0 {
		closing.Start = o.End - 1
	}
	if p.commented && bytes.IndexByte(p.Source[closing.Start:closing.End], '\n') < 0 {
		p.newline()
		p.text(strings.Repeat(f.space, p.Lines.Indentation(o.Start)+at.shift))
	}
	p.commented = false
	p.copySource(closing.Start, closing.End, at)
}

// openFlow prints the bracket that opens a collection of the source, and the anchor and tag that it has now: a copy has lost
// the anchor of its original.
func (p *printer) openFlow(n *yaml.Node, o *manifest.Origin, at spot) {
	if n.Anchor == o.Node.Anchor && n.ShortTag() == o.Node.ShortTag() {
		p.copySource(o.Start, o.Content, at)
	} else {
		p.text(propertiesText(n))
	}
	p.copySource(o.Content, o.Content+1, at)
}

// lead returns the text before an entry of the source.
func (f *flowParts) lead(i int) lines.Span {
	if i < 0 {
		return lines.Span{}
	}
	return lines.Span{Start: f.leads[i], End: f.starts[i]}
}

// flowTail prints the end of an entry: its comma, and the comment beside it.
func (p *printer) flowTail(f *flowParts, kept int, comma bool, at spot) {
	if kept < 0 {
		if comma {
			p.text(",")
		}
		return
	}
	end, was, next := f.ends[kept], f.commas[kept], f.nexts[kept]
	switch {
	case was < 0 && comma:
		p.text(",")
		p.copySource(end, next, at)
	case was < 0 || comma:
		p.copySource(end, next, at)
	default:
		if before := p.commentsIn(end, was); len(before) > 0 {
			p.copySource(end, before[len(before)-1].End, at)
			p.commented = true
		}
		if next > was+1 {
			p.breakBehindComment(f, at)
			p.copySource(was+1, next, at)
		}
	}
	p.commented = p.commented || len(p.commentsIn(max(end, was), next)) > 0
}

// breakBehindComment begins a line where a comment ends the one before.
func (p *printer) breakBehindComment(f *flowParts, at spot) {
	if p.commented {
		p.newline()
		p.text(strings.Repeat(f.space, f.indent+at.shift))
		p.commented = false
	}
}

// linesInFlow prints comments on lines of their own, and blank lines, where the next thing that is printed begins a line.
func (p *printer) linesInFlow(comments []lines.Span, f *flowParts, at spot) {
	for _, s := range comments {
		p.text(p.style.eol)
		if p.commented = s.Start < s.End; p.commented {
			p.text(strings.Repeat(f.space, f.indent+at.shift))
			p.text(string(p.Source[s.Start:s.End]))
		}
	}
}

// flowEntry prints the key and value of an entry of a flow collection.
func (p *printer) flowEntry(kv [2]*yaml.Node, kept int, o *manifest.Origin, f *flowParts, at spot) {
	k, v := kv[0], kv[1]
	ov := p.OriginOf(v)
	if kept >= 0 && (k == nil || p.isClean(k)) && p.isClean(v) && ov != nil && ov.Parent == o {
		p.copySource(f.starts[kept], f.ends[kept], at)
		return
	}
	if kept >= 0 && k != nil && ov != nil && ov.Parent == o && ov.Index == 2*kept+1 && ov.Start > f.starts[kept] {
		ok := o.Children[2*kept]
		if p.isClean(k) {
			p.copySource(ok.Start, ok.End, at)
		} else {
			p.text(scalarText(k, p.style.flow.quoteKeys))
		}
		p.copySource(ok.End, ov.Start, at)
		p.flowValue(v, f, at)
		p.copySource(ov.End, f.ends[kept], at)
		return
	}
	if k != nil {
		p.text(p.keyText(k))
	}
	p.flowValue(v, f, spot{shift: p.currentIndent() - p.indentOf(ov)})
}

func (p *printer) indentOf(o *manifest.Origin) int {
	if o == nil {
		return p.currentIndent()
	}
	return p.Lines.Indentation(o.Start)
}

// flowValue prints a value inside a flow collection.
func (p *printer) flowValue(v *yaml.Node, f *flowParts, at spot) {
	o := p.OriginOf(v)
	switch {
	case o != nil && p.isClean(v) && !isBlock(o.Node) && !isBlockScalar(v):
		p.copySource(o.Start, o.End, at)
	case v.Kind == yaml.ScalarNode || v.Kind == yaml.AliasNode:
		p.text(scalarText(v, p.style.flow.quoteAll))
	case o != nil && o.Node.Style&yaml.FlowStyle != 0 && len(o.Children) > 0:
		p.flow(v, at)
	default:
		p.freshFlow(v, f.lines, p.currentIndent())
	}
}

// freshFlow prints a new collection in flow style, one entry a line or all on one.
func (p *printer) freshFlow(n *yaml.Node, lines bool, indent int) {
	open, end := "{", "}"
	if n.Kind == yaml.SequenceNode {
		open, end = "[", "]"
	}
	p.text(propertiesText(n) + open)
	lines = lines && len(n.Content) > 0
	unit := strings.Repeat(p.indentUnit(), max(p.style.step, 1))
	base := strings.Repeat(p.indentUnit(), indent)
	all := entries(n)
	for i, kv := range all {
		if lines {
			p.text(p.style.eol + base + unit)
		} else if i > 0 {
			p.text(p.gap())
		}
		for _, c := range p.flowComments(kv) {
			p.text(string(p.Source[c.Start:c.End]) + p.style.eol + base + unit)
		}
		if kv[0] != nil {
			p.text(p.keyText(kv[0]))
		}
		v := kv[1]
		o := p.OriginOf(v)
		switch {
		case v.Kind == yaml.ScalarNode || v.Kind == yaml.AliasNode:
			p.text(scalarText(v, p.style.flow.quoteAll))
		case o != nil && o.Node.Style&yaml.FlowStyle != 0 && len(o.Children) > 0:
			p.flow(v, spot{shift: indent + len(unit) - p.Lines.Indentation(o.Start)})
		default:
			p.freshFlow(v, lines, indent+len(unit))
		}
		if i+1 < len(all) || lines && !p.style.json {
			p.text(",")
		}
	}
	if lines {
		p.text(p.style.eol + base)
	}
	p.text(end)
}

// indentUnit is a tab in JSON that is indented by tabs, otherwise a space.
func (p *printer) indentUnit() string {
	if p.Root != nil && len(p.Root.Children) > 0 {
		if first := p.Root.Children[0].Start; p.Source[p.Lines.LineStart(first)] == '\t' {
			return "\t"
		}
	}
	return " "
}

// currentIndent counts the white space at the start of the line that is being printed. It looks at every piece once: a
// document in flow style may be one line.
func (p *printer) currentIndent() int {
	for _, last := range p.out[p.seen:] {
		text := []byte(last.text)
		if last.copy {
			text = p.Source[last.Start:last.End]
		}
		if nl := bytes.LastIndexByte(text, '\n'); nl >= 0 {
			text, p.indent, p.indented = text[nl+1:], 0, false
		}
		if !p.indented {
			white := len(text) - len(bytes.TrimLeft(text, " \t"))
			p.indent += white
			p.indented = white < len(text)
		}
	}
	p.seen = len(p.out)
	return p.indent
}
