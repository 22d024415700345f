package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
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

// Text is the document's bytes.
func (d *Document) Text() []byte { return d.File.Source[d.Start:d.End] }

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
	if len(bytes.Trim(bytes.TrimPrefix(d.Text(), []byte("---")), " \r\n")) == 0 {
		return nil, nil // a parser costs kilobytes, and there may be a million of them
	}
	var doc yaml.Node
	if e := yaml.Unmarshal(d.Text(), &doc); e != nil {
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
