package manifest

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// maxExcerpt bounds what a source keeps of its line, in bytes: manifests in JSON are often one line.
const maxExcerpt = 1 << 9

// Range returns a range of bytes as lines and columns.
func (f *File) Range(start, end int) lint.Position {
	pos := lint.Position{File: f.Path}
	pos.Line, pos.Column = f.Position(start)
	pos.EndLine, pos.EndColumn = f.Position(end)
	return pos
}

// SourceAt returns a position of the file with the line that it begins on, as far as that may be shown.
func (f *File) SourceAt(pos lint.Position) lint.Source {
	for _, ranges := range f.toHide {
		f.hide(ranges()...)
	}
	f.toHide = nil
	s := lint.Source{Pos: pos}
	line, column := f.inside(pos.Line, pos.Column)
	switch {
	case f.hidden:
	case f.shown != nil:
		s.Excerpt, s.From = f.ofPart(line, column)(f.shown.Excerpt(line, column, maxExcerpt))
	default:
		s.Excerpt, s.From = f.ofPart(line, column)(f.Excerpt(line, column, maxExcerpt))
	}
	return s
}

// HideAll makes SourceAt show nothing of the text.
func (f *File) HideAll() { f.hidden = true }

// Hide makes SourceAt put a star, or a sign as long, in the place of each character in some ranges of bytes. These are asked for
// when it is called next, as most files have no finding.
func (f *File) Hide(ranges func() []lines.Span) { f.toHide = append(f.toHide, ranges) }

// Done says that SourceAt will not be called any more for what was handed to Hide: nothing of that is kept.
func (f *File) Done() { f.toHide = nil }

func (f *File) hide(ranges ...lines.Span) {
	if len(ranges) == 0 {
		return
	}
	if f.shown == nil {
		f.shownText = bytes.Clone(f.Source)
		f.shown = lines.TableOf(f.shownText)
	}
	for _, r := range ranges {
		hide(f.shownText[r.Start:r.End])
	}
}

// hide overwrites the characters of a text but for spaces and line ends, such that all others stay where they are.
func hide(text []byte) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if !unicode.IsSpace(r) {
			copy(text[at:at+size], stars[size])
		}
		at += size
	}
}

// stars are signs of one byte, of two, and so on.
var stars = [...]string{"", "*", "·", "•", "\U0001f784"}
