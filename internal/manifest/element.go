package manifest

import (
	"bytes"
	"fmt"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An element is an entry of a mapping or an item of a sequence as it was read, with the lines that belong to it.
type element struct {
	key   *origin // nil in a sequence
	value *origin
	index int // among its siblings
	// lead is where its own lines start: the comments and blank lines in front of it. start is its key, the question
	// mark in front of that, or its dash. mark is the colon, or the dash. end is behind its last line, comments included
	// that are indented deeper than it.
	lead, start, mark, end int
	ownLine                bool // nothing but spaces stands in front of it
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
func (l *layout) column(o *origin) int { return lines.Column(l.src, o.content) }

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
	for at := d.Start; at < l.root.start; at = lines.End(l.src, at) {
		if lines.IsMarker(l.src[at:lines.End(l.src, at)], "---") {
			lead = lines.End(l.src, at)
			lead += lines.MarkWidth(l.src[lead:])
		}
	}
	end := d.End
	for at := max(l.root.end, lead); at < d.End; at = lines.End(l.src, at) {
		if lines.Begins(l.src, at) && lines.IsMarker(l.src[at:d.End], "...") {
			end = at
			break
		}
	}
	return l.divideBlock(l.root, l.behindProperties(l.root, lead), end)
}

// behindProperties is the end of the line on which the anchor and tag of a collection end, but not before an offset.
func (l *layout) behindProperties(o *origin, from int) int {
	if o.properties == o.start {
		return from
	}
	return max(from, lines.End(l.src, o.properties))
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
			e.start = l.questionMark(e.key)
		} else if e.start = o.content; i > 0 {
			e.start = l.skipLead(core)
		}
		if e.start >= limit || lines.Column(l.src, e.start) != col || step == 1 && l.src[e.start] != '-' {
			return l.odd(e.value, "an entry that is not where its siblings are")
		}
		if !l.findMark(e, col) {
			return l.odd(e.key, "a key that is a collection, or has no colon")
		}
		e.ownLine = len(bytes.Trim(l.src[lines.Start(l.src, e.start):e.start], " ")) == 0
		if !e.ownLine && i > 0 {
			return l.odd(e.value, "an entry on the line of the one before")
		}
		core = lines.End(l.src, e.value.end)
		if core > limit {
			return l.odd(e.value, "an entry whose last line goes on")
		}
	}
	for i := range o.elements {
		e := &o.elements[i]
		next := limit
		if i+1 < count {
			next = lines.Start(l.src, o.elements[i+1].start)
		}
		e.lead = lead
		e.end = l.ownComments(lines.End(l.src, e.value.end), next, col)
		lead = e.end
		if !e.ownLine {
			e.lead = e.start
		} else if !l.onlyComments(e.lead, lines.Start(l.src, e.start)) {
			return l.odd(e.value, "text in front of an entry that is no comment")
		}
		if !isBlock(e.value.node) {
			continue
		}
		inner := l.behindProperties(e.value, lines.End(l.src, e.mark))
		if lines.Start(l.src, e.value.content) <= e.mark {
			inner = e.value.content
			if e.key != nil || e.value.content != e.value.start {
				return l.odd(e.value, "a block on the line of its key")
			}
		}
		if err := l.divideBlock(e.value, inner, e.end); err != nil {
			return err
		}
	}
	if !l.onlyComments(lead, limit) {
		return l.odd(o, "text behind a collection that is no comment")
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

// questionMark is where an entry begins whose key is written as `? key`: at the question mark. Without one, it is where
// its key begins.
func (l *layout) questionMark(key *origin) int {
	before := bytes.TrimRight(l.src[lines.Start(l.src, key.start):key.start], " ")
	last := len(before) - 1
	if last < 0 || before[last] != '?' || last > 0 && before[last-1] != ' ' || last == lines.Column(l.src, key.start)-1 {
		return key.start
	}
	return lines.Start(l.src, key.start) + last
}

// findMark sets an element's mark. The colon stands behind the key, or, where a question mark stands in front of it, at
// the start of a later line.
func (l *layout) findMark(e *element, col int) bool {
	if e.key == nil {
		e.mark = e.start
		return true
	}
	if isBlock(e.key.node) {
		return false
	}
	e.mark = e.key.end + len(l.src[e.key.end:]) - len(bytes.TrimLeft(l.src[e.key.end:], " \t"))
	if e.start < e.key.start && (e.mark >= len(l.src) || l.src[e.mark] != ':') {
		e.mark = l.skipLead(lines.End(l.src, e.mark))
		if e.mark >= len(l.src) || lines.Column(l.src, e.mark) != col {
			return false
		}
	}
	return e.mark < len(l.src) && l.src[e.mark] == ':'
}

// skipLead passes over blank lines and comment lines, and over the spaces in front of what follows.
func (l *layout) skipLead(at int) int {
	for at < len(l.src) && lines.IsBlankOrComment(lines.Text(l.src[at:])) {
		at = lines.End(l.src, at)
	}
	for at < len(l.src) && l.src[at] == ' ' {
		at++
	}
	return at
}

func (l *layout) onlyComments(from, to int) bool {
	for at := from; at < to; at = lines.End(l.src, at) {
		if !lines.IsBlankOrComment(l.src[at:min(lines.End(l.src, at), to)]) {
			return false
		}
	}
	return true
}

// ownComments extends an element that ends at from over the comment lines behind it that are indented deeper than
// column col, with the blank lines between them.
func (l *layout) ownComments(from, to, col int) int {
	end := from
	for at := from; at < to; at = lines.End(l.src, at) {
		text := lines.Text(l.src[at:])
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if indent <= col {
			break
		}
		end = lines.End(l.src, at)
	}
	return end
}

// An oddForm is something that the lossless writer does not know how to change.
type oddForm struct {
	line int
	what string
}

func (e *oddForm) Error() string { return fmt.Sprintf("line %d has %s", e.line, e.what) }

func (l *layout) odd(o *origin, what string) error { return &oddForm{o.node.Line, what} }
