package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A File is the documents of one file of manifests, and their text. As long as nobody changes a tree, several
// goroutines may look at it.
type File struct {
	Path      string // as the user named it; only for messages
	Source    []byte
	Documents []*Document

	counted sync.Once
	lines   []int // offset of every line; made when first needed
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

	json      bool
	measured  sync.Once
	layout    *layout // of the source as it was read; made when first needed
	layoutErr error
}

// A SyntaxError is text that is neither YAML nor JSON.
type SyntaxError struct {
	Path         string
	Line, Column int // from 1; the column is 0 when the parser does not tell
	Message      string
}

func (e *SyntaxError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

var utf8BOM = []byte("\xef\xbb\xbf")

// Parse splits a file into documents and parses each. It never fails as a whole: a document that does not parse
// carries its error, the others their trees.
func Parse(path string, src []byte) *File {
	f := &File{Path: path, Source: src}
	start := 0
	if bytes.HasPrefix(src, utf8BOM) {
		start = len(utf8BOM)
	}
	if msg := unreadable(src); msg != "" {
		f.Documents = []*Document{{File: f, Start: 0, End: len(src), Err: &SyntaxError{Path: path, Line: 1, Message: msg}}}
		return f
	}
	if docs := f.jsonDocuments(start); docs != nil {
		f.Documents = docs
		return f
	}
	for _, r := range split(src, start) {
		d := &Document{File: f, Index: len(f.Documents), Start: r.start, End: r.end}
		root, err := d.parse()
		if err != nil {
			d.Err = err
		} else if root != nil {
			d.Root = yaml.NewRNode(root)
		}
		f.Documents = append(f.Documents, d)
	}
	return f
}

// unreadable says why bytes are no text that a YAML parser should be asked about; "" when they are.
func unreadable(src []byte) string {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")):
		return "the file is UTF-16; save it as UTF-8"
	case bytes.IndexByte(src, 0) >= 0:
		return "the file is binary (it holds a NUL byte)"
	case !utf8.Valid(src):
		return "the file is not valid UTF-8"
	}
	return ""
}

// jsonDocuments reads a file of JSON values, as kubectl does when the text starts with an opening brace. It returns
// nil when the text is not JSON throughout: it may still be YAML in flow style.
func (f *File) jsonDocuments(start int) []*Document {
	at := start + leadingSpace(f.Source[start:])
	if at == len(f.Source) || f.Source[at] != '{' {
		return nil
	}
	var docs []*Document
	for at < len(f.Source) {
		root, end, _, err := readJSON(f.Source[at:])
		if err != nil {
			return nil
		}
		d := &Document{File: f, Index: len(docs), Start: at, End: at + end, json: true}
		shiftLines(root, d.baseLine())
		d.Root = yaml.NewRNode(root)
		docs = append(docs, d)
		at += end
		at += leadingSpace(f.Source[at:])
	}
	return docs
}

func leadingSpace(b []byte) int {
	return len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
}

// parse reads the document's YAML text. The node is nil for a document without content.
func (d *Document) parse() (root *yaml.Node, err *SyntaxError) {
	defer func() {
		// go-yaml reports by panicking inside; a panic that it does not recognise as its own would reach the user
		if p := recover(); p != nil {
			root, err = nil, d.syntaxError(fmt.Errorf("yaml: line 1: cannot be parsed: %v", p))
		}
	}()
	var doc yaml.Node
	if e := yaml.Unmarshal(d.File.Source[d.Start:d.End], &doc); e != nil {
		return nil, d.syntaxError(e)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	shiftLines(doc.Content[0], d.baseLine())
	return doc.Content[0], nil
}

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (d *Document) syntaxError(e error) *SyntaxError {
	msg := e.Error()
	var typeErr *yaml.TypeError
	if errors.As(e, &typeErr) {
		msg = strings.Join(typeErr.Errors, "; ")
	}
	line := 1
	if m := yamlErrorLine.FindStringSubmatch(msg); m != nil {
		msg = strings.TrimPrefix(msg, m[0])
		line, _ = strconv.Atoi(m[1])
	}
	before, _ := d.File.Position(d.Start)
	return &SyntaxError{Path: d.File.Path, Line: before + max(line, 1) - 1, Message: strings.ReplaceAll(msg, "\n", " ")}
}

// baseLine counts the parser's lines before the document.
func (d *Document) baseLine() int {
	before := d.File.Source[:d.Start]
	if d.json {
		return bytes.Count(before, []byte("\n"))
	}
	n := 0
	for i := 0; i < len(before); {
		if w := breakAt(before, i); w > 0 {
			n++
			i += w
		} else {
			i++
		}
	}
	return n
}

func shiftLines(n *yaml.Node, by int) {
	if by == 0 {
		return
	}
	n.Line += by
	for _, c := range n.Content {
		shiftLines(c, by)
	}
}

// Position gives the line and column of a byte offset as editors count them: lines end at a line feed, columns are
// Unicode code points, both from 1, and a byte order mark is no column.
func (f *File) Position(offset int) (line, column int) {
	f.counted.Do(func() {
		f.lines = []int{0}
		for i, b := range f.Source {
			if b == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
	offset = min(offset, len(f.Source))
	line, found := slices.BinarySearch(f.lines, offset)
	if found {
		line++
	}
	start := f.lines[line-1]
	if start == 0 && bytes.HasPrefix(f.Source, utf8BOM) && offset >= len(utf8BOM) {
		start = len(utf8BOM)
	}
	return line, 1 + utf8.RuneCount(f.Source[start:offset])
}

// Text is the document's bytes.
func (d *Document) Text() []byte { return d.File.Source[d.Start:d.End] }

// Excerpt is the text of a line without its line end, as it stands in the file: of one that is longer than limit bytes
// the part around a column, and the column of its first character. It is "" where there is no such line.
func (f *File) Excerpt(line, column, limit int) (text string, from int) {
	f.Position(0) // makes the table of lines
	if line < 1 || line > len(f.lines) {
		return "", 1
	}
	whole := f.Source[f.lines[line-1]:]
	if end := bytes.IndexByte(whole, '\n'); end >= 0 {
		whole = whole[:end]
	}
	if line == 1 {
		whole = bytes.TrimPrefix(whole, utf8BOM)
	}
	whole = bytes.TrimSuffix(whole, []byte("\r"))
	if len(whole) <= limit {
		return string(whole), 1
	}
	at, reached := 0, 1 // what follows a mark is of more use than what is before it
	for ; reached < column && at < len(whole); reached++ {
		_, size := utf8.DecodeRune(whole[at:])
		at += size
	}
	start := max(0, at-limit/4)
	for start > 0 && start < at && !utf8.RuneStart(whole[start]) {
		start++
	}
	end := min(len(whole), start+limit)
	for end < len(whole) && end > at && !utf8.RuneStart(whole[end]) {
		end--
	}
	return string(whole[start:end]), reached - utf8.RuneCount(whole[start:at])
}

// Begin gives the line and column at which a node of the document begins, as Position counts them, from what the parser
// noted in it. It is cheap, where Span reads the document once more.
func (d *Document) Begin(n *yaml.Node) (line, column int) {
	if d.json || !d.File.oddBreaks() {
		return n.Line, n.Column
	}
	if start, _, ok := d.Span(n); ok {
		return d.File.Position(start)
	}
	return n.Line, n.Column
}

// oddBreaks reports whether the file may hold line breaks that YAML counts and editors do not.
func (f *File) oddBreaks() bool {
	return bytes.Contains(f.Source, []byte("\u0085")) || bytes.Contains(f.Source, []byte("\u2028")) ||
		bytes.Contains(f.Source, []byte("\u2029")) || bytes.Count(f.Source, []byte("\r")) != bytes.Count(f.Source, []byte("\r\n"))
}
