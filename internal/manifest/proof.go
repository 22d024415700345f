package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// prove parses the edited document and compares it with the tree, its comments with those of the source, and the markers
// around it, which keep it and its neighbours apart. Of merged comments one must be left.
func (d *Document) prove(root *yaml.Node, edits []Edit, merged map[string]int) error {
	before, after, err := d.edited(root, edits)
	if err != nil {
		return err
	}
	return lostComment(before, after, merged)
}

// edited is what prove asks for but for the comments, which are those of before and after.
func (d *Document) edited(root *yaml.Node, edits []Edit) (before, after *layout, err error) {
	if before, err = d.layoutOf(); err != nil {
		return nil, nil, err
	}
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Start -= d.Start
		moved[i].End -= d.Start
	}
	text := Apply(d.Text(), moved)
	result := &Document{File: &File{Source: text, Table: lines.TableOf(text)}, End: len(text), json: d.json}
	after = &layout{src: text, table: result.File.Table} // nobody asks it for places
	if err := after.read(result); err != nil {
		return nil, nil, fmt.Errorf("the result does not parse: %w", err)
	}
	if after.root == nil || !same(root, after.root.node) {
		return nil, nil, fmt.Errorf("the result does not mean what it should: %s", difference(root, after.root, 1))
	}
	if was, is := before.frame(d), after.frame(result); !d.json && was != is {
		return nil, nil, fmt.Errorf("the result would stand as %q, not %q", is, was)
	}
	d.proven, d.provenRoot = after.src, after.root.node
	return before, after, nil
}

// frame lists the directives and markers around the content of a document, which are lines of their own but for a `---`
// that the content follows.
func (l *layout) frame(d *Document) string {
	var frame []string
	note := func(from, to int) {
		for at := from; at < to; at = lines.End(l.src, at) {
			line := l.src[at:min(lines.End(l.src, at), d.End)]
			switch {
			case !lines.Begins(l.src, at):
			case lines.IsMarker(line, "---") || lines.IsMarker(line, "..."):
				frame = append(frame, string(line[:3]))
			case line[0] == '%':
				frame = append(frame, string(bytes.TrimSpace(line)))
			}
		}
	}
	note(d.Start, l.root.start)
	frame = append(frame, "content")
	note(l.root.end, d.End)
	return strings.Join(frame, " ")
}

// Proven is the text that Edits last made of the document, and the tree that it was parsed to in order to prove them;
// nil when no text was made, or none that parses.
func (d *Document) Proven() (text []byte, root *yaml.Node) { return d.proven, d.provenRoot }

// lostComment compares comments as multisets. Of merged ones one must be left.
func lostComment(before, after *layout, merged map[string]int) error {
	left := map[string]int{}
	for _, s := range after.comments {
		left[string(bytes.TrimSpace(after.src[s.Start:s.End]))]++
	}
	for text, n := range merged {
		if text = strings.TrimSpace(text); left[text] > 0 {
			left[text] += n
		}
	}
	for _, s := range before.comments {
		text := string(bytes.TrimSpace(before.src[s.Start:s.End]))
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

// alike reports whether YAML 1.1, too, reads two trees that are the same as the same: to it, quotes tell "on" from true.
func alike(a, b *yaml.Node) bool {
	if a.Kind == yaml.ScalarNode && a.Style != b.Style {
		kindA, valueA := yaml11.Resolve(a)
		kindB, valueB := yaml11.Resolve(b)
		return kindA == kindB && valueA == valueB
	}
	for i, c := range a.Content {
		if !alike(c, b.Content[i]) {
			return false
		}
	}
	return true
}

// difference names the first place where two trees differ, for an error message: by its line in the source, or the line of
// what it is in where it is new.
func difference(a *yaml.Node, o *origin, line int) string {
	if a.Line > 0 {
		line = a.Line
	}
	at := fmt.Sprintf("what line %d of the source has ", line)
	if o == nil {
		return at + "is missing"
	}
	b := o.node
	if want, got := describe(a), describe(b); want != got {
		return at + fmt.Sprintf("would be %s, not %s", got, want)
	}
	for i, c := range a.Content {
		if !same(c, b.Content[i]) {
			return difference(c, o.children[i], line)
		}
	}
	switch {
	case a.Anchor == "":
		return at + "would have the anchor &" + b.Anchor
	case b.Anchor == "":
		return at + "would lose the anchor &" + a.Anchor
	}
	return at + fmt.Sprintf("would have the anchor &%s, not &%s", b.Anchor, a.Anchor)
}

// describe names what a node is, without what it holds and without its anchor.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.AliasNode:
		return "the alias *" + n.Value
	case yaml.ScalarNode:
		return fmt.Sprintf("%s %.40q", n.ShortTag(), n.Value)
	}
	return fmt.Sprintf("%s of %d nodes", n.ShortTag(), len(n.Content))
}
