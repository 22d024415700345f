package crd

import "sigs.k8s.io/kustomize/kyaml/yaml"

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

// A step leads from a schema to one below.
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
