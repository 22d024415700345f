package lsp

import (
	"slices"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// A sheet is a text as it was at one time, with the positions in it as a client counts them. Lines end at "\n", "\r\n" and
// "\r", and at nothing else that YAML would count; characters are those of the encoding; a byte order mark is one of them.
// Several goroutines may ask.
type sheet struct {
	text []byte
	unit protocol.PositionEncodingKind

	counted sync.Once
	begins  []int // offsets of the lines
	columns *lines.Table
}

func newSheet(text []byte, unit protocol.PositionEncodingKind) *sheet {
	return &sheet{text: text, unit: unit, columns: lines.TableOf(text)}
}

// lines are the offsets of the lines.
func (s *sheet) lines() []int {
	s.counted.Do(func() {
		s.begins = append(s.begins, 0)
		for i, b := range s.text {
			if b == '\n' || b == '\r' && (i+1 == len(s.text) || s.text[i+1] != '\n') {
				s.begins = append(s.begins, i+1)
			}
		}
	})
	return s.begins
}

// position is where an offset is. One outside of the text is taken for its nearest end.
func (s *sheet) position(offset int) protocol.Position {
	offset = max(0, min(offset, len(s.text)))
	begins := s.lines()
	line, found := slices.BinarySearch(begins, offset)
	if !found {
		line--
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units(s.text[begins[line]:offset], s.unit))}
}

// offset is the offset of a position. A character beyond the end of its line is its end, as the protocol has it, and one inside
// of a code point its beginning; a line that there is not is false.
func (s *sheet) offset(p protocol.Position) (int, bool) {
	begins := s.lines()
	if int64(p.Line) >= int64(len(begins)) {
		return len(s.text), false
	}
	at := begins[p.Line]
	end := len(s.text)
	if next := int(p.Line) + 1; next < len(begins) {
		end = begins[next]
	}
	for end > at && (s.text[end-1] == '\n' || s.text[end-1] == '\r') {
		end--
	}
	for left := int64(p.Character); left > 0 && at < end; {
		r, size := utf8.DecodeRune(s.text[at:end])
		if left -= int64(width(r, size, s.unit)); left < 0 {
			break
		}
		at += size
	}
	return at, true
}

// at is the offset of a position of the linter, which counts lines as most editors do and columns in code points.
func (s *sheet) at(line, column int) int {
	offset, found := s.columns.Offset(line, column)
	if !found {
		return len(s.text)
	}
	return offset
}

// place is the range of a position of the linter.
func (s *sheet) place(p lint.Position) protocol.Range {
	start := s.at(p.Line, p.Column)
	return s.span(start, max(start, s.at(p.EndLine, p.EndColumn)))
}

// span is the range between two offsets.
func (s *sheet) span(start, end int) protocol.Range {
	return protocol.Range{Start: s.position(start), End: s.position(end)}
}

// units is the length of a text in the units of an encoding.
func units(text []byte, unit protocol.PositionEncodingKind) (n int) {
	switch unit {
	case protocol.PositionEncodingKindUTF8:
		return len(text)
	case protocol.PositionEncodingKindUTF32:
		return utf8.RuneCount(text)
	}
	for _, r := range string(text) {
		n += width(r, 0, unit)
	}
	return n
}

// width is the length of a code point in the units of an encoding.
func width(r rune, size int, unit protocol.PositionEncodingKind) int {
	switch {
	case unit == protocol.PositionEncodingKindUTF8:
		return size
	case unit == protocol.PositionEncodingKindUTF32 || r < 0x10000:
		return 1
	}
	return 2
}
