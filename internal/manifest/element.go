package manifest

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An element is an entry of a mapping or an item of a sequence as it was read, with the lines that belong to it.
type element struct {
	key   *origin // nil in a sequence
	value *origin
	index int // among its siblings
	// lead is where its own lines start: the comments and blank lines in front of it. start is its key, or its dash.
	// end is behind its last line, comments included that are indented deeper than it.
	lead, start, end int
	ownLine          bool // nothing but spaces stands in front of it
}

// id is the node by which an element is recognised in a changed tree.
func (e *element) id() *origin {
	if e.key != nil {
		return e.key
	}
	return e.value
}

// isBlock says whether a node is written as a block: one entry a line, told apart by indentation.
func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// column is where the entries of a block collection start, in bytes from the start of the line.
func (l *layout) column(o *origin) int { return column(l.src, o.content) }

// divide gives every block collection below the root its elements. Text that it cannot assign makes it fail, so that
// no byte is ever without an owner.
func (l *layout) divide(d *Document) error {
	if !l.divided {
		l.divided, l.divideErr = true, l.divideRoot(d)
	}
	return l.divideErr
}

func (l *layout) divideRoot(d *Document) error {
	if l.root == nil || !isBlock(l.root.node) {
		return nil
	}
	lead := d.Start
	for at := d.Start; at < l.root.start; at = lineEnd(l.src, at) {
		if isMarker(l.src[at:lineEnd(l.src, at)], "---") {
			lead = lineEnd(l.src, at)
		}
	}
	end := d.End
	for at := max(l.root.end, lead); at < d.End; at = lineEnd(l.src, at) {
		if beginsLine(l.src, at) && isMarker(l.src[at:d.End], "...") {
			end = at
			break
		}
	}
	return l.divideBlock(l.root, lead, end)
}

func (l *layout) divideBlock(o *origin, lead, limit int) error {
	col := l.column(o)
	o.last = limit
	step := 1
	if o.node.Kind == yaml.MappingNode {
		step = 2
	}
	count := len(o.children) / step
	o.elements = make([]element, count)
	core := lead // end of the last line of the element before
	for i := range o.elements {
		e := &o.elements[i]
		e.index, e.value = i, o.children[i*step+step-1]
		if step == 2 {
			e.key = o.children[i*step]
			e.start = e.key.start
		} else if e.start = o.content; i > 0 {
			e.start = l.skipLead(core)
		}
		if e.start >= limit || column(l.src, e.start) != col || step == 1 && l.src[e.start] != '-' {
			return l.odd(e.value, "entry not where its siblings are")
		}
		if e.key != nil && (isBlock(e.key.node) || !l.colonFollows(e)) {
			return l.odd(e.key, "complex key")
		}
		e.ownLine = len(bytes.Trim(l.src[lineStart(l.src, e.start):e.start], " ")) == 0
		if !e.ownLine && i > 0 {
			return l.odd(e.value, "entry not on a line of its own")
		}
		core = lineEnd(l.src, e.value.end)
		if core > limit {
			return l.odd(e.value, "entry shares its last line")
		}
	}
	for i := range o.elements {
		e := &o.elements[i]
		next := limit
		if i+1 < count {
			next = lineStart(l.src, o.elements[i+1].start)
		}
		e.lead = lead
		e.end = l.ownComments(lineEnd(l.src, e.value.end), next, col)
		lead = e.end
		if !e.ownLine {
			e.lead = e.start
		} else if !l.onlyComments(e.lead, lineStart(l.src, e.start)) {
			return l.odd(e.value, "text in front of it that is no comment")
		}
		if !isBlock(e.value.node) {
			continue
		}
		inner := lineEnd(l.src, e.indicatorEnd())
		if lineStart(l.src, e.value.children[0].start) == lineStart(l.src, e.start) {
			inner = e.value.content
			if e.key != nil || e.value.content != e.value.start {
				return l.odd(e.value, "block on the line of its key")
			}
		} else if e.value.content != e.value.start && e.value.start >= inner {
			return l.odd(e.value, "anchor or tag on a line of its own")
		}
		if err := l.divideBlock(e.value, inner, e.end); err != nil {
			return err
		}
	}
	if !l.onlyComments(lead, limit) {
		return l.odd(o, "text behind it that is no comment")
	}
	return nil
}

// indicatorEnd is behind the key, or behind the dash.
func (e *element) indicatorEnd() int {
	if e.key != nil {
		return e.key.end
	}
	return e.start + 1
}

func (l *layout) colonFollows(e *element) bool {
	rest := bytes.TrimLeft(lineText(l.src[e.key.end:]), " \t")
	return len(rest) > 0 && rest[0] == ':'
}

// skipLead passes over blank lines and comment lines, and over the spaces in front of what follows.
func (l *layout) skipLead(at int) int {
	for at < len(l.src) && isBlankOrComment(lineText(l.src[at:])) {
		at = lineEnd(l.src, at)
	}
	for at < len(l.src) && l.src[at] == ' ' {
		at++
	}
	return at
}

func (l *layout) onlyComments(from, to int) bool {
	for at := from; at < to; at = lineEnd(l.src, at) {
		if !isBlankOrComment(l.src[at:min(lineEnd(l.src, at), to)]) {
			return false
		}
	}
	return true
}

// ownComments extends an element that ends at from over the comment lines behind it that are indented deeper than
// column col, with the blank lines between them.
func (l *layout) ownComments(from, to, col int) int {
	end := from
	for at := from; at < to; at = lineEnd(l.src, at) {
		text := lineText(l.src[at:])
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if indent <= col {
			break
		}
		end = lineEnd(l.src, at)
	}
	return end
}

func (l *layout) odd(o *origin, what string) error {
	return fmt.Errorf("line %d: %s", o.node.Line, what)
}
