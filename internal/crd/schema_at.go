package crd

import (
	"strconv"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// LocateSchema finds the schema that upstream means by a path of its internal type, as Locate finds a node. It is the
// last schema on the way that the manifest has; rest are the steps after it: the keyword the path is about, and the
// steps below it. The schema is nil when the path leads to none.
func (c *CRD) LocateSchema(path string) (s *Schema, rest []string) {
	return c.schemaAt(c.userSteps(Steps(path)))
}

// SchemaAt is LocateSchema for a path of the manifest.
func (c *CRD) SchemaAt(path string) (s *Schema, rest []string) { return c.schemaAt(Steps(path)) }

func (c *CRD) schemaAt(steps []string) (*Schema, []string) {
	root := rootSteps(steps)
	if root == 0 {
		return nil, steps
	}
	at, complete := c.Resolve(steps[:root])
	if !complete {
		return nil, steps
	}
	s, rest := c.schemaOf(at), steps[root:]
	for {
		child, used := s.step(rest)
		if child == nil {
			return s, rest
		}
		s, rest = child, rest[used:]
	}
}

// rootSteps returns how many steps lead to the root schema: 0 when the path leads to none.
func rootSteps(steps []string) int {
	const last = "openAPIV3Schema"
	switch {
	case len(steps) >= 3 && steps[0] == "spec" && steps[1] == "validation" && steps[2] == last:
		return 3
	case len(steps) >= 5 && steps[0] == "spec" && steps[1] == "versions" && steps[3] == "schema" && steps[4] == last:
		return 5
	}
	return 0
}

// schemaOf is the root schema at a place. That of a frozen CRD is always the same one, which knows those below it.
func (c *CRD) schemaOf(at Place) *Schema {
	if c.index == nil {
		return &Schema{Place: at, index: c.changing}
	}
	if c.roots[at.Path] == nil {
		c.roots[at.Path] = &Schema{Place: at, index: c.index, stepped: map[step]*Schema{}}
	}
	return c.roots[at.Path]
}

type step struct {
	keyword, name string
	used          int // of the steps of a path
}

// step returns the schema below to which the first steps lead, and the number of those steps; nil when there is none.
func (s *Schema) step(steps []string) (child *Schema, used int) {
	for used = 1; used <= min(len(steps), 2) && s.stepped != nil; used++ {
		if child = s.stepped[step{steps[0], steps[used-1], used}]; child != nil {
			return child, used
		}
	}
	child, used = s.findStep(steps)
	if child != nil && s.stepped != nil {
		child.stepped = map[step]*Schema{}
		s.stepped[step{steps[0], steps[used-1], used}] = child
	}
	return child, used
}

func (s *Schema) findStep(steps []string) (child *Schema, used int) {
	if len(steps) == 0 {
		return nil, 0
	}
	keyword := steps[0]
	single := keyword == "items" || keyword == "additionalProperties" || keyword == "additionalItems" || keyword == "not"
	if !single && !keyed[keyword] && !junctors[keyword] { // which is not looked up: a mapping may have thousands of such
		return nil, 0
	}
	k, v := Lookup(s.Node, keyword)
	if k == nil {
		return nil, 0
	}
	value, at := Deref(v), Join(s.Path, keyword)
	switch {
	case value.Kind == yaml.MappingNode && keyed[keyword], value.Kind == yaml.SequenceNode && (junctors[keyword] || keyword == "items"):
		if len(steps) > 1 {
			if below := s.index.below(value, steps[1]); below != nil {
				return new(s.child(Place{below, Under(at, steps[1])}, keyword, steps[1])), 2
			}
		}
	case single:
		return new(s.child(Place{v, at}, keyword, "")), 1
	}
	return nil, 0
}

// Outer returns the schema outside of allOf, anyOf, oneOf and not that describes the same value; the schema itself when
// it is outside, and nil when no schema there describes the value.
func (s *Schema) Outer() *Schema {
	switch {
	case s.Parent == nil:
		return s
	case junctors[s.Via]:
		return s.Parent.Outer()
	}
	o := s.Parent.Outer()
	switch {
	case o == nil:
		return nil
	case o == s.Parent:
		return s
	case s.Via == "properties":
		if p := o.Property(s.Name); p != nil {
			return p
		}
		return o.AdditionalProperties()
	case s.Via == "items":
		return o.Items()
	}
	return o.AdditionalProperties()
}

// An Index finds entries of mappings as Lookup does, and remembers what large ones hold: a caller that asks for each of ten
// thousand properties must not read ten thousand of them every time. The trees that it was asked about must not change.
// A nil Index remembers nothing. Several goroutines may ask, but for one of trees that change.
type Index struct {
	mu    sync.Mutex
	large map[*yaml.Node]map[string]Entry
	// changing is for trees that fixes change: what is remembered of a mapping counts where it still is. Nil for others.
	changing map[*yaml.Node]*ownKeys
}

// ownKeys are the keys of a mapping that are its own and count, by their names.
type ownKeys struct {
	size int // of the mapping
	at   map[string]ownKey
}

// An ownKey is where a key was in a mapping, and its text.
type ownKey struct {
	i    int
	key  *yaml.Node
	text string
}

// inChange is lookup in a mapping that may have changed. No fix gives a key the name of another in its mapping.
func (x *Index) inChange(n *yaml.Node, key string) (k, v *yaml.Node) {
	known := x.changing[n]
	if known == nil || known.size != len(n.Content) {
		x.changing[n] = ownKeysOf(n)
		return Lookup(n, key)
	}
	if s, ok := known.at[key]; ok && n.Content[s.i] == s.key && s.key.Value == s.text {
		return s.key, n.Content[s.i+1]
	}
	return Lookup(n, key)
}

func ownKeysOf(n *yaml.Node) *ownKeys {
	found, at := &ownKeys{len(n.Content), map[string]ownKey{}}, map[*yaml.Node]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at[n.Content[i]] = i
	}
	for _, e := range Entries(n) {
		if i, own := at[e.Key]; own {
			found.at[e.Name] = ownKey{i, e.Key, e.Key.Value}
		}
	}
	return found
}

// largeMapping is how many entries make it worth while to remember them.
const largeMapping = 64

func (x *Index) lookup(n *yaml.Node, key string) (k, v *yaml.Node) {
	n = Deref(n)
	if x == nil || n == nil || n.Kind != yaml.MappingNode || len(n.Content) < 2*largeMapping {
		return Lookup(n, key)
	}
	if x.changing != nil {
		return x.inChange(n, key)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	held, known := x.large[n]
	if !known {
		held = map[string]Entry{}
		for _, e := range Entries(n) {
			held[e.Name] = e
		}
		if x.large == nil {
			x.large = map[*yaml.Node]map[string]Entry{}
		}
		x.large[n] = held
	}
	e := held[key]
	return e.Key, e.Value
}

// below is the node that a step leads to: an item of a list, or the value of an entry; nil where there is none.
func (x *Index) below(n *yaml.Node, step string) *yaml.Node {
	if n = Deref(n); n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	_, v := x.lookup(n, step)
	return v
}
