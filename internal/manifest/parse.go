package manifest

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sync"
	"weak"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// Parse splits a file into documents and parses each. It never fails as a whole: a document that does not parse
// has its error, the others their trees.
func Parse(path string, src []byte) *File {
	f := Split(path, src)
	for _, d := range f.Documents {
		if d.Err == nil && d.Root == nil {
			d.read()
		}
	}
	return f
}

// Split finds the documents of a file, as Parse does, for callers that need only a few of them. Those in YAML have no
// trees; Parsed returns them.
func Split(path string, src []byte) *File { return SplitParts(path, src, nil) }

// SplitParts is Split for a text whose parts are taken out of a larger file. Positions are those of that file.
func SplitParts(path string, src []byte, parts []lint.Part) *File {
	f := scan(path, src, parts)
	for d := range f.rest() {
		f.Documents = append(f.Documents, d)
	}
	f.unsplit = -1
	return f
}

// Scan is Split for callers that look at one document after the other: All finds those in YAML when it comes to them, and
// Documents has none of them. A file may have a million.
func Scan(path string, src []byte) *File { return scan(path, src, nil) }

// scan finds the documents that are not in YAML, and where that begins.
func scan(path string, src []byte, parts []lint.Part) *File {
	f := &File{Path: path, Source: src, Table: lines.TableOf(src), unsplit: -1}
	f.place(parts)
	if why, at := unreadable(src); why != "" {
		f.add(&Document{Start: 0, End: len(src), Err: f.syntaxErrorAt(at, why)})
		return f
	}
	if rest := f.jsonDocuments(f.begin()); rest < len(src) || len(f.Documents) == 0 {
		f.unsplit = rest
	}
	return f
}

// All are the documents of the file in order. Those that Scan left out are other ones each time.
func (f *File) All() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		for _, d := range f.Documents {
			if !yield(d) {
				return
			}
		}
		f.rest()(yield)
	}
}

// Trees are the documents of the file in order, each with its tree, or the reason why it has none.
func (f *File) Trees() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		for d := range f.All() {
			if !yield(d.Tree()) {
				return
			}
		}
	}
}

// rest are the documents that are not in Documents.
func (f *File) rest() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		if f.unsplit < 0 {
			return
		}
		before := f.last()
		for r := range split(f.Source, f.unsplit) {
			d := f.behind(before, &Document{Start: r.Start, End: r.End})
			if !yield(d) {
				return
			}
			before = d
		}
	}
}

// Tree is the document with its tree, or the reason why it has none.
func (d *Document) Tree() *Document {
	if d.Root != nil || d.Err != nil {
		return d
	}
	return d.Parsed()
}

// Parsed is the document with a tree of its own.
func (d *Document) Parsed() *Document {
	own := d.Unparsed()
	if own.Err == nil {
		own.read()
	}
	return own
}

// A sharing is a tree while somebody has it.
type sharing struct {
	sync.Mutex
	document weak.Pointer[Document]
}

// Shared is Parsed with the tree that an earlier caller has, if it still has it: a list may have many CRDs, each of which asks.
func (d *Document) Shared() *Document {
	d.shared.Lock()
	defer d.shared.Unlock()
	if of := d.shared.document.Value(); of != nil {
		return of
	}
	of := d.Parsed()
	d.shared.document = weak.Make(of)
	return of
}

// Unparsed is the document without a tree.
func (d *Document) Unparsed() *Document {
	return &Document{File: d.File, Index: d.Index, Start: d.Start, End: d.End, Err: d.Err, JSON: d.JSON, behindJSON: d.behindJSON, base: d.base}
}

// WithoutText says which document of its file it is, and no more.
func (d *Document) WithoutText() *Document {
	f := &File{Path: d.File.Path, Table: lines.TableOf(nil), Mask: d.File.Mask, Unseen: d.File.Unseen, unsplit: -1}
	return &Document{File: f, Index: d.Index, JSON: d.JSON}
}

// read makes the tree.
func (d *Document) read() {
	if _, mark := d.withoutMark(); mark > 0 && d.Start == d.File.begin() {
		d.Err = d.File.syntaxErrorAt(mark+len(lines.BOM), "a byte order mark follows the first ---, and kubectl reads it as a part of the key; remove it")
		return
	}
	root, err := d.parse()
	switch {
	case err != nil && d.Index == 0:
		d.Err = cmp.Or(d.File.jsonError(d.File.begin()), err)
	case err != nil:
		d.Err = err
	case root != nil:
		d.Root = yaml.NewRNode(root)
	}
}

// jsonDocuments finds JSON values, as kubectl does when the text starts with an opening brace. It has to read them for
// that. It returns the offset after them, where YAML begins: a text that is not JSON throughout may be YAML in flow
// style, or one JSON value and YAML after it (YAMLOrJSONDecoder.Decode of k8s.io/apimachinery).
func (f *File) jsonDocuments(start int) (rest int) {
	at := start + leadingSpace(f.Source[start:])
	if at == len(f.Source) || f.Source[at] != '{' {
		return start
	}
	for at < len(f.Source) {
		root, end, err := readJSON(f.Source[at:])
		if err != nil && len(f.Documents) == 1 {
			behind := f.Documents[0].End
			if len(bytes.TrimSpace(lines.Text(f.Source[behind:]))) == 0 {
				return lines.End(f.Source, behind)
			}
			return behind
		}
		if err != nil {
			f.Documents = nil
			return start
		}
		d := f.add(&Document{Start: at, End: at + end, JSON: true})
		shiftLines(root, d.base)
		d.Root = yaml.NewRNode(root)
		at += end
		at += leadingSpace(f.Source[at:])
	}
	return at
}

// parse reads the document's text. The node is nil for a document without content.
func (d *Document) parse() (*yaml.Node, *SyntaxError) {
	if d.JSON {
		root, _, err := readJSON(d.Text())
		if err != nil {
			return nil, d.syntaxError(err)
		}
		shiftLines(root, d.base)
		return root, nil
	}
	if len(bytes.Trim(bytes.TrimPrefix(d.Text(), []byte("---")), " \r\n")) == 0 {
		return nil, nil // a parser costs kilobytes, and there may be a million of them
	}
	text, _ := d.withoutMark()
	root, err := readYAML(unixLines(text))
	if err != nil {
		return nil, d.syntaxError(err)
	}
	if root != nil {
		shiftLines(root, d.base)
	}
	return root, nil
}

// unixLines replaces line ends by those that the parser needs to delimit comments: with other line ends it attaches
// comments to other nodes, and adds blank lines. Lines and columns stay, as no node has an offset. A carriage return
// before such a line end is one of its own, and would be taken for a part of it.
func unixLines(text []byte) []byte {
	if !bytes.Contains(text, []byte("\r\n")) || bytes.Contains(text, []byte("\r\r\n")) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// withoutMark returns the document's text without a byte order mark after its `---` line, which is there when files
// were joined, and the mark's offset; 0 when there is none. To kubectl's reader the document begins after that line and
// does not include a mark there, unless the line is the file's first, which is passed to the parser, too.
func (d *Document) withoutMark() (text []byte, mark int) {
	text = d.Text()
	behind := lines.End(d.File.Source, d.Start)
	if !lines.IsMarker(text, "---") || !bytes.HasPrefix(d.File.Source[behind:d.End], []byte(lines.BOM)) {
		return text, 0
	}
	text = append(slices.Clone(text[:behind-d.Start]), d.File.Source[behind+len(lines.BOM):d.End]...)
	return text, behind
}

// add appends a document, which begins after the last one.
func (f *File) add(d *Document) *Document {
	f.Documents = append(f.Documents, f.behind(f.last(), d))
	return d
}

// last is the last of Documents; nil when there is none.
func (f *File) last() *Document {
	if len(f.Documents) == 0 {
		return nil
	}
	return f.Documents[len(f.Documents)-1]
}

// behind makes a document the one after another, or with nil the first of the file.
func (f *File) behind(before, d *Document) *Document {
	d.File = f
	if before == nil {
		d.base = linesIn(f.Source[:d.Start], d.JSON)
		return d
	}
	d.Index, d.behindJSON = before.Index+1, before.JSON
	d.base = before.base + linesIn(f.Source[before.Start:d.Start], d.JSON)
	return d
}
