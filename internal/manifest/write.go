package manifest

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	// ErrCommentsLost says that a change can only be written in a way that loses comments; nothing should be written.
	ErrCommentsLost = errors.New("this document is written in a way that cannot be changed without losing comments")
	// ErrOddForm says that a document is written in a way that neither the lossless writer nor the encoder can change.
	ErrOddForm = errors.New("this document is written in a way that cannot be changed here")
)

// Edits gives the edits that turn the document's source into its tree as it is now; none when nothing changed. The
// offsets are those of the file.
//
// Where encoded is not empty, it says why the content had to be written by kyaml's encoder, which keeps comments but not
// the layout; what stands around the content stays. The error is ErrCommentsLost, ErrOddForm, or says why the result
// would not be what it should; there are no edits then.
func (d *Document) Edits() (edits []Edit, encoded string, err error) {
	if d.Root == nil {
		return nil, "", nil
	}
	root := d.Root.YNode()
	edits, reason := d.surgery(root)
	if reason == nil {
		return edits, "", nil
	}
	if d.json {
		return nil, "", reason
	}
	edit, err := d.encode(root)
	switch {
	case errors.Is(err, reason):
		return nil, "", fmt.Errorf("%w: %w", ErrOddForm, err) // it is not known what stands where
	case err == nil:
		return []Edit{edit}, reason.Error(), nil
	case errors.Is(err, ErrCommentsLost) && err.Error() == reason.Error():
		return nil, "", err
	case errors.Is(err, ErrCommentsLost):
		return nil, "", fmt.Errorf("%w (%v)", err, reason)
	case errors.As(reason, new(*oddForm)):
		return nil, "", fmt.Errorf("%w: %w (%v)", ErrOddForm, reason, err)
	}
	return nil, "", fmt.Errorf("%w (%v)", reason, err)
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
	if l.root != nil && same(root, l.root.node) && alike(root, l.root.node) {
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
		return nil, l.odd(l.root, "a root that would have to be of another style")
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
	return d.finish(p, root)
}

// finish makes edits of what was printed, with an end like the source's, and proves them.
func (d *Document) finish(p *printer, root *yaml.Node) (edits []Edit, err error) {
	if d.endsFileOpen() {
		out := withoutEnd(p.src, p.out)
		p.unended.end(out)
		edits = editsOf(p.src, d.Start, d.End, out)
		if err = d.prove(root, edits, p.merged); err == nil {
			return edits, nil
		}
		p.unended.end(p.out) // what stands at the end now may need its line end
	}
	edits = editsOf(p.src, d.Start, d.End, p.out)
	return edits, d.prove(root, edits, p.merged)
}
