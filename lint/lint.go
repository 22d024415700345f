// Package lint has the values of the linter's reports: findings with their severity, position and the edits that fix
// them. Package rules has the rules.
package lint

// A Position is a range of a file. Lines and columns count from 1, columns in Unicode code points; the end is exclusive.
type Position struct {
	File                             string // relative to the working directory, with slashes
	Line, Column, EndLine, EndColumn int
}

// Point is the empty range at a line and a column of a file.
func Point(file string, line, column int) Position {
	return Position{File: file, Line: line, Column: column, EndLine: line, EndColumn: column}
}

// A Source is a position with the line that it begins on.
type Source struct {
	Pos     Position
	Excerpt string // the line, without its line end, or of a long one the part that matters
	From    int    // the column of Excerpt's first character; 0 means 1
}

// A Related is another place that a finding speaks about.
type Related struct {
	Pos     Position
	Message string
}

// A TextEdit replaces a range of the file by a text.
type TextEdit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}
