package repair

import (
	"slices"
	"strconv"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// String makes a node for a string, quoted where YAML 1.1 or 1.2 would read the plain text as something else.
func String(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s}
	if !yaml11.PlainSafe(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// Bool makes a node for a boolean.
func Bool(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: strconv.FormatBool(b)}
}

// List makes a node for a sequence.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}

// Mapping makes a node for a mapping of alternating keys (string) and values (*yaml.Node).
func Mapping(keysAndValues ...any) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		m.Content = append(m.Content, String(keysAndValues[i].(string)), keysAndValues[i+1].(*yaml.Node))
	}
	return m
}

// Set gives a mapping an entry: the one that counts gets the value, or a new one is appended. The nodes returned stood
// on lines that change.
func Set(m *yaml.Node, key string, value *yaml.Node) (touched []*yaml.Node) {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if name, ok := yaml11.Key(m.Content[i]); ok && name == key && !yaml11.IsMerge(m.Content[i]) {
			touched = []*yaml.Node{m.Content[i], m.Content[i+1]}
			m.Content[i+1] = value
			return touched
		}
	}
	touched = separators(m)
	m.Content = append(m.Content, String(key), value)
	if len(m.Content) == 2 {
		m.Style &^= yaml.FlowStyle // an empty mapping is written {} whatever the style around it
	}
	return touched
}

// setBefore is Set, but puts a new entry in front of the first of the named ones.
func setBefore(m *yaml.Node, key string, value *yaml.Node, others ...string) []*yaml.Node {
	touched := Set(m, key, value)
	at := len(m.Content) - 2
	if k := m.Content[at]; k.Value != key {
		return touched // it was there and has been replaced
	}
	for i := 0; i < at; i += 2 {
		if name, ok := yaml11.Key(m.Content[i]); ok && slices.Contains(others, name) {
			entry := slices.Clone(m.Content[at:])
			m.Content = slices.Insert(m.Content[:at], i, entry...)
			break
		}
	}
	return touched
}

// Remove takes all entries of a key out of a mapping and returns their nodes. Entries that come through a merge key
// stay.
func Remove(m *yaml.Node, key string) (removed []*yaml.Node) {
	m = crd.Deref(m)
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if name, ok := yaml11.Key(m.Content[i]); ok && name == key && !yaml11.IsMerge(m.Content[i]) {
			removed = append(removed, m.Content[i], m.Content[i+1])
			removed = append(removed, separators(m)...)
			if i == 0 && len(m.Content) > 2 {
				removed = append(removed, m.Content[2]) // moves up behind the dash, if there is one
			}
			m.Content = slices.Delete(m.Content, i, i+2)
		}
	}
	return removed
}

// separators lists the nodes whose lines may change when an entry is added to a mapping or taken out: in flow style
// the commas at the ends of lines, and the line of an empty pair of braces.
func separators(m *yaml.Node) []*yaml.Node {
	if m.Style&yaml.FlowStyle == 0 && len(m.Content) > 0 {
		return nil
	}
	if m.Line > 0 {
		return []*yaml.Node{m} // all its lines
	}
	return m.Content
}

// expandMerges replaces the merge keys of a mapping by what they bring in, so that an entry can be taken out.
func expandMerges(m *yaml.Node) {
	if !slices.ContainsFunc(m.Content, yaml11.IsMerge) {
		return
	}
	var content []*yaml.Node
	own := map[*yaml.Node]bool{}
	for i := 0; i < len(m.Content); i += 2 {
		own[m.Content[i]] = true
	}
	for _, e := range crd.Entries(m) {
		if own[e.Key] {
			content = append(content, e.Key, e.Value)
			continue
		}
		k, v := crd.Clone(e.Key), crd.Clone(e.Value)
		StripAnchors(v)
		content = append(content, k, v)
	}
	m.Content = content
}

// StripAnchors takes the anchors off a copy, whose original keeps them: aliases inside the copy stand for the
// original's nodes.
func StripAnchors(n *yaml.Node) {
	n.Anchor = ""
	for _, c := range n.Content {
		StripAnchors(c)
	}
}

// Forget takes the places off the nodes of a tree that stands in no file, or in another one: the writer takes a node for
// what stands in its place.
func Forget(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		Forget(c)
	}
}

// Expandable says whether a tree has aliases, and so few nodes behind them that the API server would read it: aliases of
// aliases can stand for billions of nodes, or for themselves.
func Expandable(n *yaml.Node) bool {
	if !hasAlias(n) {
		return false
	}
	_, err := yaml11.ToJSON(n)
	return err == nil
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

// ExpandAliases writes out what every alias and merge key of a tree stands for. It returns the aliases that are gone.
// The tree has to be Expandable.
func ExpandAliases(n *yaml.Node) (gone []*yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if yaml11.IsMerge(n.Content[i]) {
				gone = append(gone, n.Content[i], n.Content[i+1])
			}
		}
		expandMerges(n)
	}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			gone = append(gone, c)
			c = crd.Clone(crd.Deref(c))
			StripAnchors(c)
			n.Content[i] = c
		}
		gone = append(gone, ExpandAliases(c)...)
	}
	return gone
}

// Rename gives the entry of a mapping that counts another key, in its place; shadowed duplicates go.
func Rename(m *yaml.Node, from, to string) (touched []*yaml.Node) {
	k, _ := crd.Lookup(m, from)
	if k == nil {
		return nil
	}
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if name, ok := yaml11.Key(m.Content[i]); !ok || name != from || yaml11.IsMerge(m.Content[i]) {
			continue
		}
		touched = append(touched, m.Content[i])
		if m.Content[i] == k {
			k.Value, k.Tag = to, yaml.NodeTagString
			continue
		}
		touched = append(touched, m.Content[i+1])
		m.Content = slices.Delete(m.Content, i, i+2)
	}
	return touched
}

// EveryNode lists a node and all below it.
func EveryNode(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	all := []*yaml.Node{n}
	for _, c := range n.Content {
		all = append(all, EveryNode(c)...)
	}
	return all
}
