package manifest

import (
	"bytes"
	"slices"
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

// flowParts are the places of a flow collection's entries in the source.
type flowParts struct {
	ids                 []*origin
	leads, starts, ends []int // lead: behind the comma or bracket in front
	close               int   // behind the last entry, or its comma
	trailingComma       bool
	lines               bool // one entry a line
	indent              int
	space               string // a space or a tab
}

func (p *printer) flowParts(o *origin) flowParts {
	f := flowParts{space: " "}
	lead := o.content + 1
	step := 1
	if o.node.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(o.children); i += step {
		first, last := o.children[i], o.children[i+step-1]
		f.ids = append(f.ids, first)
		f.leads, f.starts, f.ends = append(f.leads, lead), append(f.starts, first.start), append(f.ends, max(first.end, last.end))
		lead = p.behindComma(f.ends[len(f.ends)-1], o.end)
	}
	last := f.ends[len(f.ends)-1]
	f.close, f.trailingComma = last, lead > last
	if f.trailingComma {
		f.close = lead
	}
	f.lines = bytes.IndexByte(p.src[f.leads[0]:f.starts[0]], '\n') >= 0
	if f.lines {
		f.indent = indentation(p.src, f.starts[0])
		if p.src[lineStart(p.src, f.starts[0])] == '\t' {
			f.space = "\t"
		}
	}
	return f
}

// behindComma is the offset behind the comma that follows, or at itself when a bracket follows.
func (p *printer) behindComma(at, limit int) int {
	for i := at; i < limit; i++ {
		switch c := p.src[i]; {
		case c == ',':
			return i + 1
		case c == '#' && isSpace(p.src[i-1]):
			i += len(lineText(p.src[i:]))
		case !isSpace(c) && c != ':':
			return at
		}
	}
	return at
}

// lost gives the comments of the entries from..to of the source that are gone.
func (f *flowParts) lost(p *printer, from, to int) []span {
	var found []span
	for ; from < to; from++ {
		if !p.used[f.ids[from]] {
			found = append(found, p.commentsIn(f.leads[from], f.ends[from])...)
		}
	}
	return found
}

// commentsIn gives the comments in a range of the source.
func (p *printer) commentsIn(from, to int) []span {
	return slices.DeleteFunc(p.trivia(from, to), func(s span) bool { return s.start == s.end })
}

// flowLead gives the comments in front of an entry that stood in another flow collection.
func (p *printer) flowLead(kv [2]*yaml.Node) []span {
	o := p.originOf(identity(kv))
	if o == nil || o.parent == nil || o.parent.node.Style&yaml.FlowStyle == 0 {
		return nil
	}
	f := p.flowParts(o.parent)
	i := slices.Index(f.ids, o)
	if i < 0 {
		return nil
	}
	return p.commentsIn(f.leads[i], f.starts[i])
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

// keptFlow gives for every entry the index of the source's entry that it is, -1 when it was not in this collection
// or when the order has changed.
func (p *printer) keptFlow(o *origin, all [][2]*yaml.Node) []int {
	indexes := make([]int, len(all))
	for i, kv := range all {
		indexes[i] = -1
		if w := p.originOf(identity(kv)); w != nil && w.parent == o {
			indexes[i] = w.index
			if kv[0] != nil {
				indexes[i] /= 2
				if w.index%2 == 1 {
					indexes[i] = -1
				}
			}
		}
	}
	kept := make([]int, len(all))
	for i := range kept {
		kept[i] = -1
	}
	for _, i := range longestIncreasing(indexes) {
		kept[i] = indexes[i]
	}
	return kept
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
