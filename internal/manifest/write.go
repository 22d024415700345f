package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
	edits = trimFinalNewline(d, editsOf(l.src, d.Start, d.End, p.out))
	return edits, d.prove(root, edits, p.merged)
}

// trimFinalNewline keeps a file that ends without a line end as it is.
func trimFinalNewline(d *Document, edits []Edit) []Edit {
	src := d.File.Source
	if d.End != len(src) || len(src) == 0 || src[len(src)-1] == '\n' {
		return edits
	}
	n := len(edits)
	if n == 0 || edits[n-1].End != len(src) {
		return edits
	}
	last := &edits[n-1]
	if last.New != "" {
		last.New = strings.TrimSuffix(strings.TrimSuffix(last.New, "\n"), "\r")
		return edits
	}
	floor := d.Start
	if n > 1 {
		floor = edits[n-2].End
	}
	for _, b := range []byte("\n\r") {
		if last.Start > floor && src[last.Start-1] == b {
			last.Start--
		}
	}
	return edits
}

// prove parses the edited document and compares it with the tree, and its comments with those of the source.
func (d *Document) prove(root *yaml.Node, edits []Edit, merged map[string]int) error {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Start -= d.Start
		moved[i].End -= d.Start
	}
	after := &Document{File: &File{Source: Apply(d.Text(), moved)}, json: d.json}
	after.End = len(after.File.Source)
	l, err := after.layoutOf()
	if err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	if l.root == nil || !same(root, l.root.node) {
		return fmt.Errorf("the result does not mean what it should: %s", difference(root, l.root, ""))
	}
	before, err := d.layoutOf()
	if err != nil {
		return err
	}
	return lostComment(before, l, merged)
}

// lostComment compares comments as multisets. Of merged ones one must be left.
func lostComment(before, after *layout, merged map[string]int) error {
	left := map[string]int{}
	for _, s := range after.comments {
		left[string(bytes.TrimSpace(after.src[s.start:s.end]))]++
	}
	for text, n := range merged {
		if text = strings.TrimSpace(text); left[text] > 0 {
			left[text] += n
		}
	}
	for _, s := range before.comments {
		text := string(bytes.TrimSpace(before.src[s.start:s.end]))
		if left[text]--; left[text] < 0 {
			return fmt.Errorf("%w: %s", ErrCommentsLost, text)
		}
	}
	return nil
}

// same says whether two trees mean the same to YAML: kinds, tags, values, anchors and aliases; not style or comments.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || a.Anchor != b.Anchor || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind != yaml.AliasNode && a.ShortTag() != b.ShortTag() {
		return false
	}
	for i, c := range a.Content {
		if !same(c, b.Content[i]) {
			return false
		}
	}
	return true
}

// difference names the first place where two trees differ, for an error message.
func difference(a *yaml.Node, o *origin, path string) string {
	if o == nil {
		return path + " is missing"
	}
	b := o.node
	if a.Kind != b.Kind || a.Value != b.Value || len(a.Content) != len(b.Content) || a.ShortTag() != b.ShortTag() {
		return fmt.Sprintf("%s: want %s %.40q with %d children, got %s %.40q with %d", path,
			a.ShortTag(), a.Value, len(a.Content), b.ShortTag(), b.Value, len(b.Content))
	}
	for i, c := range a.Content {
		if !same(c, b.Content[i]) {
			return difference(c, o.children[i], fmt.Sprintf("%s/%d", path, i))
		}
	}
	return path + ": anchors differ"
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

// Comments lists the comments of all documents that parse, without the spaces around them.
func (f *File) Comments() []string {
	var all []string
	for _, d := range f.Documents {
		if l, err := d.layoutOf(); err == nil && d.Err == nil {
			for _, s := range l.comments {
				all = append(all, string(bytes.TrimSpace(l.src[s.start:s.end])))
			}
		}
	}
	return all
}
