// Package manifest reads files of Kubernetes manifests: it finds the documents of a file and the position of each of
// their nodes. Package rewrite writes changed trees back.
//
// A File is split into Documents; each document is parsed into kyaml nodes, which callers change as they like. A node
// remembers where it came from by its Line and Column, which kyaml's own Copy keeps; nodes made anew have neither. Lines of
// nodes count from the start of the file, so that they also tell two documents apart.
//
// The package knows nothing about what the documents mean, CustomResourceDefinition or not.
//
// Read file.go first. parse.go makes documents of a text, by split.go, json.go, and syntax.go for
// errors. layout.go holds the positions of a document's nodes; measure.go determines them, position.go
// and comment.go answer with it. open.go reads Helm templates as well, by package template.
package manifest

import (
	"bytes"
	"fmt"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A File is the documents of one file of manifests, and their text. As long as nobody changes a tree, several
// goroutines may look at it.
type File struct {
	Path      string // as the user named it; only for messages
	Source    []byte
	Documents []*Document
	*lines.Table
	// Mask is what a template is hidden behind in Source; nil for a manifest. Unseen is how many of its branches are in no world.
	Mask   *template.MaskedTemplate
	Unseen int

	unsplit   int // where the documents begin that Scan left out of Documents; -1 when there are none
	parts     []part
	hidden    bool // SourceAt shows nothing
	shown     *lines.Table
	shownText []byte // what SourceAt shows; nil for the source
	toHide    []func() []lines.Span
}

// A Document is one YAML document of a file, or one JSON value of a JSON file.
type Document struct {
	File  *File
	Index int // in the file, from 0
	// Start and End are the document's bytes in the file, with its `---` line.
	Start, End int
	// Root is the document's tree, free to be changed. It is nil when the document is empty or does not parse.
	Root *yaml.RNode
	// Err says why the document does not parse; nil when it does.
	Err *SyntaxError
	// JSON is true for a JSON value, which cannot contain any YAML syntax.
	JSON bool

	behindJSON bool       // the document before is in JSON
	base       int        // the parser's lines before the document
	kept       *yaml.Node // by Keep
	shared     sharing
	measured   sync.Once
	layout     *Layout // of the source as it was read; made when first needed
	layoutErr  error
}

// Text is the document's bytes.
func (d *Document) Text() []byte { return d.File.Source[d.Start:d.End] }

// begin is where the text begins.
func (f *File) begin() int {
	if bytes.HasPrefix(f.Source, []byte(lines.BOM)) {
		return len(lines.BOM)
	}
	return 0
}

// Unseparated reports whether the document follows a `...` line without a `---` line of its own. A YAML parser
// reads it; kubectl, which splits files at `---` only, hands it to the parser together with the one above, and takes the
// first of both.
func (d *Document) Unseparated() bool {
	return !d.JSON && d.Index > 0 && !d.behindJSON && !hasMarker(d.Text())
}

// hasMarker reports whether a document has a `---` line of its own.
func hasMarker(text []byte) bool {
	for len(text) > 0 {
		line := text[:lines.Length(text)]
		if line[0] != '%' && !lines.IsBlankOrComment(line) {
			return lines.IsMarker(line, "---")
		}
		text = text[len(line):]
	}
	return false
}

// Directive is the first directive (`%YAML 1.1`) before the document, with its offset in the file; "" when there is
// none.
func (d *Document) Directive() (line string, at int) {
	for at = d.Start; at < d.End; at = lines.End(d.File.Source, at) {
		switch text := lines.Text(d.File.Source[at:d.End]); {
		case len(text) > 0 && text[0] == '%':
			return string(text), at
		case !lines.IsBlankOrComment(text):
			return "", 0
		}
	}
	return "", 0
}

// A SyntaxError is text that is neither YAML nor JSON.
type SyntaxError struct {
	Path         string
	Line, Column int // from 1
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: does not parse: %s", e.Path, e.Line, e.Column, e.Message)
}

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
