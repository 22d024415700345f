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

// Remove takes all entries of some keys out of a mapping and returns their nodes. Entries that come through a merge key
// stay.
func Remove(m *yaml.Node, keys ...string) (removed []*yaml.Node) {
	m = crd.Deref(m)
	if m == nil || m.Kind != yaml.MappingNode || len(m.Content) == 0 {
		return nil
	}
	named := map[string]bool{}
	for _, key := range keys {
		named[key] = true
	}
	first, separators := m.Content[0], slices.Clone(Separators(m))
	left := m.Content[:0]
	for i := 0; i+1 < len(m.Content); i += 2 {
		entry := m.Content[i : i+2]
		if name, ok := yaml11.Key(entry[0]); ok && named[name] && !yaml11.IsMerge(entry[0]) {
			removed = append(removed, entry...)
		} else {
			left = append(left, entry...)
		}
	}
	if removed == nil {
		return nil
	}
	clear(m.Content[len(left):])
	m.Content = left
	if removed[0] == first && len(left) > 0 {
		removed = append(removed, left[0]) // moves up after the dash, if there is one
	}
	return append(removed, separators...)
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

// InsertSorted puts entries, in alphabetical order, into a mapping: in their places if its keys are in that order, as generators
// write them (three in four v1beta1 manifests of public repositories), otherwise after the last, as most people do.
func InsertSorted(m *yaml.Node, entries ...*yaml.Node) {
	names := func(content []*yaml.Node) (all []string) {
		for i := 0; i < len(content); i += 2 {
			name, _ := yaml11.Key(content[i])
			all = append(all, name)
		}
		return all
	}
	old, fresh := names(m.Content), names(entries)
	if !slices.IsSorted(old) {
		m.Content = append(m.Content, entries...)
		return
	}
	var content []*yaml.Node
	for i, j := 0, 0; i < len(old) || j < len(fresh); {
		if i == len(old) || j < len(fresh) && fresh[j] <= old[i] {
			content = append(content, entries[2*j:2*j+2]...)
			j++
			continue
		}
		content = append(content, m.Content[2*i:2*i+2]...)
		i++
	}
	m.Content = content
}

// Require puts properties into the required list of a schema: into one of its own, where other schemas share the list. It
// returns those that were not there. The nodes returned stood on lines that change.
func Require(schema *yaml.Node, properties ...string) (touched []*yaml.Node, added []string) {
	schema = crd.Deref(schema)
	k, list := crd.Lookup(schema, "required")
	all := crd.Items(list)
	known := map[string]bool{}
	for _, n := range all {
		known[crd.StringAt(n)] = true
	}
	fresh := List()
	for _, property := range properties {
		if !known[property] {
			known[property], added = true, append(added, property)
			fresh.Content = append(fresh.Content, String(property))
		}
	}
	if len(added) == 0 {
		return nil, nil
	}
	own := list != nil && list.Kind == yaml.SequenceNode && list.Anchor == "" && slices.Contains(schema.Content, k)
	if own && len(all) > 0 {
		list.Content = append(list.Content, fresh.Content...)
		return Separators(list), added
	}
	var before []*yaml.Node
	for _, n := range all {
		before = append(before, String(crd.StringAt(n)))
	}
	fresh.Content = append(before, fresh.Content...)
	return Set(schema, "required", fresh), added
}
