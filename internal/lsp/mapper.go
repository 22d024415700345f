package lsp

import (
	"slices"
	"sort"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// A mapper is a text as it was at one time, with the positions in it as a client counts them. Lines end at "\n", "\r\n" and
// "\r", and at nothing else that YAML would count; characters are those of the encoding; a byte order mark is one of them.
// Several goroutines may ask.
type mapper struct {
	text     []byte
	encoding protocol.PositionEncodingKind

	counted    sync.Once
	lineStarts []int // offsets of the lines
	columns    *lines.Table

	blocked sync.Once
	blocks  []block
}

// A block begins at an offset, with so many units of the encoding before it. A file may be one line of megabytes, with findings all
// over it: to count from the start of the line for each would be quadratic.
type block struct{ offset, units int }

const blockSize = 1024

func newMapper(text []byte, encoding protocol.PositionEncodingKind) *mapper {
	return &mapper{text: text, encoding: encoding, columns: lines.TableOf(text)}
}

// lines are the offsets of the lines.
func (m *mapper) lines() []int {
	m.counted.Do(func() {
		m.lineStarts = append(m.lineStarts, 0)
		for i, b := range m.text {
			if b == '\n' || b == '\r' && (i+1 == len(m.text) || m.text[i+1] != '\n') {
				m.lineStarts = append(m.lineStarts, i+1)
			}
		}
	})
	return m.lineStarts
}

// offsetPosition is where an offset is. One outside of the text is taken for its nearest end.
func (m *mapper) offsetPosition(offset int) protocol.Position {
	offset = max(0, min(offset, len(m.text)))
	begins := m.lines()
	line, found := slices.BinarySearch(begins, offset)
	if !found {
		line--
	}
	return protocol.Position{Line: uint32(line), Character: uint32(m.unitsBetween(begins[line], offset))}
}

// unitsBetween counts the units from one offset to another.
func (m *mapper) unitsBetween(start, end int) int {
	if end-start <= 2*blockSize {
		return units(m.text[start:end], m.encoding)
	}
	m.blocked.Do(func() {
		for at, n := 0, 0; at < len(m.text); {
			m.blocks = append(m.blocks, block{at, n})
			for next := at + blockSize; at < min(next, len(m.text)); {
				r, size := utf8.DecodeRune(m.text[at:])
				at, n = at+size, n+width(r, size, m.encoding)
			}
		}
	})
	before := func(offset int) int {
		next := sort.Search(len(m.blocks), func(i int) bool { return m.blocks[i].offset > offset })
		b := m.blocks[next-1]
		return b.units + units(m.text[b.offset:offset], m.encoding)
	}
	return before(end) - before(start)
}

// positionOffset is the offset of a position. A character beyond the end of its line is its end, as the protocol has it, and one inside
// of a code point its beginning; a line that there is not is false.
func (m *mapper) positionOffset(p protocol.Position) (int, bool) {
	begins := m.lines()
	if int64(p.Line) >= int64(len(begins)) {
		return len(m.text), false
	}
	at := begins[p.Line]
	end := len(m.text)
	if next := int(p.Line) + 1; next < len(begins) {
		end = begins[next]
	}
	for end > at && (m.text[end-1] == '\n' || m.text[end-1] == '\r') {
		end--
	}
	for left := int64(p.Character); left > 0 && at < end; {
		r, size := utf8.DecodeRune(m.text[at:end])
		if left -= int64(width(r, size, m.encoding)); left < 0 {
			break
		}
		at += size
	}
	return at, true
}

// lineOffset is the offset of a position of the linter, which counts lines as most editors do and columns in code points.
func (m *mapper) lineOffset(line, column int) int {
	offset, found := m.columns.Offset(line, column)
	if !found {
		return len(m.text)
	}
	return offset
}

// findingRange is the range of a position of the linter.
func (m *mapper) findingRange(p lint.Position) protocol.Range {
	start := m.lineOffset(p.Line, p.Column)
	return m.offsetRange(start, max(start, m.lineOffset(p.EndLine, p.EndColumn)))
}

// offsetRange is the range between two offsets.
func (m *mapper) offsetRange(start, end int) protocol.Range {
	return protocol.Range{Start: m.offsetPosition(start), End: m.offsetPosition(end)}
}

// units is the length of a text in the units of an encoding.
func units(text []byte, encoding protocol.PositionEncodingKind) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += width(r, size, encoding)
		text = text[size:]
	}
	return n
}

// width is the length of a code point in the units of an encoding.
func width(r rune, size int, encoding protocol.PositionEncodingKind) int {
	switch {
	case encoding == protocol.PositionEncodingKindUTF8:
		return size
	case encoding == protocol.PositionEncodingKindUTF32 || r < 0x10000:
		return 1
	}
	return 2
}

// overlap reports whether two ranges have a place in common, be it the end of one and the beginning of the other.
func overlap(a, b protocol.Range) bool { return !isBefore(a.End, b.Start) && !isBefore(b.End, a.Start) }

func isBefore(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
