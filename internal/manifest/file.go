package manifest

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/template"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
