package crd

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Schema is one schema of a CRD: the root of a version's, or one below it.
type Schema struct {
	Place
	Parent *Schema // nil for the root
	Via    string  // keyword that holds it in its parent: "properties", "items", "additionalProperties", "allOf", ...; "" for the root
	Name   string  // the property's name, or the index in a list of schemas

	index   *Index           // of a frozen CRD, or what RootSchema was given
	stepped map[step]*Schema // what paths led to; nil when it is not kept
	found   []*Schema        // of children, once they are known
	visited bool
	all     []*Schema // of a root, once they are known
	entries []Entry   // of the node, where the walk through a frozen CRD has come past it: rules ask for keywords again and again
}

// junctors are the keywords whose schemas say more about the value of the schema around them.
var junctors = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "not": true}

// IsJunctor reports whether a keyword holds schemas that say more about the value of the schema around them.
func IsJunctor(keyword string) bool { return junctors[keyword] }

// RootSchema is the schema at a place, or nil. Its index may be nil, of a tree that changes.
func RootSchema(at Place, index *Index) *Schema {
	if n := Deref(at.Node); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	return &Schema{Place: at, index: index}
}

// All walks through a schema and those below it in the order of the text. A schema that several aliases refer to is
// visited once.
func (s *Schema) All() iter.Seq[*Schema] {
	if s == nil {
		return slices.Values[[]*Schema](nil)
	}
	if s.Parent != nil {
		return s.collect
	}
	if s.all == nil { // many rules look at all there is
		s.all = slices.Collect(s.collect)
	}
	return slices.Values(s.all)
}

func (s *Schema) collect(yield func(*Schema) bool) { s.walk(yield, map[*yaml.Node]bool{}) }

func (s *Schema) walk(yield func(*Schema) bool, seen map[*yaml.Node]bool) bool {
	n := Deref(s.Node)
	if n == nil || n.Kind != yaml.MappingNode || seen[n] {
		return true
	}
	seen[n] = true
	if !yield(s) {
		return false
	}
	return !slices.ContainsFunc(s.children(), func(child *Schema) bool { return !child.walk(yield, seen) })
}

func (s *Schema) child(at Place, via, name string) Schema {
	return Schema{Place: at, Parent: s, Via: via, Name: name, index: s.index}
}

// children are the schemas directly below one. They are looked for once: rules walk through the same schemas again and
// again.
func (s *Schema) children() []*Schema {
	if !s.visited {
		s.visited, s.found = true, s.findChildren()
	}
	return s.found
}

func (s *Schema) findChildren() []*Schema {
	var all []*Schema
	frozen := s.index != nil && s.index.changing == nil
	child := func(at Place, via, name string) Schema {
		c := s.child(at, via, name)
		if frozen {
			c.entries = Entries(at.Node)
		}
		return c
	}
	add := func(at Place, via, name string) { all = append(all, new(child(at, via, name))) }
	for _, e := range s.Entries() {
		switch value := Deref(e.Value); {
		case e.Name == "properties":
			at := Join(s.Path, e.Name)
			properties := Entries(value)
			all = slices.Grow(all, len(properties))
			room := make([]Schema, len(properties))
			for i, p := range properties {
				room[i] = child(Place{p.Value, Under(at, p.Name)}, e.Name, p.Name)
				all = append(all, &room[i])
			}
		case value.Kind == yaml.SequenceNode && (e.Name == "items" || junctors[e.Name]):
			at := Join(s.Path, e.Name)
			for i, c := range value.Content {
				i := strconv.Itoa(i)
				add(Place{c, Under(at, i)}, e.Name, i)
			}
		case value.Kind == yaml.MappingNode && (e.Name == "items" || e.Name == "additionalProperties" || e.Name == "not"):
			add(Place{e.Value, Join(s.Path, e.Name)}, e.Name, "")
		}
	}
	return all
}

// Entries are those of the schema's mapping, by its keywords.
func (s *Schema) Entries() []Entry {
	if s.entries != nil {
		return s.entries
	}
	return Entries(s.Node)
}

// Value is what a keyword has, as it is written, or nil.
func (s *Schema) Value(keyword string) *yaml.Node {
	if s.entries == nil {
		return Get(s.Node, keyword)
	}
	for i := range s.entries {
		if s.entries[i].Name == keyword {
			return Deref(s.entries[i].Value)
		}
	}
	return nil
}

// Get returns the value at a path of keywords below the schema, or nil; null counts as missing.
func (s *Schema) Get(keyword string, below ...string) *yaml.Node {
	if n := Get(s.Value(keyword), below...); n != nil && !IsNull(n) {
		return n
	}
	return nil
}

// Type is the schema's type, "" when it has none.
func (s *Schema) Type() string { return s.Text("type") }

// Text is the string that a keyword has, "" when it has none.
func (s *Schema) Text(keyword string) string {
	text, _ := yaml11.Text(s.Value(keyword))
	return text
}

// Bool is the boolean that a keyword has; ok is false when it has none.
func (s *Schema) Bool(keyword string) (value, ok bool) { return BoolAt(s.Value(keyword)) }

// Flag reports whether a boolean keyword is true.
func (s *Schema) Flag(keyword string) bool {
	b, _ := s.Bool(keyword)
	return b
}

// KeepsUnknown reports whether the schema has x-kubernetes-preserve-unknown-fields: true.
func (s *Schema) KeepsUnknown() bool { return s.Flag("x-kubernetes-preserve-unknown-fields") }

// Property is the schema of a property, nil when it is not declared.
func (s *Schema) Property(name string) *Schema {
	k, v := s.index.lookup(s.Value("properties"), name)
	if k == nil {
		return nil
	}
	return new(s.child(Place{v, Under(Join(s.Path, "properties"), name)}, "properties", name))
}

// Items is the schema of a list's items, AdditionalProperties that of a map's values, or nil.
func (s *Schema) Items() *Schema                { return s.below("items") }
func (s *Schema) AdditionalProperties() *Schema { return s.below("additionalProperties") }

// Branches are the schemas of its junctors, which say more about the same value.
func (s *Schema) Branches() []*Schema {
	return slices.DeleteFunc(slices.Clone(s.children()), func(child *Schema) bool { return !junctors[child.Via] })
}

func (s *Schema) below(keyword string) *Schema {
	k, v := Lookup(s.Node, keyword)
	if n := Deref(v); k == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	return new(s.child(Place{v, Join(s.Path, keyword)}, keyword, ""))
}

// Required reports whether a property is in the schema's required list.
func (s *Schema) Required(name string) bool {
	return slices.ContainsFunc(Items(s.Get("required")), func(n *yaml.Node) bool { return StringAt(n) == name })
}

// InJunctor reports whether the schema is in an allOf, anyOf, oneOf or not, at any depth.
func (s *Schema) InJunctor() bool {
	return s.Within(func(s *Schema) bool { return junctors[s.Via] })
}

// Within reports whether something holds for the schema or for one around it.
func (s *Schema) Within(holds func(*Schema) bool) bool {
	for ; s != nil; s = s.Parent {
		if holds(s) {
			return true
		}
	}
	return false
}

// Root is the version's schema around it, or the schema itself.
func (s *Schema) Root() *Schema {
	for s.Parent != nil {
		s = s.Parent
	}
	return s
}

// FieldPath is the path of the values that the schema describes, as users of the custom resource know it:
// "spec.containers[*].env"; "" for the custom resource itself.
func (s *Schema) FieldPath() string {
	var parts []string // from the last to the first: schemas may be nested a thousand deep
	for ; s.Parent != nil; s = s.Parent {
		switch {
		case s.Via == "properties" && strings.ContainsAny(s.Name, ".[]"):
			parts = append(parts, "["+s.Name+"]")
		case s.Via == "properties":
			parts = append(parts, "."+s.Name)
		case s.Via == "items", s.Via == "additionalProperties":
			parts = append(parts, "[*]")
		}
	} // junctors describe the same value
	slices.Reverse(parts)
	return strings.TrimPrefix(strings.Join(parts, ""), ".")
}

// A CELRule is one entry of x-kubernetes-validations.
type CELRule struct {
	Schema *Schema
	Index  int
	At     Place // the entry
}

// Text is an expression or message of the rule.
func (r CELRule) Text(keyword string) string { return StringAt(r.At.Node, keyword) }

// CELRules lists the rules of schemas.
func CELRules(schemas iter.Seq[*Schema]) []CELRule {
	const keyword = "x-kubernetes-validations"
	var all []CELRule
	for s := range schemas {
		for i, n := range Items(s.Get(keyword)) {
			all = append(all, CELRule{s, i, Place{n, Item(Join(s.Path, keyword), i)}})
		}
	}
	return all
}

// parsedRules are those of this process: versions and CRDs share them.
var parsedRules = memory.Memory[string, ast.Expr]{Limit: 1 << 10}

// ParseRule is the expression of a validation rule without its macros expanded; nil for one that does not parse. It must
// not be changed.
func ParseRule(rule string) ast.Expr {
	return parsedRules.Of(rule, func() ast.Expr { return parseRule(rule) })
}

func parseRule(rule string) ast.Expr {
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true))
	if err != nil {
		return nil
	}
	parsed, errs := p.Parse(common.NewTextSource(rule))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return parsed.Expr()
}

// The types of the values that keywords are for.
var (
	forNumbers = []string{"integer", "number"}
	forStrings = []string{"string"}
	forArrays  = []string{"array"}
	forObjects = []string{"object"}
)

// KeywordTypes are the types of the values that a keyword applies to; those of other keywords are all.
var KeywordTypes = map[string][]string{
	"minimum": forNumbers, "maximum": forNumbers, "multipleOf": forNumbers, "exclusiveMinimum": forNumbers, "exclusiveMaximum": forNumbers,
	"minLength": forStrings, "maxLength": forStrings, "pattern": forStrings, "minItems": forArrays, "maxItems": forArrays, "items": forArrays,
	"minProperties": forObjects, "maxProperties": forObjects, "properties": forObjects, "required": forObjects,
	"additionalProperties": forObjects,
}

// Fits reports whether a keyword applies to values of the schema's type. One without a type takes all.
func (s *Schema) Fits(keyword string) bool {
	types := KeywordTypes[keyword]
	return types == nil || s.Type() == "" || slices.Contains(types, s.Type())
}
