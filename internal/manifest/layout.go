package manifest

import (
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An origin is a node of the document as it was read, with the bytes it came from.
type origin struct {
	node   *yaml.Node
	parent *origin
	index  int // in parent.children
	// start includes an anchor and a tag, which end at properties; content is behind them; end is exclusive and leaves
	// out a comment and the line end behind the node.
	start, properties, content, end int
	children                        []*origin

	elements []element // of a block collection; made by divide
	last     int       // end of the text that belongs to a block collection, comments behind its last entry included
}

// A layout knows where every node of a document stands. It describes the source, not the tree that callers change.
type layout struct {
	src      []byte
	table    *lines.Table // of src
	root     *origin
	byPlace  map[place]*origin
	comments []lines.Span // every comment, from its `#` to the end of its line, in order

	divided   bool // whether blocks have their elements
	divideErr error
}

// A place identifies a node by what kyaml keeps when it copies one.
type place struct {
	line, column int
	kind         yaml.Kind
}

// Keep gives the document a copy of its tree as it was read, which nobody changes, so that the source need not be parsed
// again to tell where nodes stood.
func (d *Document) Keep(read *yaml.Node) { d.kept = read }

// layoutOf parses the document's source again, unless a tree was kept: the one that callers hold may have changed by now.
func (d *Document) layoutOf() (*layout, error) {
	d.measured.Do(func() {
		l := &layout{src: d.File.Source, table: d.File.Table, byPlace: map[place]*origin{}}
		if d.layoutErr = l.read(d); d.layoutErr == nil {
			d.layout = l
		}
	})
	return d.layout, d.layoutErr
}

// read fills in all but byPlace, and that too if it is there.
func (l *layout) read(d *Document) error {
	if d.json {
		return l.readJSON(d)
	}
	return l.readYAML(d)
}

func (l *layout) readJSON(d *Document) error {
	root, _, spans, err := readJSON(l.src[d.Start:d.End])
	if err != nil {
		return err
	}
	shiftLines(root, d.base)
	var add func(n *yaml.Node, parent *origin) *origin
	add = func(n *yaml.Node, parent *origin) *origin {
		s := spans[n]
		start := d.Start + s.Start
		o := &origin{node: n, parent: parent, start: start, properties: start, content: start, end: d.Start + s.End}
		o.children = make([]*origin, 0, len(n.Content))
		if l.byPlace != nil {
			l.byPlace[place{n.Line, n.Column, n.Kind}] = o
		}
		for i, c := range n.Content {
			co := add(c, o)
			co.index = i
			o.children = append(o.children, co)
		}
		return o
	}
	l.root = add(root, nil)
	return nil
}

func (l *layout) readYAML(d *Document) error {
	root := d.kept
	if root == nil {
		var serr *SyntaxError
		if root, serr = d.parse(); serr != nil {
			return serr
		}
	}
	if root == nil {
		return nil
	}
	m := &measurer{layout: l, begins: lines.YAML(l.src, d.Start, d.End), base: d.base, limit: d.End}
	var err error
	if l.root, err = m.measure(root, nil, d.Start); err != nil {
		return err
	}
	l.comments = l.findComments(d)
	return nil
}

// findComments looks at all the text between scalars; a `#` there behind white space begins a comment.
func (l *layout) findComments(d *Document) []lines.Span {
	var found []lines.Span
	scan := func(from, to int) {
		for i := from; i < to; i++ {
			if l.src[i] == '#' && (i == 0 || lines.IsSpace(l.src[i-1]) || i == d.Start) {
				end := i + len(lines.Text(l.src[i:]))
				found = append(found, lines.Span{Start: i, End: end})
				i = end
			}
		}
	}
	at := d.Start
	var visit func(o *origin)
	visit = func(o *origin) {
		if len(o.children) == 0 {
			scan(at, o.content)
			at = max(at, o.end)
			if o.node.Kind != yaml.ScalarNode && o.node.Kind != yaml.AliasNode {
				scan(o.content, o.end) // empty brackets
			}
			if o.node.Kind == yaml.ScalarNode && o.node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				header := o.content + len(lines.Text(l.src[o.content:]))
				scan(o.content, header)
			}
		}
		for _, c := range o.children {
			visit(c)
		}
	}
	visit(l.root)
	scan(at, d.End)
	return found
}

// originOf is the node as it was read that n is, or is a copy of; nil when n was made anew.
func (l *layout) originOf(n *yaml.Node) *origin {
	if n == nil || n.Line == 0 {
		return nil
	}
	return l.byPlace[place{n.Line, n.Column, n.Kind}]
}

// Span gives the bytes in the file that a node came from: its anchor and tag included, a comment or line end behind
// it left out. It is false for a node that was not in the document when it was read.
func (d *Document) Span(n *yaml.Node) (start, end int, ok bool) {
	if start, end, ok := d.scalarSpan(n); ok {
		return start, end, true
	}
	l, err := d.layoutOf()
	if err != nil {
		return 0, 0, false
	}
	o := l.originOf(n)
	if o == nil {
		return 0, 0, false
	}
	return o.start, o.end, true
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
