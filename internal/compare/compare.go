// Package compare finds the changes between two CustomResourceDefinitions: facts about every field of either, with the
// nodes of both manifests. It does not judge them.
//
// Both sides are compared as apiextensions.k8s.io/v1 holds them after defaulting, so that neither the API version of a
// manifest nor whether a schema is at the top level or in every version is a change. The order of lists that are
// unordered to the API server (versions, enum, required, branches of a junctor) does not count as a change either.
//
// Read compare.go first: a change and its kinds. definition.go compares all but the schemas, node.go pairs schemas, and
// keywords.go is the table of what is compared in them, by members.go, scalar.go, bounds.go, collection.go and
// validations.go. meaning.go, pattern.go, candidates.go and witness.go find values that only one side accepts.
package compare

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A Kind is what became of a value.
type Kind int8

const (
	Changed Kind = iota
	Added
	Removed
)

func (k Kind) String() string { return [...]string{"changed", "added", "removed"}[k] }

// An Effect is the effect of a change on the set of custom resources that a schema accepts.
type Effect int8

const (
	Neutral  Effect = iota // the same are accepted
	Loosens                // more are accepted, none is rejected
	Tightens               // some are rejected that were accepted
	Either                 // some may be rejected
)

func (e Effect) String() string { return [...]string{"neutral", "loosens", "tightens", "either"}[e] }

// A Change is one difference. Old and New are JSON values as encoding/json makes them, or nil; for members of a schema
// that are schemas themselves, *v1.JSONSchemaProps.
type Change struct {
	Version string // of the custom resource; "" for a change of all versions
	Field   string // outside of schemas its path in v1, below the version if there is one: "spec.names.kind", "served"; in schemas the keyword
	Item    string // which member of the field, where it has members: a property, a required name, a rule, a short name
	Kind    Kind
	Effect  Effect // on the set of accepted values; Neutral outside of schemas
	// Loses is true when values that the old side stored are dropped on the next write.
	Loses    bool
	Old, New any
	Node     *Node // the schema that has the keyword; nil outside of schemas

	was, is place
}

// A place is a place on one side, which is located on demand.
type place struct {
	side    *side
	version string // "" for steps from the CRD itself
	schema  bool   // steps start at the version's schema, not at its entry
	steps   []string
	item    string // what tells the item of a list that the steps lead to, or that has gone from there, apart in a path
}

// Reversed is the change as it is from the new side to the old one.
func (c *Change) Reversed() *Change {
	back := *c
	back.Old, back.New, back.was, back.is = c.New, c.Old, c.is, c.was
	back.Kind, back.Effect, back.Node = [...]Kind{Changed, Removed, Added}[c.Kind], flip(c.Effect), c.Node.reversed()
	return &back
}

// Was is the place in the old manifest: what changed, or the nearest node above.
func (c *Change) Was() crd.Place { return c.was.find() }

// Is is the place in the new manifest: what changed, or the nearest node above where it has gone.
func (c *Change) Is() crd.Place { return c.is.find() }

// IsPath returns the path of Is. For a removed part it is the path that the part would have, which is unique:
// "properties[image]" for a field, the key for an item of a list, "shortNames[w]". The values of an enum and the names
// of required are their own keys, "enum[fast]": an index would mean another value as soon as the list changes.
func (c *Change) IsPath() string { return c.is.path() }

// IsPathOf is IsPath for another item of the same field.
func (c *Change) IsPathOf(item string) string {
	is := c.is
	is.item = item
	return is.path()
}

// A side is one of the two manifests.
type side struct {
	crd     *crd.CRD
	v1      *v1.CustomResourceDefinition
	named   map[string]*v1.CustomResourceDefinitionVersion // the versions
	entries map[string]*crd.APIVersion
}

func newSide(c *crd.CRD) (*side, error) {
	decoded, err := c.Decode()
	if err != nil {
		return nil, err
	}
	converted, err := crd.ToV1(decoded.Hub)
	if err != nil {
		return nil, err
	}
	s := &side{c, converted, map[string]*v1.CustomResourceDefinitionVersion{}, map[string]*crd.APIVersion{}}
	for i := range converted.Spec.Versions {
		addFirst(s.named, converted.Spec.Versions[i].Name, &converted.Spec.Versions[i])
	}
	entries := c.Versions()
	for i := range entries {
		addFirst(s.entries, entries[i].Name, &entries[i])
	}
	return s, nil
}

// addFirst adds a value under a name unless there is one: of several versions of the same name the API server uses the
// first.
func addFirst[V any](names map[string]V, name string, v V) {
	if _, again := names[name]; !again {
		names[name] = v
	}
}

// preserves reports whether the CRD as a whole keeps unknown fields.
func (s *side) preserves() bool { return s.v1.Spec.PreserveUnknownFields }

// keepsRoot reports whether a version keeps the unknown fields of its root.
func (s *side) keepsRoot(v *v1.CustomResourceDefinitionVersion) bool {
	schema := schemaOf(v)
	return s.preserves() || schema != nil && keeps(schema)
}

// A Comparison is all that changed between two CRDs.
type Comparison struct {
	Old, New *v1.CustomResourceDefinition // as they were compared: in v1, with their defaults
	Changes  []*Change

	old, new map[string]*v1.CustomResourceDefinitionVersion
}

// OldVersion and NewVersion are the versions of a name; nil when there is no such version.
func (c *Comparison) OldVersion(name string) *v1.CustomResourceDefinitionVersion { return c.old[name] }
func (c *Comparison) NewVersion(name string) *v1.CustomResourceDefinitionVersion { return c.new[name] }

// CRDs compares two CRDs, versions of the same name with each other. The order is that of the
// fields in the definition of the types, versions last, in the order of the new side and then of the old. The error is
// one of decoding, and names the side.
func CRDs(old, new *crd.CRD) (*Comparison, error) {
	was, err := newSide(old)
	if err != nil {
		return nil, fmt.Errorf("the earlier CRD: %w", err)
	}
	is, err := newSide(new)
	if err != nil {
		return nil, fmt.Errorf("the new side: %w", err)
	}
	c := &comparer{old: was, new: is}
	c.definition()
	for _, name := range c.versionNames() {
		c.version(name)
	}
	return &Comparison{c.old.v1, c.new.v1, c.changes, was.named, is.named}, nil
}

// A comparer collects the changes between two sides.
type comparer struct {
	old, new *side
	name     string // of the version that is compared; "" for all versions
	changes  []*Change
}

// versionNames are the names of the versions of both sides, each once.
func (c *comparer) versionNames() []string {
	var names []string
	for _, v := range slices.Concat(c.new.v1.Spec.Versions, c.old.v1.Spec.Versions) {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

func (c *comparer) add(change *Change) *Change {
	change.Version = c.name
	c.changes = append(c.changes, change)
	return change
}
