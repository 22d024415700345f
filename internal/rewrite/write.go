package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ErrOddForm says that a document is written in a way that neither the lossless writer nor the encoder can change.
var ErrOddForm = errors.New("this document is written in a way that cannot be changed here")

// A Writer writes a document with other trees than the one that was read.
type Writer struct {
	source *source
	err    error
}

// Of returns the writer of a document that parses and is not empty.
func Of(d *manifest.Document) *Writer {
	s, err := sourceOf(d)
	return &Writer{s, err}
}

// Write returns the edits that turn the document's source into a tree: the one that was read, changed, or a changed
// copy of it. The error is ErrCircular, ErrCommentsLost, ErrOddForm, or explains why the result would be wrong.
func (w *Writer) Write(root *yaml.Node) (*Result, error) {
	inJSON := w.source.document.JSON
	switch {
	case isCircular(root, map[*yaml.Node]bool{}):
		return nil, ErrCircular
	case w.err != nil && inJSON:
		return nil, w.err
	case w.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrOddForm, w.err) // the positions are unknown
	}
	made, reason := w.source.surgery(root)
	if reason == nil || inJSON {
		return made, reason
	}
	made, err := w.source.encode(root)
	switch {
	case err == nil:
		made.Encoded = reason.Error()
		return made, nil
	case errors.Is(err, ErrCommentsLost):
		return nil, both(err, reason)
	case errors.As(reason, new(*manifest.OddForm)):
		return nil, fmt.Errorf("%w: %w", ErrOddForm, both(reason, err))
	}
	return nil, both(reason, err)
}

// both is an error with that of the other way to write, where that says something else.
func both(err, other error) error {
	if err.Error() == other.Error() {
		return err
	}
	return fmt.Errorf("%w (%v)", err, other)
}

// ErrCircular is the error for a tree that contains itself, which has no end as text.
var ErrCircular = errors.New("the tree contains itself")

// isCircular reports whether a node is met again below itself. Of those in open, true is one above, and false one that is done.
func isCircular(n *yaml.Node, open map[*yaml.Node]bool) bool {
	if n == nil {
		return false
	}
	if above, seen := open[n]; seen {
		return above
	}
	open[n] = true
	defer func() { open[n] = false }()
	return isCircular(n.Alias, open) || slices.ContainsFunc(n.Content, func(below *yaml.Node) bool { return isCircular(below, open) })
}

// surgery makes the edits by the lossless writer, and proves them.
func (s *source) surgery(root *yaml.Node) (made *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			made, err = nil, fmt.Errorf("the lossless writer failed: %v", p)
		}
	}()
	if same(root, s.Root.Node) && alike(root, s.Root.Node) {
		return &Result{}, nil
	}
	if err := s.study(); err != nil {
		return nil, err
	}
	p := newPrinter(s, root)
	if err := p.document(root); err != nil {
		return nil, err
	}
	if s.endsFileOpen() {
		out := withoutEnd(s.Source, p.out)
		p.unended.end(out)
		if made, err := s.prove(root, editsOf(s.Source, s.Start, s.End, out), p.merged); err == nil {
			return made, nil
		}
		p.unended.end(p.out) // the text at the end now may need its line end
	}
	return s.prove(root, editsOf(s.Source, s.Start, s.End, p.out), p.merged)
}

// document prints the document with a tree, and the unchanged text around its content.
func (p *printer) document(root *yaml.Node) error {
	o := p.OriginOf(root)
	if o != p.Root || p.isFlow(root) != p.isFlow(o.Node) || p.isBlock(root) != p.isBlock(o.Node) {
		return odd(p.Root, "a root that would have to be of another style")
	}
	home := spot{home: true}
	if p.isBlock(root) {
		p.copySource(p.Start, p.elements(o)[0].lead, home)
		p.block(root, p.Column(o), true, false)
		p.copySource(p.blocks[o].last, p.End, home)
		return nil
	}
	p.copySource(p.Start, o.Start, home)
	p.flow(root, home)
	p.copySource(o.End, p.End, home)
	return nil
}
