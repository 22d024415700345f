package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// A keyword is how fields of a schema are compared.
type keyword struct {
	fields  []string // of v1.JSONSchemaProps
	compare func(c *comparer, n *Node)
}

// keywords has every field of v1.JSONSchemaProps, in the order in which changes are listed. It is made in init: the
// functions in it use it, as schemas hold schemas.
var keywords []keyword

func init() {
	keywords = []keyword{
		{[]string{"Type", "XIntOrString"}, compareType},
		{[]string{"Format"}, compareFormat},
		{[]string{"Nullable"}, compareNullable},
		{[]string{"Default"}, compareDefault},
		{[]string{"Enum"}, compareEnum},
		{[]string{"Maximum", "ExclusiveMaximum"}, maximum.compare},
		{[]string{"Minimum", "ExclusiveMinimum"}, minimum.compare},
		{[]string{"MultipleOf"}, compareMultipleOf},
		{[]string{"MaxLength"}, upper("maxLength", func(s *v1.JSONSchemaProps) *int64 { return s.MaxLength })},
		{[]string{"MinLength"}, lower("minLength", func(s *v1.JSONSchemaProps) *int64 { return s.MinLength })},
		{[]string{"Pattern"}, comparePattern},
		{[]string{"MaxItems"}, upper("maxItems", func(s *v1.JSONSchemaProps) *int64 { return s.MaxItems })},
		{[]string{"MinItems"}, lower("minItems", func(s *v1.JSONSchemaProps) *int64 { return s.MinItems })},
		{[]string{"UniqueItems"}, func(c *comparer, n *Node) { c.flag(n, "uniqueItems", n.Old.UniqueItems, n.New.UniqueItems) }},
		{[]string{"MaxProperties"}, compareMaxProperties},
		{[]string{"MinProperties"}, compareMinProperties},
		{[]string{"Required"}, compareRequired},
		{[]string{"XEmbeddedResource"}, compareEmbedded},
		{[]string{"XPreserveUnknownFields"}, comparePreserve},
		{[]string{"XListType", "XListMapKeys"}, compareListType},
		{[]string{"XMapType"}, compareMapType},
		{[]string{"XValidations"}, compareValidations},
		{[]string{"AdditionalProperties", "Properties"}, compareMembers},
		{[]string{"Items"}, compareItems},
		{[]string{"AllOf"}, branches("allOf", Tightens, func(s *v1.JSONSchemaProps) []v1.JSONSchemaProps { return s.AllOf })},
		{[]string{"AnyOf"}, branches("anyOf", Loosens, func(s *v1.JSONSchemaProps) []v1.JSONSchemaProps { return s.AnyOf })},
		{[]string{"OneOf"}, branches("oneOf", Either, func(s *v1.JSONSchemaProps) []v1.JSONSchemaProps { return s.OneOf })},
		{[]string{"Not"}, compareNot},

		{[]string{"ID"}, value("id", Neutral, func(s *v1.JSONSchemaProps) any { return s.ID })},
		{[]string{"Schema"}, value("$schema", Neutral, func(s *v1.JSONSchemaProps) any { return s.Schema })},
		{[]string{"Title"}, value("title", Neutral, func(s *v1.JSONSchemaProps) any { return s.Title })},
		{[]string{"Description"}, value("description", Neutral, func(s *v1.JSONSchemaProps) any { return s.Description })},
		{[]string{"Example"}, value("example", Neutral, func(s *v1.JSONSchemaProps) any { return s.Example })},
		{[]string{"ExternalDocs"}, value("externalDocs", Neutral, func(s *v1.JSONSchemaProps) any { return s.ExternalDocs })},
		// The API server rejects these, or v1 does; whoever has one is told so elsewhere.
		{[]string{"Ref"}, value("$ref", Either, func(s *v1.JSONSchemaProps) any { return s.Ref })},
		{[]string{"PatternProperties"}, value("patternProperties", Either, func(s *v1.JSONSchemaProps) any { return s.PatternProperties })},
		{[]string{"Dependencies"}, value("dependencies", Either, func(s *v1.JSONSchemaProps) any { return s.Dependencies })},
		{[]string{"AdditionalItems"}, value("additionalItems", Either, func(s *v1.JSONSchemaProps) any { return s.AdditionalItems })},
		{[]string{"Definitions"}, value("definitions", Neutral, func(s *v1.JSONSchemaProps) any { return s.Definitions })},
	}
}

// schemas compares the schemas of two versions.
func (c *comparer) schemas(old, new *v1.JSONSchemaProps) {
	if old == nil || new == nil {
		c.wholeSchema(old, new)
		return
	}
	if c.old.preserves() == c.new.preserves() && equality.Semantic.DeepEqual(old, new) {
		return
	}
	c.node(&Node{
		Old: old, New: new, effect: func(e Effect) Effect { return e },
		keptBefore: c.old.preserves(), keepsNow: c.new.preserves(),
	})
}

// wholeSchema is a schema that one side at most has. A version without one accepts everything, and prunes everything too
// unless the CRD keeps unknown fields.
func (c *comparer) wholeSchema(old, new *v1.JSONSchemaProps) {
	loses := new == nil && !c.new.preserves() && c.old.keepsRoot(c.old.named[c.name])
	if saysNothing(old) && saysNothing(new) && !loses {
		return
	}
	change := c.add(&Change{
		Field: "schema", Kind: Added, Effect: Tightens, New: new,
		was: place{side: c.old, version: c.name}, is: place{side: c.new, version: c.name, steps: []string{"schema"}},
	})
	if new == nil {
		change.Kind, change.Effect, change.Old, change.New = Removed, Loosens, old, nil
		change.Loses = loses
		change.was.steps, change.is.steps = []string{"schema"}, nil
	}
}

func (c *comparer) node(n *Node) {
	if n.Old == n.New {
		return
	}
	n.understand()
	for _, k := range keywords {
		k.compare(c, n)
	}
}

// value compares the value of a keyword as a whole.
func value(name string, effect Effect, of func(*v1.JSONSchemaProps) any) func(*comparer, *Node) {
	return func(c *comparer, n *Node) {
		was, is := of(n.Old), of(n.New)
		if equality.Semantic.DeepEqual(was, is) {
			return
		}
		old, new := plain(was), plain(is)
		c.keyword(n, name, "", presence(old == nil, new == nil), effect, old, new)
	}
}

// flag compares a keyword that constrains values if it is true; it returns nil for no change.
func (c *comparer) flag(n *Node, name string, old, new bool) *Change {
	switch {
	case new && !old:
		return c.keyword(n, name, "", Added, Tightens, old, new)
	case old && !new:
		return c.keyword(n, name, "", Removed, Loosens, old, new)
	}
	return nil
}

func compareNot(c *comparer, n *Node) {
	switch old, new := n.Old.Not, n.New.Not; {
	case old != nil && new != nil:
		c.node(n.below("not", "", old, new))
	case new != nil:
		c.keyword(n, "not", "", Added, Tightens, nil, new)
	case old != nil:
		c.keyword(n, "not", "", Removed, Loosens, old, nil)
	}
}

// branches compares the branches of a junctor. Their order does not matter: equal branches are paired first, then the
// others, in order, while both sides have any. A further branch has the given effect; the first one of a junctor adds a
// constraint.
func branches(name string, another Effect, of func(*v1.JSONSchemaProps) []v1.JSONSchemaProps) func(*comparer, *Node) {
	return func(c *comparer, n *Node) {
		old, new := of(n.Old), of(n.New)
		switch {
		case len(old) == 0 && len(new) == 0:
			return
		case len(old) == 0:
			c.keyword(n, name, "", Added, first(n.New, name, new), nil, plain(new))
			return
		case len(new) == 0:
			c.keyword(n, name, "", Removed, flip(first(n.Old, name, old)), plain(old), nil)
			return
		}
		was, is, _ := pairUp(indexes(old), indexes(new),
			func(i int) string { return textOf(&old[i]) }, func(j int) string { return textOf(&new[j]) })
		for len(was) > 0 && len(is) > 0 {
			i, j := was[0], is[0]
			was, is = was[1:], is[1:]
			c.node(n.branch(name, i, j, &old[i], &new[j]))
		}
		for _, i := range was {
			c.keyword(n, name, index(i), Removed, flip(another), &old[i], nil).at([]string{index(i)}, nil)
		}
		for _, j := range is {
			c.keyword(n, name, index(j), Added, another, nil, &new[j]).at(nil, []string{index(j)})
		}
	}
}

// first returns the effect of a new junctor: none for the one that int-or-string fields carry, which repeats the
// field's type.
func first(s *v1.JSONSchemaProps, name string, list []v1.JSONSchemaProps) Effect {
	if name == "allOf" && s.XIntOrString && len(list) == 1 && len(list[0].AnyOf) == 2 {
		return first(s, "anyOf", list[0].AnyOf)
	}
	if name == "anyOf" && s.XIntOrString && equality.Semantic.DeepEqual(list, integerOrString) {
		return Neutral
	}
	return Tightens
}

// textOf is the text of a schema: equal schemas have the same.
func textOf(s *v1.JSONSchemaProps) string {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Sprintf("%p", s) // like no other
	}
	return string(text)
}

// presence is the kind of a change from nothing, to nothing, or between two values.
func presence(wasNone, isNone bool) Kind {
	switch {
	case wasNone && !isNone:
		return Added
	case !wasNone && isNone:
		return Removed
	}
	return Changed
}

// union are the names that either map has, sorted.
func union[V any](a, b map[string]V) []string {
	names := maps.Clone(a)
	if names == nil {
		names = map[string]V{}
	}
	maps.Copy(names, b)
	return slices.Sorted(maps.Keys(names))
}
