package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ErrCommentsLost says that a change can only be written in a way that loses comments; nothing should be written.
var ErrCommentsLost = errors.New("this document is written in a way that cannot be changed without losing comments")

// Edits gives the edits that turn the document's source into its tree as it is now; none when nothing changed. The
// offsets are those of the file. The second result is true when the whole document had to be written by kyaml's
// encoder, which keeps comments but not the layout. The error is ErrCommentsLost, or says why the result would not
// parse to the tree; there are no edits then.
func (d *Document) Edits() (edits []Edit, encoded bool, err error) {
	if d.Root == nil {
		return nil, false, nil
	}
	root := d.Root.YNode()
	edits, reason := d.surgery(root)
	if reason == nil {
		return edits, false, nil
	}
	if d.json {
		return nil, false, reason
	}
	edit, err := d.encode(root)
	if err != nil {
		return nil, false, fmt.Errorf("%w (%v)", err, reason)
	}
	return []Edit{edit}, true, nil
}

// surgery makes the edits by the lossless writer, and proves them.
func (d *Document) surgery(root *yaml.Node) (edits []Edit, err error) {
	defer func() {
		if p := recover(); p != nil {
			edits, err = nil, fmt.Errorf("the lossless writer failed: %v", p)
		}
	}()
	l, err := d.layoutOf()
	if err != nil {
		return nil, err
	}
	if l.root != nil && same(root, l.root.node) {
		return nil, nil
	}
	if !d.json {
		if err := l.divide(d); err != nil {
			return nil, err
		}
	}
	p := newPrinter(l, l.styleOf(d), root)
	p.unended = l.findUnended(d)
	o := p.originOf(root)
	if o != l.root || p.isFlow(root) != p.isFlow(o.node) || p.isBlock(root) != p.isBlock(o.node) {
		return nil, errors.New("the root of the document was replaced")
	}
	if p.isBlock(root) {
		first := o.elements[0].lead
		p.copySource(d.Start, first, spot{home: true})
		p.block(root, p.column(o), true, false)
		p.copySource(o.last, d.End, spot{home: true})
	} else {
		p.copySource(d.Start, o.start, spot{home: true})
		p.flow(root, spot{home: true})
		p.copySource(o.end, d.End, spot{home: true})
	}
	if !d.endsFileOpen() {
		edits = editsOf(l.src, d.Start, d.End, p.out)
		return edits, d.prove(root, edits, p.merged)
	}
	out := withoutEnd(l.src, p.out)
	p.unended.end(out)
	edits = editsOf(l.src, d.Start, d.End, out)
	if err = d.prove(root, edits, p.merged); err != nil {
		// what stands at the end now needs its line end
		p.unended.end(p.out)
		edits = editsOf(l.src, d.Start, d.End, p.out)
		err = d.prove(root, edits, p.merged)
	}
	return edits, err
}

// encode writes the whole document with kyaml's encoder.
func (d *Document) encode(root *yaml.Node) (Edit, error) {
	s := style{eol: "\n", step: 2}
	if l, err := d.layoutOf(); err == nil {
		s = l.styleOf(d)
	}
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err := enc.Encode(root); err != nil {
		return Edit{}, err
	}
	if err := enc.Close(); err != nil {
		return Edit{}, err
	}
	text := out.String()
	if isMarker(d.Text(), "---") && !strings.HasPrefix(text, "---") {
		text = "---\n" + text
	}
	if s.eol == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	edit := Edit{d.Start, d.End, text}
	if err := d.prove(root, []Edit{edit}, nil); err != nil {
		return Edit{}, err
	}
	return edit, nil
}
