package crd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Move takes the entry at a path to another path, and makes the mapping or the list around it where there is none. It
// reports whether it did: it does not where the place is taken, and not for an entry that is shared through an anchor,
// is written twice or comes from a merge key.
func (c *CRD) Move(from, to string) bool {
	if !c.canMove(from, to) {
		return false
	}
	was, steps := Steps(from), Steps(to)
	parent, name := c.own(was[:len(was)-1]), was[len(was)-1]
	holder, last := steps[:len(steps)-1], steps[len(steps)-1]
	at := entryAt(parent, name)
	k, v := parent.Content[at], parent.Content[at+1]
	parent.Content = slices.Delete(parent.Content, at, at+2)
	m := c.own(holder)
	if m == nil || IsNull(m) {
		m = c.makeHolder(holder, IsIndex(last), parent, at)
	}
	if m.Kind == yaml.SequenceNode {
		m.Content = append(m.Content, v)
	} else {
		removeEntry(m, last) // a null one
		k.Value, k.Tag = last, yaml.NodeTagString
		m.Content = append(m.Content, k, v)
	}
	if len(was) > 1 && len(parent.Content) == 0 && was[len(was)-2] == "properties" {
		removeEntry(c.own(was[:len(was)-2]), "properties")
	}
	return true
}

// canMove reports whether Move would.
func (c *CRD) canMove(from, to string) bool {
	was, steps := Steps(from), Steps(to)
	parent, name := c.own(was[:len(was)-1]), was[len(was)-1]
	if parent == nil || parent.Kind != yaml.MappingNode {
		return false
	}
	times := 0
	for i := 0; i < len(parent.Content); i += 2 {
		if key, ok := yaml11.Key(parent.Content[i]); ok && key == name {
			times++
		}
	}
	if times != 1 || parent.Content[entryAt(parent, name)].Anchor != "" {
		return false
	}
	return c.mayHold(steps[:len(steps)-1], steps[len(steps)-1])
}

// own returns the node at a path, if it is neither reached through an alias nor referred to by one; else nil.
func (c *CRD) own(steps []string) *yaml.Node {
	n := c.Node
	for _, step := range steps {
		next := -1
		if n.Kind == yaml.SequenceNode {
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
				next = i
			}
		} else if at := entryAt(n, step); at >= 0 {
			next = at + 1
		}
		if next < 0 || n.Content[next].Anchor != "" || n.Content[next].Kind == yaml.AliasNode {
			return nil
		}
		n = n.Content[next]
	}
	return n
}

// mayHold reports whether an entry of that name, or one more item, can be put at a path: its parent is of the right
// kind or missing.
func (c *CRD) mayHold(holder []string, last string) bool {
	m := c.own(holder)
	switch {
	case m == nil || IsNull(m):
		if len(holder) == 0 {
			return false
		}
		_, taken := c.Resolve(holder)
		around := c.own(holder[:len(holder)-1])
		return (m != nil || !taken) && around != nil && around.Kind == yaml.MappingNode
	case m.Kind == yaml.SequenceNode:
		return IsIndex(last)
	}
	_, taken := Lookup(m, last)
	return m.Kind == yaml.MappingNode && (taken == nil || IsNull(taken))
}

// makeHolder makes the mapping or the list at a path. In the mapping that something was taken from it gets its place.
func (c *CRD) makeHolder(steps []string, list bool, from *yaml.Node, at int) *yaml.Node {
	around, name := c.own(steps[:len(steps)-1]), steps[len(steps)-1]
	made := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: around.Style & yaml.FlowStyle}
	if list {
		made.Kind, made.Tag = yaml.SequenceNode, yaml.NodeTagSeq
	}
	if around != from {
		at = len(around.Content)
	}
	if i := entryAt(around, name); i >= 0 { // a null one
		around.Content[i+1] = made
		return made
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: name}
	around.Content = slices.Insert(around.Content, at, key, made)
	return made
}

// entryAt is the index of the key of that name in a mapping of its own; -1 when there is none.
func entryAt(m *yaml.Node, name string) int {
	k, _ := Lookup(m, name)
	return slices.Index(m.Content, k)
}

func removeEntry(m *yaml.Node, name string) {
	if i := entryAt(m, name); i >= 0 {
		m.Content = slices.Delete(m.Content, i, i+2)
	}
}

// holderOf returns the path of the mapping or list that contains the value at a path; names in it have no dots and no
// brackets.
func holderOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// A relocation maps paths of a copy to those of the same values in the manifest itself; "" for a mapping whose fields
// are at the top level there.
type relocation map[string]string

// AsWritten returns the path in the manifest of the value at a path of the copy.
func (r relocation) AsWritten(path string) string {
	for end := len(path); end > 0; end = max(strings.LastIndexAny(path[:end], ".["), 0) {
		if was, ok := r[path[:end]]; ok {
			return strings.TrimPrefix(r.AsWritten(was)+path[end:], ".")
		}
	}
	return path
}
