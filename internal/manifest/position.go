package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
)

// Keep gives the document its tree as it was read, so that the source need not be parsed again to find the positions of
// nodes: an unmodified copy, or the tree itself where nobody changes it.
func (d *Document) Keep(read *yaml.Node) { d.kept = read }

// Layout parses the document's source again, unless a tree was kept: the one that callers hold may have changed by now. The
// error is an OddForm, or says why the source does not parse; the root is nil where the document is empty.
func (d *Document) Layout() (*Layout, error) {
	d.measured.Do(func() {
		l := &Layout{Source: d.File.Source, Lines: d.File.Table, Start: d.Start, End: d.End, byPlace: map[place]*Origin{}}
		if d.layoutErr = l.read(d); d.layoutErr == nil {
			d.layout = l
		}
	})
	return d.layout, d.layoutErr
}

// Reread is the layout of what became of the document: another text in the same format, without a file around it. It does
// not know the nodes of the document's tree.
func (d *Document) Reread(text []byte) (*Layout, error) {
	l := &Layout{Source: text, Lines: lines.TableOf(text), End: len(text)}
	alone := &Document{File: &File{Source: text, Table: l.Lines}, End: len(text), JSON: d.JSON}
	return l, l.read(alone)
}

// read finds the nodes of a document.
func (l *Layout) read(d *Document) error {
	root := d.kept
	if root == nil {
		var err *SyntaxError
		if root, err = d.parse(); err != nil {
			return err
		}
	}
	if root == nil {
		return nil
	}
	begins := parserLines(l.Source, l.Start, l.End, d.JSON)
	if l.byPlace != nil {
		l.byPlace = make(map[place]*Origin, 2*len(begins)) // most lines have a key and a value
	}
	m := &measurer{Layout: l, begins: begins, base: d.base, limit: l.End}
	top := &Origin{}
	if err := m.measure(top, root, nil, l.Start); err != nil {
		return err
	}
	l.Root = top
	l.Comments = l.findComments()
	return nil
}

// Begin returns the line and column at which a node of the document begins, as Position counts them, from what the parser
// noted in it. Unlike Span, it does not read the document again.
func (d *Document) Begin(n *yaml.Node) (line, column int) {
	if !d.JSON && d.File.Odd() {
		if start, _, ok := d.Span(n); ok {
			return d.File.Position(start)
		}
	}
	return d.File.outside(n.Line, n.Column)
}

// Span returns the bytes in the file that a node came from: including its anchor and tag, without a comment or line end
// after it. It returns false for a node that was not in the document when it was read.
func (d *Document) Span(n *yaml.Node) (start, end int, ok bool) {
	if start, end, ok := d.scalarSpan(n); ok {
		return start, end, true
	}
	l, err := d.Layout()
	if err != nil {
		return 0, 0, false
	}
	o := l.OriginOf(n)
	if o == nil {
		return 0, 0, false
	}
	return o.Start, o.End, true
}

// scalarSpan is Span for scalars whose text is their value, as nearly all keys are: those can be found without reading
// the document once more.
func (d *Document) scalarSpan(n *yaml.Node) (start, end int, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.Line < 1 || n.Column < 1 || n.Value == "" || n.Anchor != "" ||
		n.Style&^yaml.DoubleQuotedStyle != 0 {
		return 0, 0, false
	}
	f := d.File
	start, ok = f.Offset(n.Line, n.Column)
	if !ok || f.Odd() {
		return 0, 0, false
	}
	text := n.Value
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		text = `"` + text + `"`
	}
	end = start + len(text)
	if start < d.Start || end > d.End || string(f.Source[start:end]) != text {
		return 0, 0, false
	}
	if text == n.Value && end < len(f.Source) && strings.IndexByte(" \t\r\n:,]}#", f.Source[end]) < 0 {
		return 0, 0, false // the scalar goes on: the value was changed
	}
	return start, end, true
}
