package manifest

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// flow prints a collection in flow style: in brackets, with commas.
func (p *printer) flow(n *yaml.Node, at spot) {
	o := p.originOf(n)
	if o == nil || o.node.Style&yaml.FlowStyle == 0 || len(o.children) == 0 {
		lines := false
		indent := 0
		if p.style.json && p.style.step > 0 && len(n.Content) > 0 {
			lines, indent = true, p.currentIndent()
		}
		p.freshFlow(n, lines, indent)
		return
	}
	p.copySource(o.start, o.content+1, at)
	f := p.flowParts(o)
	all := entries(n)
	kept := p.keptFlow(o, all)
	passed := 0
	for i, kv := range all {
		var lost []span
		if kept[i] >= 0 {
			lost = f.lost(p, passed, kept[i])
			passed = kept[i] + 1
		}
		if kept[i] < 0 {
			lost = append(lost, p.flowLead(kv)...)
		}
		p.flowComments(lost, f.indent+at.shift)
		switch {
		case kept[i] >= 0 && (i == 0) == (kept[i] == 0):
			p.copySource(f.leads[kept[i]], f.starts[kept[i]], at)
		case f.lines:
			p.newline()
			p.text(strings.Repeat(f.space, f.indent+at.shift))
			if kept[i] >= 0 {
				p.keepLead(f, kept[i])
			}
		case i == 0:
			p.copySource(f.leads[0], f.starts[0], spot{shift: at.shift})
		default:
			p.text(p.gap())
		}
		p.flowEntry(kv, kept[i], o, f, at)
		if i+1 < len(all) || f.trailingComma {
			p.text(",")
		}
	}
	p.flowComments(f.lost(p, passed, len(f.starts)), f.indent+at.shift)
	if len(all) == 0 {
		p.text(string(p.src[o.end-1 : o.end]))
		return
	}
	p.copySource(f.close, o.end, at)
}

// gap separates two entries on one line.
func (p *printer) gap() string {
	if p.style.json && p.style.step == 0 && !p.style.spaced {
		return ""
	}
	return " "
}

func (p *printer) flowComments(comments []span, indent int) {
	for _, c := range comments {
		p.newline()
		p.spaces(indent)
		p.text(string(p.src[c.start:c.end]))
	}
}

// keepLead prints the comments in front of a kept entry whose own line start had to be made anew.
func (p *printer) keepLead(f flowParts, i int) {
	for _, c := range p.trivia(f.leads[i], f.starts[i]) {
		if c.start < c.end {
			p.text(string(p.src[c.start:c.end]))
			p.text(p.style.eol + strings.Repeat(f.space, f.indent))
		}
	}
}

// flowEntry prints the key and value of an entry of a flow collection.
func (p *printer) flowEntry(kv [2]*yaml.Node, kept int, o *origin, f flowParts, at spot) {
	k, v := kv[0], kv[1]
	ov := p.originOf(v)
	if kept >= 0 && (k == nil || p.isClean(k)) && p.isClean(v) && ov != nil && ov.parent == o {
		p.copySource(f.starts[kept], f.ends[kept], at)
		return
	}
	if kept >= 0 && k != nil && ov != nil && ov.parent == o && ov.index == 2*kept+1 && ov.start > f.starts[kept] {
		ok := o.children[2*kept]
		if p.isClean(k) {
			p.copySource(ok.start, ok.end, at)
		} else {
			p.text(scalarText(k, p.style.json))
		}
		p.copySource(ok.end, ov.start, at)
		p.flowValue(v, f, at)
		p.copySource(ov.end, f.ends[kept], at)
		return
	}
	if k != nil {
		p.text(scalarText(k, p.style.json) + p.colon())
	}
	p.flowValue(v, f, spot{shift: p.currentIndent() - p.indentOf(ov)})
}

func (p *printer) colon() string {
	if p.style.spaced {
		return ": "
	}
	return ":"
}

func (p *printer) indentOf(o *origin) int {
	if o == nil {
		return p.currentIndent()
	}
	return indentation(p.src, o.start)
}

// flowValue prints a value inside a flow collection.
func (p *printer) flowValue(v *yaml.Node, f flowParts, at spot) {
	o := p.originOf(v)
	switch {
	case o != nil && p.isClean(v) && !isBlock(o.node) && !isBlockScalar(v):
		p.copySource(o.start, o.end, at)
	case v.Kind == yaml.ScalarNode || v.Kind == yaml.AliasNode:
		p.text(scalarText(v, p.style.quoteAll))
	case o != nil && o.node.Style&yaml.FlowStyle != 0 && len(o.children) > 0:
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
	p.text(open)
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
		if kv[0] != nil {
			p.text(scalarText(kv[0], p.style.json) + p.colon())
		}
		v := kv[1]
		o := p.originOf(v)
		switch {
		case v.Kind == yaml.ScalarNode || v.Kind == yaml.AliasNode:
			p.text(scalarText(v, p.style.quoteAll))
		case o != nil && o.node.Style&yaml.FlowStyle != 0 && len(o.children) > 0:
			p.flow(v, spot{shift: indent + len(unit) - indentation(p.src, o.start)})
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
	if p.root != nil && len(p.root.children) > 0 {
		if first := p.root.children[0].start; p.src[lineStart(p.src, first)] == '\t' {
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
			text = p.src[last.start:last.end]
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
