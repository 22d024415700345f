package rewrite

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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

func (s *source) divideBlock(o *manifest.Origin, lead, limit int) error {
	col := s.Column(o)
	step := 1
	if o.Node.Kind == yaml.MappingNode {
		step = 2
	}
	count := len(o.Children) / step
	b := &block{elements: make([]element, count), last: limit}
	s.blocks[o] = b
	core := lead // end of the last line of the element before
	for i := range b.elements {
		e := &b.elements[i]
		e.index, e.value = i, o.Children[i*step+step-1]
		if step == 2 {
			e.key = o.Children[i*step]
			e.start = s.questionMark(e.key)
		} else if e.start = o.Content; i > 0 {
			e.start = s.skipLead(core)
		}
		if e.start >= limit || lines.Column(s.Source, e.start) != col || step == 1 && s.Source[e.start] != '-' {
			return odd(e.value, "an entry that is not where its siblings are")
		}
		if !s.findMark(e, col) {
			return odd(e.key, "a key that is a collection, or has no colon")
		}
		e.ownLine = len(bytes.Trim(s.Source[lines.Start(s.Source, e.start):e.start], " ")) == 0
		if !e.ownLine && i > 0 {
			return odd(e.value, "an entry on the line of the one before")
		}
		core = lines.End(s.Source, e.value.End)
		if core > limit {
			return odd(e.value, "an entry whose last line goes on")
		}
	}
	for i := range b.elements {
		e := &b.elements[i]
		next := limit
		if i+1 < count {
			next = lines.Start(s.Source, b.elements[i+1].start)
		}
		e.lead = lead
		e.end = s.ownComments(lines.End(s.Source, e.value.End), next, col)
		lead = e.end
		if !e.ownLine {
			e.lead = e.start
		} else if !s.onlyComments(e.lead, lines.Start(s.Source, e.start)) {
			return odd(e.value, "text in front of an entry that is no comment")
		}
		if !isBlock(e.value.Node) {
			continue
		}
		inner := s.behindProperties(e.value, lines.End(s.Source, e.mark))
		if lines.Start(s.Source, e.value.Content) <= e.mark {
			inner = e.value.Content
			if e.key != nil || e.value.Content != e.value.Start {
				return odd(e.value, "a block on the line of its key")
			}
		}
		if err := s.divideBlock(e.value, inner, e.end); err != nil {
			return err
		}
	}
	if !s.onlyComments(lead, limit) {
		return odd(o, "text behind a collection that is no comment")
	}
	return nil
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
