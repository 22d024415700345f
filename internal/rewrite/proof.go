package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ErrCommentsLost says that a change can only be written in a way that loses comments; nothing should be written.
var ErrCommentsLost = errors.New("this document is written in a way that cannot be changed without losing comments")

// prove returns the edited document if it parses to the tree, has the comments of the source, and the markers around
// it, which separate it from its neighbours. Of merged comments one must be left.
func (s *source) prove(root *yaml.Node, edits []Edit, merged map[string]int) (*Result, error) {
	made, after, err := s.edited(root, edits)
	if err != nil {
		return nil, err
	}
	return made, lostComment(s.Layout, after, merged)
}

// edited is prove without the comments, which are those of the layout.
func (s *source) edited(root *yaml.Node, edits []Edit) (*Result, *manifest.Layout, error) {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Start -= s.Start
		moved[i].End -= s.Start
	}
	text := Apply(s.document.Text(), moved)
	after, err := s.document.Reread(text)
	if err != nil {
		return nil, nil, fmt.Errorf("the result does not parse: %w", err)
	}
	if after.Root == nil || !same(root, after.Root.Node) {
		return nil, nil, fmt.Errorf("the result does not mean what it should: %s", difference(root, after.Root, 1))
	}
	if alias := astray(root, after.Root.Node); alias != "" {
		return nil, nil, fmt.Errorf("the result does not mean what it should: the alias *%s would stand for another anchor of that name", alias)
	}
	if was, is := frame(s.Layout), frame(after); !s.document.JSON && was != is {
		return nil, nil, fmt.Errorf("the result would stand as %q, not %q", is, was)
	}
	return &Result{Edits: edits, Text: text, Root: after.Root.Node}, after, nil
}

// frame lists the directives and markers around the content of a document, which are lines of their own but for a `---`
// that the content followl.
func frame(l *manifest.Layout) string {
	var frame []string
	note := func(from, to int) {
		for at := from; at < to; at = lines.End(l.Source, at) {
			line := l.Source[at:min(lines.End(l.Source, at), l.End)]
			switch {
			case !lines.Begins(l.Source, at):
			case lines.IsMarker(line, "---") || lines.IsMarker(line, "..."):
				frame = append(frame, string(line[:3]))
			case line[0] == '%':
				frame = append(frame, string(bytes.TrimSpace(line)))
			}
		}
	}
	note(l.Start, l.Root.Start)
	frame = append(frame, "content")
	note(l.Root.End, l.End)
	return strings.Join(frame, " ")
}

// lostComment compares comments as multisets. Of merged ones one must be left.
func lostComment(before, after *manifest.Layout, merged map[string]int) error {
	left := map[string]int{}
	for _, s := range after.Comments {
		left[string(bytes.TrimSpace(after.Source[s.Start:s.End]))]++
	}
	for text, n := range merged {
		if text = strings.TrimSpace(text); left[text] > 0 {
			left[text] += n
		}
	}
	for _, s := range before.Comments {
		text := string(bytes.TrimSpace(before.Source[s.Start:s.End]))
		if left[text]--; left[text] < 0 {
			return fmt.Errorf("%w: %s", ErrCommentsLost, text)
		}
	}
	return nil
}

// same reports whether two trees mean the same to YAML: kinds, tags, values, anchors and aliases; not style or comments.
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

// astray names an alias of a tree that stands for another node in one that is the same to YAML: an anchor that moves below its
// alias leaves that to an earlier anchor of the same name. It is "" for none. What an alias stands for outside of the tree is not known.
func astray(a, b *yaml.Node) (alias string) {
	anchored := map[*yaml.Node]*yaml.Node{}
	var each func(a, b *yaml.Node, do func(a, b *yaml.Node))
	each = func(a, b *yaml.Node, do func(a, b *yaml.Node)) {
		do(a, b)
		for i, c := range a.Content {
			each(c, b.Content[i], do)
		}
	}
	each(a, b, func(a, b *yaml.Node) {
		if a.Anchor != "" {
			anchored[a] = b
		}
	})
	if len(anchored) > 0 {
		each(a, b, func(a, b *yaml.Node) {
			if was := anchored[a.Alias]; was != nil && was != b.Alias {
				alias = a.Value
			}
		})
	}
	return alias
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

// difference names the first place where two trees differ, for an error message: by its line in the source, or, where
// it is new, by the line of its parent.
func difference(a *yaml.Node, o *manifest.Origin, line int) string {
	if a.Line > 0 {
		line = a.Line
	}
	at := fmt.Sprintf("what line %d of the source has ", line)
	if o == nil {
		return at + "is missing"
	}
	b := o.Node
	if want, got := describe(a), describe(b); want != got {
		return at + fmt.Sprintf("would be %s, not %s", got, want)
	}
	for i, c := range a.Content {
		if !same(c, b.Content[i]) {
			return difference(c, o.Children[i], line)
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

// describe names the kind of a node, without its content and without its anchor.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.AliasNode:
		return "the alias *" + n.Value
	case yaml.ScalarNode:
		return n.ShortTag() + " " + text.Quoted(n.Value).Brief()
	}
	return fmt.Sprintf("%s of %d nodes", n.ShortTag(), len(n.Content))
}
