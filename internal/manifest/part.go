package manifest

import "github.com/crdlift/crdlift/lint"

// A part is a lint.Part with its place in the text.
type part struct{ line, column, fileLine, fileColumn int }

// place says where the parts of the text are in a larger file.
func (f *File) place(parts []lint.Part) {
	for _, p := range parts {
		line, column := f.Table.Position(p.Offset)
		f.parts = append(f.parts, part{line, column, p.Line, p.Column})
	}
}

// Position returns the line and column of a byte offset, as lines.Table counts them, in the file that the text is taken out of.
func (f *File) Position(offset int) (line, column int) { return f.outside(f.Table.Position(offset)) }

// outside is the place in the larger file of one in the text.
func (f *File) outside(line, column int) (fileLine, fileColumn int) {
	p := f.partAt(func(p part) bool { return before(p.line, p.column, line, column) })
	return moved(line, column, p.line, p.column, p.fileLine, p.fileColumn)
}

// inside is the place in the text of one in the larger file.
func (f *File) inside(fileLine, fileColumn int) (line, column int) {
	p := f.partAt(func(p part) bool { return before(p.fileLine, p.fileColumn, fileLine, fileColumn) })
	return moved(fileLine, fileColumn, p.fileLine, p.fileColumn, p.line, p.column)
}

// ofPart cuts off what an excerpt of the line of a place in the text has of the part before, and makes its column one of the
// larger file.
func (f *File) ofPart(line, column int) func(excerpt string, from int) (string, int) {
	p := f.partAt(func(p part) bool { return before(p.line, p.column, line, column) })
	return func(excerpt string, from int) (string, int) {
		if line != p.line {
			return excerpt, from
		}
		if more := p.column - from; more > 0 {
			text := []rune(excerpt)
			excerpt, from = string(text[min(more, len(text)):]), p.column
		}
		return excerpt, from + p.fileColumn - p.column
	}
}

// partAt is the last part that begins before a place; for a place before all of them, one that moves nothing.
func (f *File) partAt(begins func(part) bool) part {
	for i := len(f.parts) - 1; i >= 0; i-- {
		if begins(f.parts[i]) {
			return f.parts[i]
		}
	}
	return part{1, 1, 1, 1}
}

// before reports whether a place is before another, or the same.
func before(line, column, otherLine, otherColumn int) bool {
	return line < otherLine || line == otherLine && column <= otherColumn
}

// moved is a place that lies behind one as far as it lay behind another.
func moved(line, column, fromLine, fromColumn, toLine, toColumn int) (int, int) {
	if line == fromLine {
		return toLine, column + toColumn - fromColumn
	}
	return line + toLine - fromLine, column
}
