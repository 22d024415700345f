package manifest

import "github.com/crdlift/crdlift/lint"

// maxExcerpt bounds what a source keeps of its line, in bytes: manifests in JSON are often one line.
const maxExcerpt = 1 << 9

// Range returns a range of bytes as lines and columns.
func (f *File) Range(start, end int) lint.Position {
	pos := lint.Position{File: f.Path}
	pos.Line, pos.Column = f.Position(start)
	pos.EndLine, pos.EndColumn = f.Position(end)
	return pos
}

// SourceAt returns a position of the file with the line that it begins on.
func (f *File) SourceAt(pos lint.Position) lint.Source {
	s := lint.Source{Pos: pos}
	s.Excerpt, s.From = f.Excerpt(pos.Line, pos.Column, maxExcerpt)
	return s
}
