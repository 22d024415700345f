// Package mutants makes mistakes in CustomResourceDefinitions, for tests that compare what two judges say of them. Each
// mistake is one that people make, or one that a line of upstream's validation looks for.
package mutants

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Of copies a CRD in JSON, of v1 or v1beta1, and makes a number of mistakes in the copy. What they are depends on the
// random numbers alone; made names them.
func Of(raw []byte, r *rand.Rand, mistakes int) (mutated []byte, made []string, err error) {
	m, err := newMutant(raw, r)
	if err != nil {
		return nil, nil, err
	}
	mutations := common
	if m.v1 {
		mutations = slices.Concat(common, onlyV1)
	}
	for len(made) < mistakes {
		if kind := pick(m, mutations...); kind.apply(m) {
			made = append(made, kind.name)
		}
	}
	mutated, err = json.Marshal(m.root)
	return mutated, made, err
}

// object and list are JSON as encoding/json reads it.
type (
	object = map[string]any
	list   = []any
)

// A mutation is one kind of mistake. It is told to make one somewhere, and reports whether there was a place for it.
type mutation struct {
	name  string
	apply func(m *mutant) bool
}

// A mutant is a CRD on its way to having mistakes.
type mutant struct {
	*rand.Rand
	root object
	v1   bool // rather than v1beta1
}

func newMutant(raw []byte, r *rand.Rand) (*mutant, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // numbers stay as they are written
	m := &mutant{Rand: r}
	err := d.Decode(&m.root)
	m.v1 = m.root["apiVersion"] == "apiextensions.k8s.io/v1"
	return m, err
}

// pick chooses one of several; from none it returns the zero value.
func pick[T any](m *mutant, from ...T) (chosen T) {
	if len(from) == 0 {
		return chosen
	}
	return from[m.IntN(len(from))]
}

func keys(o object) []string { return slices.Sorted(maps.Keys(o)) }

// value parses a JSON literal. Every call returns a new value.
func value(text string) any {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(text + ": " + err.Error())
	}
	return v
}

// child is the object below a key; a new one is put there when there is none.
func child(o object, key string) object {
	if c, ok := o[key].(object); ok {
		return c
	}
	c := object{}
	o[key] = c
	return c
}

func (m *mutant) spec() object     { return child(m.root, "spec") }
func (m *mutant) metadata() object { return child(m.root, "metadata") }

// versions are spec.versions, made from spec.version when there are none.
func (m *mutant) versions() []object {
	all, _ := m.spec()["versions"].(list)
	if len(all) == 0 {
		name, ok := m.spec()["version"].(string)
		if !ok {
			name = "v1"
		}
		all = list{object{"name": name, "served": true, "storage": true}}
		m.spec()["versions"] = all
	}
	var objects []object
	for _, v := range all {
		if o, ok := v.(object); ok {
			objects = append(objects, o)
		}
	}
	return objects
}

// A Site is a member of an object or an element of a list.
type Site struct {
	Object object // nil in a list
	Key    string
	list   list
	index  int
}

func (s Site) Get() any {
	if s.Object != nil {
		return s.Object[s.Key]
	}
	return s.list[s.index]
}

func (s Site) Set(v any) {
	if s.Object != nil {
		s.Object[s.Key] = v
	} else {
		s.list[s.index] = v
	}
}

// Sites lists all places below a value, in an order of their own that is always the same.
func Sites(v any) []Site {
	var all []Site
	switch v := v.(type) {
	case object:
		for _, k := range keys(v) {
			all = append(append(all, Site{Object: v, Key: k}), Sites(v[k])...)
		}
	case list:
		for i := range v {
			all = append(append(all, Site{list: v, index: i}), Sites(v[i])...)
		}
	}
	return all
}

// anywhere chooses a place below spec or metadata; apiVersion and kind decide who judges, and stay. Half of the time it
// is outside of the schemas, which hold most places and matter less.
func (m *mutant) anywhere() (Site, bool) {
	all := append(Sites(object{"metadata": m.metadata()})[1:], Sites(object{"spec": m.spec()})[1:]...)
	if m.IntN(2) == 0 {
		all = slices.DeleteFunc(Sites(object{"spec": m.outsideSchemas()}), func(s Site) bool { return s.Key == "spec" })
	}
	return pick(m, all...), len(all) > 0
}

// outsideSchemas is the part of spec that holds no schemas, sharing what it consists of.
func (m *mutant) outsideSchemas() object {
	rest := maps.Clone(m.spec())
	delete(rest, "validation")
	return rest
}

// A node is a schema and where it is.
type node struct {
	schema object
	root   bool
	below  bool // items or additionalProperties, whose decoders work differently
}

// schemas lists all schemas of the CRD, the roots first.
func (m *mutant) schemas() []node {
	var all []node
	roots := []any{m.spec()["validation"]}
	versions, _ := m.spec()["versions"].(list)
	for _, v := range versions {
		if v, ok := v.(object); ok {
			roots = append(roots, v["schema"])
		}
	}
	for _, r := range roots {
		if r, ok := r.(object); ok {
			all = append(all, below(r["openAPIV3Schema"], true, false)...)
		}
	}
	return all
}

func below(v any, root, folded bool) []node {
	s, ok := v.(object)
	if !ok {
		return nil
	}
	all := []node{{s, root, folded}}
	for _, k := range []string{"properties", "definitions"} {
		if members, ok := s[k].(object); ok {
			for _, name := range keys(members) {
				all = append(all, below(members[name], false, folded)...)
			}
		}
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := s[k].(list)
		for _, b := range branches {
			all = append(all, below(b, false, folded)...)
		}
	}
	all = append(all, below(s["not"], false, folded)...)
	all = append(all, below(s["items"], false, true)...)
	return append(all, below(s["additionalProperties"], false, true)...)
}

// schema chooses a schema, a root more often than its share; a CRD without one gets one.
func (m *mutant) schema() node {
	all := m.schemas()
	if len(all) == 0 {
		if holder := pick(m, m.versions()...); m.v1 && holder != nil {
			child(child(holder, "schema"), "openAPIV3Schema")["type"] = "object"
		} else {
			child(child(m.spec(), "validation"), "openAPIV3Schema")["type"] = "object"
		}
		if all = m.schemas(); len(all) == 0 { // versions are something else by now
			return node{schema: object{}, root: true}
		}
	}
	if m.IntN(6) == 0 {
		return all[0]
	}
	return pick(m, all...)
}
