package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// prove parses the edited document and compares it with the tree, and its comments with those of the source.
func (d *Document) prove(root *yaml.Node, edits []Edit, merged map[string]int) error {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Start -= d.Start
		moved[i].End -= d.Start
	}
	after := &Document{File: &File{Source: Apply(d.Text(), moved)}, json: d.json}
	after.End = len(after.File.Source)
	l := &layout{src: after.File.Source} // nobody asks it for places
	if err := l.read(after); err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	if l.root == nil || !same(root, l.root.node) {
		return fmt.Errorf("the result does not mean what it should: %s", difference(root, l.root, ""))
	}
	before, err := d.layoutOf()
	if err != nil {
		return err
	}
	d.proven, d.provenRoot = after.File.Source, l.root.node
	return lostComment(before, l, merged)
}

// Proven is the text that Edits last made of the document, and the tree that it was parsed to in order to prove them;
// nil when no text was made, or none that parses.
func (d *Document) Proven() (text []byte, root *yaml.Node) { return d.proven, d.provenRoot }

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
