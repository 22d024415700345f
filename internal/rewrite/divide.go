package rewrite

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
)

// divide returns every block collection below the root its elements. Text that it cannot assign makes it fail, so that
// no byte is ever without an owner.
func (s *source) divide() error {
	if !isBlock(s.Root.Node) {
		return nil
	}
	lead := s.Start
	for at := s.Start; at < s.Root.Start; at = lines.End(s.Source, at) {
		if lines.IsMarker(s.Source[at:lines.End(s.Source, at)], "---") {
			lead = lines.End(s.Source, at)
			lead += lines.MarkWidth(s.Source[lead:])
		}
	}
	end := s.End
	for at := max(s.Root.End, lead); at < s.End; at = lines.End(s.Source, at) {
		if lines.Begins(s.Source, at) && lines.IsMarker(s.Source[at:s.End], "...") {
			end = at
			break
		}
	}
	return s.divideBlock(s.Root, s.behindProperties(s.Root, lead), end)
}

// behindProperties is the end of the line on which the anchor and tag of a collection end, but not before an offset.
func (s *source) behindProperties(o *manifest.Origin, from int) int {
	if o.Properties == o.Start {
		return from
	}
	return max(from, lines.End(s.Source, o.Properties))
}

// divideBlock divides a block and those in it. Its text begins at lead, after that of the key or dash before it, and ends
// at a limit.
func (s *source) divideBlock(o *manifest.Origin, lead, limit int) error {
	b := &block{elements: elementsOf(o), last: limit}
	s.blocks[o] = b
	after := lead // the last line of the element before
	for i := range b.elements {
		e := &b.elements[i]
		if err := s.locate(e, o, after, limit); err != nil {
			return err
		}
		after = lines.End(s.Source, e.value.End)
	}
	for i := range b.elements {
		next := limit
		if i+1 < len(b.elements) {
			next = lines.Start(s.Source, b.elements[i+1].start)
		}
		if err := s.bound(&b.elements[i], o, lead, next); err != nil {
			return err
		}
		lead = b.elements[i].end
	}
	if !s.onlyComments(lead, limit) {
		return odd(o, "text behind a collection that is no comment")
	}
	return nil
}

// locate finds where an element of a block and its indicator begin, which is after an offset and before a limit.
func (s *source) locate(e *element, o *manifest.Origin, after, limit int) error {
	switch {
	case e.key != nil:
		e.start = s.questionMark(e.key)
	case e.index == 0:
		e.start = o.Content
	default:
		e.start = s.skipLead(after)
	}
	col := s.Column(o)
	if e.start >= limit || lines.Column(s.Source, e.start) != col || e.key == nil && s.Source[e.start] != '-' {
		return odd(e.value, "an entry that is not where its siblings are")
	}
	if !s.findMark(e, col) {
		return odd(e.key, "a key that is a collection, or has no colon")
	}
	e.ownLine = len(bytes.Trim(s.Source[lines.Start(s.Source, e.start):e.start], " ")) == 0
	if !e.ownLine && e.index > 0 {
		return odd(e.value, "an entry on the line of the one before")
	}
	return nil
}

// bound finds the lines that belong to an element of a block, from lead on and before the next one, and divides its value.
func (s *source) bound(e *element, o *manifest.Origin, lead, next int) error {
	e.lead = lead
	e.end = s.ownComments(lines.End(s.Source, e.value.End), next, s.Column(o))
	if !e.ownLine {
		e.lead = e.start
	} else if !s.onlyComments(e.lead, lines.Start(s.Source, e.start)) {
		return odd(e.value, "text in front of an entry that is no comment")
	}
	if !isBlock(e.value.Node) {
		return nil
	}
	inner := s.behindProperties(e.value, lines.End(s.Source, e.mark))
	if lines.Start(s.Source, e.value.Content) <= e.mark {
		inner = e.value.Content
		if e.key != nil || e.value.Content != e.value.Start {
			return odd(e.value, "a block on the line of its key")
		}
	}
	return s.divideBlock(e.value, inner, e.end)
}

// questionMark is where an entry begins whose key is written as `? key`: at the question mark. Without one, it is where
// its key begins.
func (s *source) questionMark(key *manifest.Origin) int {
	before := bytes.TrimRight(s.Source[lines.Start(s.Source, key.Start):key.Start], " ")
	last := len(before) - 1
	if last < 0 || before[last] != '?' || last > 0 && before[last-1] != ' ' || last == lines.Column(s.Source, key.Start)-1 {
		return key.Start
	}
	return lines.Start(s.Source, key.Start) + last
}

// findMark sets an element's mark. The colon follows the key, or, after a question mark, begins a later line.
func (s *source) findMark(e *element, col int) bool {
	if e.key == nil {
		e.mark = e.start
		return true
	}
	if isBlock(e.key.Node) {
		return false
	}
	e.mark = e.key.End + len(s.Source[e.key.End:]) - len(bytes.TrimLeft(s.Source[e.key.End:], " \t"))
	if e.start < e.key.Start && (e.mark >= len(s.Source) || s.Source[e.mark] != ':') {
		e.mark = s.skipLead(lines.End(s.Source, e.mark))
		if e.mark >= len(s.Source) || lines.Column(s.Source, e.mark) != col {
			return false
		}
	}
	return e.mark < len(s.Source) && s.Source[e.mark] == ':'
}

// skipLead passes over blank lines and comment lines, and over the spaces after them.
func (s *source) skipLead(at int) int {
	for at < len(s.Source) && lines.IsBlankOrComment(lines.Text(s.Source[at:])) {
		at = lines.End(s.Source, at)
	}
	for at < len(s.Source) && s.Source[at] == ' ' {
		at++
	}
	return at
}

func (s *source) onlyComments(from, to int) bool {
	for at := from; at < to; at = lines.End(s.Source, at) {
		if !lines.IsBlankOrComment(s.Source[at:min(lines.End(s.Source, at), to)]) {
			return false
		}
	}
	return true
}

// ownComments extends an element that ends at from over the comment lines after it that are indented deeper than
// column col, with the blank lines between them.
func (s *source) ownComments(from, to, col int) int {
	end := from
	for at := from; at < to; at = lines.End(s.Source, at) {
		text := lines.Text(s.Source[at:])
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if indent <= col {
			break
		}
		end = lines.End(s.Source, at)
	}
	return end
}

func odd(o *manifest.Origin, what string) error {
	return &manifest.OddForm{Line: o.Node.Line, What: what}
}
