// Package pieces cuts a List, as kubectl prints one of thousands of objects, into manifests of a few items each that say the same:
// what is before the items and what is after them is in each. It only cuts where the text leaves no doubt.
//
// Read pieces.go first: what a list is cut into. scan.go collects the items; yaml.go and json.go find where these begin.
package pieces

import (
	"fmt"
	"io"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A List is a text that can be cut.
type List struct {
	Sections []Section

	head, tail []byte
	tailAt     lint.Part
	closing    string // between the items and the tail
}

// Find reads a text and finds where it can be cut. The error is a Doubt, or that of the reader.
func Find(from io.Reader, o Options) (*List, error) {
	s := newScanner(from, o)
	if s.startsJSON() {
		return s.list(s.json)
	}
	return s.list(s.yaml)
}

// Parts are where the parts of a piece are in the text.
func (l *List) Parts(i int) []lint.Part {
	s, tail := l.Sections[i], l.tailAt
	if len(l.tail) == 0 { // the end of the last item would be its place
		return []lint.Part{s.At}
	}
	tail.Offset = len(l.head) + int(s.End-s.Start) + len(l.closing)
	return []lint.Part{s.At, tail}
}

// Piece is a section with what is around it, and where its parts are in the text.
func (l *List) Piece(from io.ReaderAt, i int) (text []byte, parts []lint.Part, err error) {
	s := l.Sections[i]
	text = make([]byte, 0, len(l.head)+int(s.End-s.Start)+len(l.closing)+len(l.tail))
	text = append(text, l.head...)
	text = text[:len(l.head)+int(s.End-s.Start)]
	if _, err := from.ReadAt(text[len(l.head):], s.Start); err != nil {
		return nil, nil, fmt.Errorf("changed while it was read: %w", err)
	}
	text = append(text, l.closing...)
	return append(text, l.tail...), l.Parts(i), nil
}

// Lines are those of the items of a section, the first and one that is not after the last.
func (l *List) Lines(i int) (first, last int) {
	next := l.tailAt
	if i+1 < len(l.Sections) {
		next = l.Sections[i+1].At
	}
	return l.Sections[i].At.Line, max(l.Sections[i].At.Line, next.Line-1)
}

// list scans a text to its end.
func (s *scanner) list(scan func() error) (*List, error) {
	if err := scan(); err != nil {
		return nil, err
	}
	if why := s.odd(s.tail); why != "" {
		return nil, s.doubt("%s", why)
	}
	return &List{Sections: slices.Clip(s.sections), head: s.head, tail: s.tail, tailAt: s.tailAt, closing: s.closing}, nil
}
