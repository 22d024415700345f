package objects

import (
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Root is the schema of a version; nil where it has none.
func (d *Definition) Root(version string) *crd.Schema {
	t := d.Tree()
	return crd.RootSchema(t.schemas[version], &t.index)
}

// Schema is the schema of the value at a path of the objects of a version; where none describes it, that of the nearest
// value above, of which rest is the path from there.
func (d *Definition) Schema(version string, at request.Path) (s *crd.Schema, rest request.Path) {
	return SchemaBelow(d.Root(version), at)
}

// SchemaBelow is the schema of the value at a path of what a schema describes; without one, that of the nearest value
// above, of which rest is the path from there.
func SchemaBelow(s *crd.Schema, at request.Path) (nearest *crd.Schema, rest request.Path) {
	for s != nil && len(at) > 0 {
		below := schemaBelow(s, at[0])
		if below == nil {
			break
		}
		s, at = below, at[1:]
	}
	return s, at
}

func schemaBelow(s *crd.Schema, step request.Step) *crd.Schema {
	if step.Index >= 0 {
		return s.Items()
	}
	if p := s.Property(step.Key); p != nil {
		return p
	}
	return s.AdditionalProperties()
}

// Constraint returns the place of what a cause says that an object breaks; false where the CRD has no such place.
func (d *Definition) Constraint(version string, c *request.Cause) (lint.Position, bool) {
	if c.Schema == nil && c.Keyword == "" { // it is not the CRD that says it
		return lint.Position{}, false
	}
	n := crd.Deref(d.Tree().schemas[version].Node)
	for _, step := range c.SchemaPath {
		if n = below(n, step); n == nil {
			return lint.Position{}, false
		}
	}
	if c.Keyword == "" {
		return d.Position(crd.FirstKey(n))
	}
	key, value := crd.Lookup(n, c.Keyword)
	if key == nil {
		return lint.Position{}, false
	}
	value = crd.Deref(value)
	switch {
	case c.Keyword == "required" && len(c.Path) > 0:
		for _, item := range crd.Items(value) {
			if crd.StringAt(item) == c.Path[len(c.Path)-1].Key {
				return d.Position(item)
			}
		}
	case c.Rule >= 0 && c.Rule < len(crd.Items(value)):
		if rule := crd.Get(value.Content[c.Rule], "rule"); rule != nil {
			return d.Position(rule)
		}
	case value.Kind == yaml.ScalarNode:
		return d.Position(value)
	}
	return d.Position(key)
}

// ConstraintMessage says what is at the place of a keyword.
func ConstraintMessage(keyword string) string {
	switch keyword {
	case "":
		return "the schema is here"
	case "required":
		return "it is required here"
	case "x-kubernetes-validations":
		return "the rule is here"
	case "x-kubernetes-list-type":
		return "the list type is here"
	case "x-kubernetes-embedded-resource":
		return "it is declared an embedded resource here"
	}
	return "the " + keyword + " is here"
}

var selves = text.Pattern(`\b(?:self|oldSelf)\b(\.\w+)?`)

// OnlyOfSpec reports whether a cause is a rule about the object that is about its spec only.
func (d *Definition) OnlyOfSpec(version string, c *request.Cause) bool {
	if len(c.SchemaPath) > 0 || c.Rule < 0 {
		return false
	}
	rules := crd.Items(crd.Get(d.Tree().schemas[version].Node, "x-kubernetes-validations"))
	if c.Rule >= len(rules) {
		return false
	}
	all := selves().FindAllStringSubmatch(crd.StringAt(rules[c.Rule], "rule"), -1)
	return len(all) > 0 && !slices.ContainsFunc(all, func(m []string) bool { return m[1] != ".spec" })
}

// below is the node that a step of a schema path leads to; nil where there is none.
func below(n *yaml.Node, step string) *yaml.Node {
	if items := crd.Items(n); items != nil {
		if i, err := strconv.Atoi(step); err == nil && i < len(items) {
			return crd.Deref(items[i])
		}
		return nil
	}
	return crd.Get(n, step)
}

// Position is that of a node of the CRD's tree.
func (d *Definition) Position(n *yaml.Node) (lint.Position, bool) {
	document := d.Tree().document
	start, end, ok := document.Span(n)
	if !ok || d.Built {
		return lint.Position{}, false
	}
	return document.File.Range(start, end), true
}

// At is the position of a place in the CRD; where it is not written, that of the CRD as a whole.
func (d *Definition) At(at crd.Place) lint.Position {
	if pos, ok := d.Position(d.Tree().Written(at).Node); ok {
		return pos
	}
	return d.Where()
}

// WhereServed is the place that says whether a version is served; false where the CRD has no such version.
func (d *Definition) WhereServed(version string) (lint.Position, bool) {
	for _, v := range d.Tree().Versions() {
		if k, _ := crd.Lookup(v.At.Node, "served"); v.Name == version && k != nil {
			return d.Position(k)
		}
	}
	return lint.Position{}, false
}

// Where is the place of the CRD as a whole: its name or, where it does not parse, the place of that.
func (d *Definition) Where() lint.Position {
	if err := d.Document.Err; err != nil {
		return lint.Point(err.Path, err.Line, err.Column)
	}
	name := crd.Place{Node: crd.Get(d.Tree().Node, "metadata", "name"), Path: "metadata.name"}
	if pos, ok := d.Position(d.Tree().Written(name).Node); ok {
		return pos
	}
	if d.Built {
		return lint.Point(d.Document.File.Path, 1, 1)
	}
	document := d.Written()
	return document.File.Range(document.Start, document.Start)
}
