package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Set returns a mapping an entry: the one that counts gets the value, or a new one is appended. The nodes returned stood
// on lines that change.
func Set(m *yaml.Node, key string, value *yaml.Node) (touched []*yaml.Node) {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if name, ok := yaml11.Key(m.Content[i]); ok && name == key && !yaml11.IsMerge(m.Content[i]) {
			touched = []*yaml.Node{m.Content[i], m.Content[i+1]}
			m.Content[i+1] = value
			return touched
		}
	}
	touched = Separators(m)
	m.Content = append(m.Content, String(key), value)
	if len(m.Content) == 2 {
		m.Style &^= yaml.FlowStyle // an empty mapping is written {} whatever the style around it
	}
	return touched
}

// SetBefore is Set, but puts a new entry before the first of the named ones.
func SetBefore(m *yaml.Node, key string, value *yaml.Node, others ...string) []*yaml.Node {
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
			removed = append(removed, Separators(m)...)
			if i == 0 && len(m.Content) > 2 {
				removed = append(removed, m.Content[2]) // moves up after the dash, if there is one
			}
			m.Content = slices.Delete(m.Content, i, i+2)
		}
	}
	return removed
}

// Rename returns the entry of a mapping that counts another key, in its place; shadowed duplicates go.
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

// Separators lists the nodes whose lines may change when an entry is added to a mapping or taken out: in flow style
// the commas at the ends of lines, and the line of an empty pair of braces.
func Separators(m *yaml.Node) []*yaml.Node {
	if m.Style&yaml.FlowStyle == 0 && len(m.Content) > 0 {
		return nil
	}
	if m.Line > 0 {
		return []*yaml.Node{m} // all its lines
	}
	return m.Content
}

// Take removes an entry from a mapping and returns its key and its value: nil for one that comes through a merge key, or
// that is not there.
func Take(m *yaml.Node, key string) (k, v *yaml.Node) {
	k, v = crd.Lookup(m, key)
	if k == nil || !slices.Contains(crd.Deref(m).Content, k) {
		return nil, nil
	}
	Remove(m, key)
	return k, v
}

// Put appends an entry to a mapping, under a name of its own, in place of one that is null.
func Put(m, k, v *yaml.Node, key string) {
	Remove(m, key)
	k.Value, k.Tag = key, yaml.NodeTagString
	m.Content = append(m.Content, k, v)
}

// InsertAfter inserts a new entry into a mapping, after the last of the named ones or at its end. It reports whether it
// did: not where the mapping has a value for the key.
func InsertAfter(m *yaml.Node, key string, value *yaml.Node, others ...string) bool {
	m = crd.Deref(m)
	if m == nil || m.Kind != yaml.MappingNode || crd.HasValue(m, key) {
		return false
	}
	Remove(m, key) // a null one
	at := len(m.Content)
	for i := 0; i < len(m.Content); i += 2 {
		if name, ok := yaml11.Key(m.Content[i]); ok && slices.Contains(others, name) {
			at = i + 2
		}
	}
	m.Content = slices.Insert(m.Content, at, String(key), value)
	return true
}

// InsertSorted puts an entry into a mapping: in its place if the keys are in alphabetical order, as generators write
// them (three in four v1beta1 manifests of public repositories), otherwise after the last, as most people do.
func InsertSorted(m, key, value *yaml.Node) {
	var names []string
	for i := 0; i < len(m.Content); i += 2 {
		name, _ := yaml11.Key(m.Content[i])
		names = append(names, name)
	}
	at := len(names)
	if slices.IsSorted(names) {
		at, _ = slices.BinarySearch(names, key.Value)
	}
	m.Content = slices.Insert(m.Content, 2*at, key, value)
}
