package pieces

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// oddBreaks is why a text in YAML is not cut that has line ends which only YAML knows: a line of the list may begin behind one.
const oddBreaks = "there is a line end below here that only YAML knows"

// notUTF8 is why a text is not cut that is rejected as a whole, at the byte that is wrong.
const notUTF8 = "there is text below here that is not UTF-8"

// maxAround bounds what is before the items, and what is after them: kubectl prints a few lines.
const maxAround = 16 << 10

// A Section are some items that follow each other.
type Section struct {
	Start, End int64     // in the text
	At         lint.Part // in a piece
	Items      int
}

// Options are how a text is read.
type Options struct {
	Size int // of a section, in bytes, at least; 0 for 256 KiB
	Max  int // of a section, and so of an item; 0 for no bound
	// Look is shown each section, after what is before the items, and may say why the text is not to be cut; "" otherwise.
	Look func(text []byte) string
}

// DefaultSize is that of sections: checking a piece takes ten times as much.
const DefaultSize = 256 << 10

// A Doubt is the reason why a text is not cut: it may be no list, or one in another layout than that of kubectl.
type Doubt struct {
	Line int
	Why  string
}

func (d *Doubt) Error() string { return fmt.Sprintf("line %d: %s", d.Line, d.Why) }

// A scanner collects sections.
type scanner struct {
	Options
	in     *bufio.Reader
	isYAML bool

	offset       int64 // of what is read next
	line, column int   // of the same, as editors count

	text     []byte // the head, and the section that is being read
	head     []byte // nil until it is known
	sections []Section
	open     bool // the last of them goes on
	tail     []byte
	tailAt   lint.Part
	closing  string
}

func newScanner(from io.Reader, o Options) *scanner {
	o.Size = cmp.Or(o.Size, DefaultSize)
	return &scanner{Options: o, in: bufio.NewReaderSize(from, 64<<10), line: 1, column: 1}
}

// startsJSON reports whether the text begins as JSON does.
func (s *scanner) startsJSON() bool {
	start, _ := s.in.Peek(maxAround)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte(lines.BOM)), " \t\r\n")
	return len(start) > 0 && start[0] == '{'
}

// doubt is the reason not to cut the text, at the line that is read.
func (s *scanner) doubt(format string, args ...any) error {
	return &Doubt{s.line, fmt.Sprintf(format, args...)}
}

// begin begins an item at what is read next, and a section with it unless one is open.
func (s *scanner) begin() {
	if s.head == nil {
		s.head = bytes.Clone(s.text)
	}
	if !s.open {
		s.open = true
		s.text = append(s.text[:0], s.head...)
		s.sections = append(s.sections, Section{Start: s.offset, At: lint.Part{Offset: len(s.head), Line: s.line, Column: s.column}})
	}
	s.sections[len(s.sections)-1].Items++
}

// end ends an item, after what is read last, and a section if that is large enough, or the last.
func (s *scanner) end(last bool) error {
	if !s.open || !last && len(s.text)-len(s.head) < s.Size {
		return nil
	}
	s.open = false
	now := &s.sections[len(s.sections)-1]
	now.End = now.Start + int64(len(s.text)-len(s.head))
	if why := s.odd(s.text); why != "" {
		return &Doubt{now.At.Line, why}
	}
	if s.Look != nil {
		if why := s.Look(s.text); why != "" {
			return &Doubt{now.At.Line, why}
		}
	}
	return nil
}

// odd is why text that belongs to the list keeps it from being cut; "" if it does not.
func (s *scanner) odd(text []byte) string {
	switch {
	case !utf8.Valid(text):
		return notUTF8
	case s.isYAML && lines.HaveOddBreaks(text):
		return oddBreaks
	}
	return ""
}

// fits reports whether what is held is small enough.
func (s *scanner) fits() error {
	switch {
	case s.head == nil && len(s.text) > maxAround, len(s.tail) > maxAround:
		return s.doubt("this is not the layout of a list from kubectl")
	case s.Max > 0 && s.open && len(s.text)-len(s.head) > s.Max:
		return s.doubt("an item that begins at line %d or behind it is too large", s.sections[len(s.sections)-1].At.Line)
	}
	return nil
}
