package rewrite

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A printer writes a changed tree as ranges of the source and new text.
type printer struct {
	*source
	style      style
	used       map[*manifest.Origin]bool // elements of the source that are in the changed tree, in their place or elsewhere
	clean      map[*yaml.Node]bool
	moved      map[*manifest.Origin]bool // keys that are in another mapping than before
	merged     map[string]int            // comments left out since a twin has them; see twin
	opened     map[*yaml.Node]bool       // flow collections that have to become blocks, since they got a block inside
	kept       map[*manifest.Origin]bool // collections of the source that stay blocks, or in brackets, with the comments inside
	parts      map[*manifest.Origin]*flowParts
	flowStyles map[*manifest.Origin]flowStyle
	unended    unendedScalar
	ended      endedText
	out        []piece

	commented bool // in flow style: a comment was printed last, and nothing can follow it on its line
	seen      int  // how many pieces currentIndent has looked at
	indent    int  // of the line that they end with
	indented  bool // whether the line has text after its indentation
}

func newPrinter(s *source, root *yaml.Node) *printer {
	p := &printer{source: s, style: s.style, used: map[*manifest.Origin]bool{}, clean: map[*yaml.Node]bool{}, opened: map[*yaml.Node]bool{},
		moved: map[*manifest.Origin]bool{}, merged: map[string]int{}, kept: map[*manifest.Origin]bool{}, parts: map[*manifest.Origin]*flowParts{}, flowStyles: map[*manifest.Origin]flowStyle{}, unended: s.findUnended()}
	p.survey(root)
	return p
}

// survey learns what of the source is still there, and which flow collections cannot stay flow. It reports whether n is
// or holds a block of the source.
func (p *printer) survey(n *yaml.Node) bool {
	o := p.OriginOf(n)
	if o != nil {
		p.used[o] = true
	}
	hasBlock := false
	for _, c := range n.Content {
		if oc := p.OriginOf(c); oc != nil && oc.Parent != o {
			p.moved[oc] = true
		}
		hasBlock = p.survey(c) || hasBlock
	}
	if n.Style&yaml.FlowStyle != 0 && hasBlock {
		p.opened[n] = true
	}
	if o != nil && (p.blocks[o] != nil && p.isBlock(n) || o.Node.Style&yaml.FlowStyle != 0 && p.isFlow(n)) {
		p.kept[o] = true
	}
	return hasBlock || o != nil && isBlock(o.Node)
}

func (p *printer) isFlow(n *yaml.Node) bool {
	return p.style.json || n.Style&yaml.FlowStyle != 0 && !p.opened[n]
}

// isBlock reports whether a collection is printed as a block.
func (p *printer) isBlock(n *yaml.Node) bool {
	return p.opened[n] || !p.style.json && isBlock(n)
}

// isClean reports whether n and everything below it are unchanged.
func (p *printer) isClean(n *yaml.Node) bool {
	if len(n.Content) == 0 {
		return p.compare(n)
	}
	known, ok := p.clean[n]
	if !ok {
		known = p.compare(n)
		p.clean[n] = known
	}
	return known
}

func (p *printer) compare(n *yaml.Node) bool {
	o := p.OriginOf(n)
	if o == nil || len(n.Content) != len(o.Children) {
		return false
	}
	if w := o.Node; n.Value != w.Value || n.ShortTag() != w.ShortTag() || n.Anchor != w.Anchor || n.Style != w.Style {
		return false
	}
	for i, c := range n.Content {
		if p.OriginOf(c) != o.Children[i] || !p.isClean(c) {
			return false
		}
	}
	return true
}

// copyRest prints an entry of the source from an offset on.
func (p *printer) copyRest(e *element, from int, at spot) {
	p.copySource(from, e.end, at)
	last := lastIn(e.value)
	if lines.End(p.Source, last.End) == e.end && lines.Begins(p.Source, e.end) {
		p.endText(last)
	}
}

// A spot is where text goes: home when it is the place that it came from, otherwise shift columns to the right.
type spot struct {
	home  bool
	shift int
}

// copySource prints a range of the source. Lines that start inside the range are shifted.
func (p *printer) copySource(from, to int, at spot) {
	if from >= to {
		return
	}
	if mark := p.unended.mark; from < mark && mark < to {
		p.copySource(from, mark, at)
		p.out = append(p.out, piece{text: p.unended.chomps})
		indicator := len(p.out) - 1
		p.copySource(mark+len(p.unended.chomps), to, at)
		p.unended.copies = append(p.unended.copies, [2]int{indicator, len(p.out)})
		return
	}
	if at.home {
		p.add(piece{Span: lines.Span{Start: from, End: to}, copy: true})
		return
	}
	for from < to {
		end := from + lines.Length(p.Source[from:to])
		line := p.Source[from:end]
		if lines.Begins(p.Source, from) {
			line = indentBy(line, at.shift)
		}
		p.text(string(line))
		from = end
	}
}

// indentBy moves a line to the right, or to the left by at most its leading spaces. An empty line stays empty.
func indentBy(line []byte, by int) []byte {
	if len(bytes.TrimRight(line, "\r\n")) == 0 {
		return line
	}
	if by >= 0 {
		return append(bytes.Repeat([]byte(" "), by), line...)
	}
	spaces := len(line) - len(bytes.TrimLeft(line, " "))
	return line[min(-by, spaces):]
}

func (p *printer) text(s string) {
	if s != "" {
		p.add(piece{text: s})
	}
}

func (p *printer) spaces(n int) { p.text(strings.Repeat(" ", n)) }

// newline ends the line, unless it has just been ended or nothing was printed.
func (p *printer) newline() {
	if len(p.out) == 0 {
		return
	}
	last := p.out[len(p.out)-1]
	if last.copy && lines.Begins(p.Source, last.End) || !last.copy && strings.HasSuffix(last.text, "\n") {
		return
	}
	p.text(p.style.eol)
}
