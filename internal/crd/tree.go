package crd

import (
	"iter"
	"slices"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// FirstKey returns the first key of a mapping or of the first item of a list, all the way down: where it begins.
func FirstKey(n *yaml.Node) *yaml.Node {
	for n != nil && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && len(n.Content) > 0 {
		n = n.Content[0]
	}
	return n
}

// Deref returns the node that an alias refers to, and any other node itself.
func Deref(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// Get returns the value below a path of keys, or nil. Of duplicate keys it takes the last, as the API
// server does; it looks through aliases and merge keys.
func Get(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		_, n = Lookup(n, key)
		if n == nil {
			return nil
		}
	}
	return Deref(n)
}

// Lookup finds the entry of a mapping that counts for a key. The key node is nil without one; key and value
// belong to another mapping when the entry comes through a merge key. The value may be an alias.
func Lookup(n *yaml.Node, key string) (k, v *yaml.Node) { return lookup(n, key, nil) }

// lookup is Lookup where it has not been yet: merge keys may bring in a mapping many times, even into itself.
func lookup(n *yaml.Node, key string, been map[*yaml.Node]bool) (k, v *yaml.Node) {
	n = Deref(n)
	if n == nil || n.Kind != yaml.MappingNode || been[n] {
		return nil, nil
	}
	plain := yaml11.IsName(key)
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		if k := n.Content[i]; plain && k.Value != key && k.Tag == yaml.NodeTagString {
			continue // as nearly all
		}
		if yaml11.IsMerge(n.Content[i]) {
			if been == nil {
				been = map[*yaml.Node]bool{}
			}
			been[n] = true
			for _, from := range mergeSources(n.Content[i+1]) {
				if k, v := lookup(from, key, been); k != nil {
					return k, v
				}
			}
		} else if name, ok := yaml11.Key(n.Content[i]); ok && name == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	if been != nil {
		been[n] = true
	}
	return nil, nil
}

// mergeSources lists the mappings that a merge key brings in, the one that counts most first.
func mergeSources(v *yaml.Node) []*yaml.Node {
	v = Deref(v)
	if v == nil {
		return nil
	}
	if v.Kind == yaml.SequenceNode {
		return v.Content
	}
	return []*yaml.Node{v}
}

// StringAt returns the string below a path of keys, or "".
func StringAt(n *yaml.Node, path ...string) string {
	text, _ := yaml11.Text(Get(n, path...))
	return text
}

// BoolAt returns the boolean below a path of keys as YAML 1.1 reads it; ok is false without one.
func BoolAt(n *yaml.Node, path ...string) (value, ok bool) {
	v := Get(n, path...)
	if v == nil || v.Kind != yaml.ScalarNode {
		return false, false
	}
	kind, b := yaml11.Resolve(v)
	if kind != yaml11.Bool {
		return false, false
	}
	return b.(bool), true
}

// IsNull reports whether a value is written but null, which the API server reads as absent.
func IsNull(n *yaml.Node) bool { return yaml11.IsNull(Deref(n)) }

// An Entry is a key of a mapping that counts, with its value.
type Entry struct {
	Name       string
	Key, Value *yaml.Node // the value may be an alias
}

// Entries lists the effective entries of a mapping, each where its name is first written: the last of duplicate keys,
// and those of merge keys. As in yaml.v2, which the API server uses, a merge key overrides the entries before it.
func Entries(n *yaml.Node) []Entry { return entries(n, nil) }

// entries is Entries; known are those of mappings that merge keys brought in already, none of one inside of itself.
func entries(n *yaml.Node, known map[*yaml.Node][]Entry) []Entry {
	n = Deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if all, ok := known[n]; ok {
		return all
	}
	found := effective{all: make([]Entry, 0, len(n.Content)/2)}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if yaml11.IsMerge(n.Content[i]) {
			if known == nil {
				known = map[*yaml.Node][]Entry{}
			}
			known[n] = nil
			for _, from := range slices.Backward(mergeSources(n.Content[i+1])) {
				for _, e := range entries(from, known) {
					found.add(e)
				}
			}
		} else if name, ok := yaml11.Key(n.Content[i]); ok {
			found.add(Entry{name, n.Content[i], n.Content[i+1]})
		}
	}
	if known != nil {
		known[n] = found.all
	}
	return found.all
}

type effective struct {
	all   []Entry
	index map[string]int // by names; nil while there are few, which are searched faster than it is made
}

const fewEntries = 16

// add adds an entry, in the place of the one that has its name.
func (f *effective) add(e Entry) {
	i, again := f.index[e.Name]
	if f.index == nil {
		i = slices.IndexFunc(f.all, func(other Entry) bool { return other.Name == e.Name })
		again = i >= 0
	}
	if again {
		f.all[i] = e
		return
	}
	f.all = append(f.all, e)
	switch {
	case f.index != nil:
		f.index[e.Name] = len(f.all) - 1
	case len(f.all) > fewEntries:
		f.index = make(map[string]int, cap(f.all))
		for i, e := range f.all {
			f.index[e.Name] = i
		}
	}
}

// Clone copies a tree. Aliases of the copy refer to nodes of the copy. Nodes keep their Line and Column, by which
// internal/manifest knows their text.
func Clone(n *yaml.Node) *yaml.Node {
	var copies map[*yaml.Node]*yaml.Node // of the nodes that aliases refer to; most trees have none
	if hasAlias(n, 0) {
		copies = map[*yaml.Node]*yaml.Node{}
	}
	var clone func(n *yaml.Node) *yaml.Node
	clone = func(n *yaml.Node) *yaml.Node {
		c := *n
		if copies != nil {
			copies[n] = &c
		}
		if len(n.Content) > 0 {
			c.Content = make([]*yaml.Node, len(n.Content))
		}
		for i, child := range n.Content {
			c.Content[i] = clone(child)
		}
		if target, ok := copies[n.Alias]; ok {
			c.Alias = target
		}
		return &c
	}
	return clone(n)
}

// Size counts the nodes of a tree as they are written; an alias is one.
func Size(n *yaml.Node) int {
	size := 1
	for _, c := range n.Content {
		size += Size(c)
	}
	return size
}

// Shell copies the nodes of a document that its CRDs are, and those that hold them, and shares all below: the copy stays
// as it is when the mappings of CRDs are replaced. It is a whole copy where aliases may have CRDs anywhere.
func Shell(root *yaml.Node) *yaml.Node {
	if hasAlias(root, 0) {
		return Clone(root)
	}
	return shell(root, 2) // the items of a list
}

func shell(n *yaml.Node, levels int) *yaml.Node {
	c := *n
	if levels > 0 {
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = shell(child, levels-1)
		}
	}
	return &c
}

// HasValue reports whether a mapping has an entry of that name that is not null.
func HasValue(m *yaml.Node, key string) bool {
	v := Get(m, key)
	return v != nil && !IsNull(v)
}

// Items returns the items of a list; nil for any other node.
func Items(n *yaml.Node) []*yaml.Node {
	if n = Deref(n); n != nil && n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return nil
}

// A Visit is a node on a walk through a tree, until the walk goes on.
type Visit struct {
	Key, Node *yaml.Node // the key is nil for the root, and for items of lists
	above     *Visit
	index     int // in the content of the node above
}

// Path is the path of the node, as that of a Place. Hardly any visit asks for it, so that it is put together when one does. What
// is below a key that is no scalar has the path of the mapping.
func (v *Visit) Path() string {
	if v.above == nil {
		return ""
	}
	if v.Key == nil {
		return Item(v.above.Path(), v.index)
	}
	if name, ok := yaml11.Key(v.Key); ok {
		return Member(v.above.Path(), name)
	}
	return v.above.Path()
}

// Walk goes through a tree in the order of the text, from the root on; what aliases stand for is visited where it is written.
func Walk(root *yaml.Node) iter.Seq[*Visit] {
	return func(yield func(*Visit) bool) { (&Visit{Node: root}).walk(yield) }
}

func (v *Visit) walk(yield func(*Visit) bool) bool {
	if !yield(v) {
		return false
	}
	if len(v.Node.Content) == 0 {
		return true
	}
	below := &Visit{above: v} // one for all, since there are as many as nodes
	for i, n := range v.Node.Content {
		below.Node, below.index = n, i
		if v.Node.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			below.Key = v.Node.Content[i-1]
		}
		if !below.walk(yield) {
			return false
		}
	}
	return true
}

// Strings are the texts among the items of a list, "" for others.
func Strings(n *yaml.Node) (all []string) {
	for _, item := range Items(n) {
		all = append(all, StringAt(item))
	}
	return all
}
