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
	odd     bool  // the file may hold line breaks that YAML counts and editors do not; known with the lines

	countedRunes sync.Once
	runes        []int // code points before every runeBlock-th byte; made when first needed
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
	base      int // the parser's lines before the document
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
		f.add(&Document{Start: 0, End: len(src), Err: &SyntaxError{Path: path, Line: 1, Message: msg}})
		return f
	}
	if f.jsonDocuments(start) {
		return f
	}
	f.Documents = nil // of those that are JSON, before one that is not
	for _, r := range split(src, start) {
		d := f.add(&Document{Start: r.start, End: r.end})
		root, err := d.parse()
		if err != nil {
			d.Err = err
		} else if root != nil {
			d.Root = yaml.NewRNode(root)
		}
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

// jsonDocuments reads a file of JSON values, as kubectl does when the text starts with an opening brace. It is false
// when the text is not JSON throughout: it may still be YAML in flow style.
func (f *File) jsonDocuments(start int) bool {
	at := start + leadingSpace(f.Source[start:])
	if at == len(f.Source) || f.Source[at] != '{' {
		return false
	}
	for at < len(f.Source) {
		root, end, err := readJSONValue(f.Source[at:])
		if err != nil {
			return false
		}
		d := f.add(&Document{Start: at, End: at + end, json: true})
		shiftLines(root, d.base)
		d.Root = yaml.NewRNode(root)
		at += end
		at += leadingSpace(f.Source[at:])
	}
	return true
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
	shiftLines(doc.Content[0], d.base)
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
	return &SyntaxError{Path: d.File.Path, Line: d.editorLine(max(line, 1)), Message: strings.ReplaceAll(msg, "\n", " ")}
}

// editorLine is the line of the file, as editors count, that is the parser's so-and-so-many-th of the document. Behind
// the end of the file it is the last.
func (d *Document) editorLine(n int) int {
	f := d.File
	f.findLines()
	if f.odd {
		lines := yamlLines(f.Source, d.Start, d.End)
		line, _ := f.Position(lines[min(n, len(lines))-1])
		return line
	}
	first, _ := f.Position(d.Start)
	return min(first+n-1, len(f.lines))
}

// linesBetween counts the parser's lines in a part of the file.
func (d *Document) linesBetween(start, end int) int {
	text := d.File.Source[start:end]
	if d.json || !hasOddBreaks(text) {
		return bytes.Count(text, []byte("\n"))
	}
	n := 0
	for i := 0; i < len(text); {
		if w := breakAt(text, i); w > 0 {
			n++
			i += w
		} else {
			i++
		}
	}
	return n
}

// add appends a document, which begins behind the last one.
func (f *File) add(d *Document) *Document {
	d.File, d.Index = f, len(f.Documents)
	if d.Index == 0 {
		d.base = d.linesBetween(0, d.Start)
	} else {
		before := f.Documents[d.Index-1]
		d.base = before.base + d.linesBetween(before.Start, d.Start)
	}
	f.Documents = append(f.Documents, d)
	return d
}

// hasOddBreaks reports whether a text may hold line breaks that YAML counts and editors do not.
func hasOddBreaks(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) ||
		bytes.IndexByte(text, '\r') >= 0 && bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
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

// findLines makes the table of lines, and looks for odd breaks.
func (f *File) findLines() {
	f.counted.Do(func() {
		f.odd = hasOddBreaks(f.Source)
		f.lines = make([]int, 1, bytes.Count(f.Source, []byte("\n"))+1)
		for at := 0; ; {
			i := bytes.IndexByte(f.Source[at:], '\n')
			if i < 0 {
				return
			}
			at += i + 1
			f.lines = append(f.lines, at)
		}
	})
}

// Position gives the line and column of a byte offset as editors count them: lines end at a line feed, columns are
// Unicode code points, both from 1, and a byte order mark is no column.
func (f *File) Position(offset int) (line, column int) {
	f.findLines()
	offset = min(offset, len(f.Source))
	line, found := slices.BinarySearch(f.lines, offset)
	if found {
		line++
	}
	start := f.lines[line-1]
	if start == 0 && bytes.HasPrefix(f.Source, utf8BOM) && offset >= len(utf8BOM) {
		start = len(utf8BOM)
	}
	return line, 1 + f.runesBetween(start, offset)
}

// Text is the document's bytes.
func (d *Document) Text() []byte { return d.File.Source[d.Start:d.End] }

// Excerpt is the text of a line without its line end, as it stands in the file: of one that is longer than limit bytes
// the part around a column, and the column of its first character. It is "" where there is no such line.
func (f *File) Excerpt(line, column, limit int) (text string, from int) {
	f.findLines()
	if line < 1 || line > len(f.lines) {
		return "", 1
	}
	begin := f.lines[line-1]
	to := len(f.Source)
	if line < len(f.lines) {
		to = f.lines[line] - 1
	}
	if line == 1 && bytes.HasPrefix(f.Source, utf8BOM) {
		begin = len(utf8BOM)
	}
	whole := bytes.TrimSuffix(f.Source[begin:to], []byte("\r"))
	if len(whole) <= limit {
		return string(whole), 1
	}
	// What follows a mark is of more use than what is before it.
	at := f.behindRunes(begin, column-1, begin+len(whole)) - begin
	start := max(0, at-limit/4)
	for start > 0 && start < at && !utf8.RuneStart(whole[start]) {
		start++
	}
	end := min(len(whole), start+limit)
	for end < len(whole) && end > at && !utf8.RuneStart(whole[end]) {
		end--
	}
	return string(whole[start:end]), 1 + f.runesBetween(begin, begin+start)
}

// Begin gives the line and column at which a node of the document begins, as Position counts them, from what the parser
// noted in it. It is cheap, where Span reads the document once more.
func (d *Document) Begin(n *yaml.Node) (line, column int) {
	d.File.findLines()
	if d.json || !d.File.odd {
		return n.Line, n.Column
	}
	if start, _, ok := d.Span(n); ok {
		return d.File.Position(start)
	}
	return n.Line, n.Column
}
