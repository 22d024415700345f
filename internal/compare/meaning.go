package compare

import (
	"maps"
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// Structural schemas, which v1 demands, say some things in another way than those of v1beta1 may. A node is compared by
// what both mean: each side is brought to the form that v1 has.

// understand replaces the schemas of a node by their meaning.
func (n *Node) understand() {
	n.untyped = n.Old.Type == "" && !n.Old.XIntOrString
	n.Old = n.meaning(n.Old, n.keptBefore, func(of *Node) *v1.JSONSchemaProps { return of.Old })
	n.New = n.meaning(n.New, n.keepsNow, func(of *Node) *v1.JSONSchemaProps { return of.New })
}

// meaning returns a schema of the node in v1's form; whole is true if its CRD keeps all unknown fields, side returns
// the schema of a node on the same side.
func (n *Node) meaning(s *v1.JSONSchemaProps, whole bool, side func(*Node) *v1.JSONSchemaProps) *v1.JSONSchemaProps {
	out := *s // its members are shared: they are replaced, never changed
	if n.Junctor != "" {
		n.inContext(&out, n.around(side))
	}
	if out.Type == "" && !out.XIntOrString {
		out.Type = n.typeByPlace()
	}
	if out.Type == "" && !out.XIntOrString && !n.inJunction() {
		intOrString(&out)
		if !out.XIntOrString {
			out.Type = typeOfBranches(&out)
		}
	}
	if !whole || !n.Structural() {
		return &out
	}
	// Of a CRD that keeps all unknown fields, the implied keywords are added, and the redundant ones removed.
	if out.Type == "array" && out.Items == nil {
		out.Items = &v1.JSONSchemaPropsOrArray{Schema: &v1.JSONSchemaProps{}}
	}
	if out.AdditionalProperties != nil && keepsAll(out.AdditionalProperties) {
		out.AdditionalProperties = nil
	}
	return &out
}

// inJunction reports whether the node is a branch of a junctor: it describes the value that its parent does.
func (n *Node) inJunction() bool {
	switch n.Via {
	case "allOf", "anyOf", "oneOf", "not":
		return true
	}
	return false
}

// inContext takes from a schema in a junctor what another one says already that describes the same value: nil where there
// is none.
func (n *Node) inContext(s, around *v1.JSONSchemaProps) {
	if n.inJunction() || s.Type == "" {
		s.Nullable = false // null never gets to a junctor, and without a type it says nothing
	}
	if around == nil {
		return
	}
	if repeatsType(s, around) || n.inJunction() && s.Type == around.Type {
		s.Type, s.Nullable = "", false
	}
	properties := maps.Clone(s.Properties)
	maps.DeleteFunc(properties, func(name string, p v1.JSONSchemaProps) bool {
		outer := member(around, name)
		return outer != nil && repeatsType(&p, outer) &&
			equality.Semantic.DeepEqual(p, v1.JSONSchemaProps{Type: p.Type, Nullable: p.Nullable, Description: p.Description})
	})
	s.Properties = properties
}

// repeatsType reports whether a schema's type says nothing beside that of another one.
func repeatsType(s, around *v1.JSONSchemaProps) bool {
	return s.Type == around.Type && (s.Nullable || !around.Nullable)
}

// around is the schema on one side that describes the same value as a node in a junctor, from outside of it; nil when there
// is none.
func (n *Node) around(side func(*Node) *v1.JSONSchemaProps) *v1.JSONSchemaProps {
	switch {
	case n.Junctor == "":
		return side(n)
	case n.inJunction() && side(n.Parent).Type != "":
		return side(n.Parent)
	case n.inJunction():
		return n.Parent.around(side)
	}
	outer := n.Parent.around(side)
	switch {
	case outer == nil:
		return nil
	case n.Via == "properties":
		return member(outer, n.Name)
	case n.Via == "items" && outer.Items != nil:
		return outer.Items.Schema
	case n.Via == "additionalProperties":
		return valuesOf(outer)
	}
	return nil
}

// member is the schema of a field of objects; nil when there is none.
func member(s *v1.JSONSchemaProps, name string) *v1.JSONSchemaProps {
	if p, declared := s.Properties[name]; declared {
		return &p
	}
	return valuesOf(s)
}

// typeByPlace is the type that a value has by where it is, whatever the schema says: a whole object is an object, and so is
// its metadata; its apiVersion and kind are texts.
func (n *Node) typeByPlace() string {
	switch {
	case n.Parent == nil:
		return "object"
	case n.Via != "properties" || !n.Parent.isObject():
		return ""
	case n.Name == "metadata":
		return "object"
	case always(n.Name):
		return "string"
	}
	return ""
}

// intOrString turns a choice between an integer and a string into what v1 calls it.
func intOrString(s *v1.JSONSchemaProps) {
	switch {
	case len(s.OneOf) == 0 && isIntOrString(s.AnyOf):
	case len(s.AnyOf) == 0 && isIntOrString(s.OneOf): // no value is both
		s.OneOf = nil
	case len(s.AllOf) > 0 && isIntOrString(s.AllOf[0].AnyOf): // the other place that v1 has for it
		s.XIntOrString, s.AllOf = true, slices.Clone(s.AllOf)
		s.AllOf[0].AnyOf = integerOrString
		return
	default:
		return
	}
	s.XIntOrString, s.AnyOf = true, integerOrString
}

// integerOrString are the branches that v1 has for int-or-string; they are shared, and never changed.
var integerOrString = []v1.JSONSchemaProps{{Type: "integer"}, {Type: "string"}}

// isIntOrString reports whether the branches of a junctor are an integer and a string, in either order.
func isIntOrString(branches []v1.JSONSchemaProps) bool {
	return equality.Semantic.DeepEqual(branches, integerOrString) ||
		len(branches) == 2 && equality.Semantic.DeepEqual([]v1.JSONSchemaProps{branches[1], branches[0]}, integerOrString)
}

// typeOfBranches is the type that junctors demand: one that all branches of anyOf or of oneOf have, or a branch of allOf.
func typeOfBranches(s *v1.JSONSchemaProps) string {
	for _, branches := range [][]v1.JSONSchemaProps{s.AnyOf, s.OneOf} {
		if len(branches) > 0 && branches[0].Type != "" &&
			!slices.ContainsFunc(branches, func(b v1.JSONSchemaProps) bool { return b.Type != branches[0].Type }) {
			return branches[0].Type
		}
	}
	for i := range s.AllOf {
		if s.AllOf[i].Type != "" {
			return s.AllOf[i].Type
		}
	}
	return ""
}

// saysNothing reports whether the schema of a version demands nothing, as does none.
func saysNothing(s *v1.JSONSchemaProps) bool {
	return s == nil || equality.Semantic.DeepEqual(*s, v1.JSONSchemaProps{
		Type: s.Type, Description: s.Description, XPreserveUnknownFields: s.XPreserveUnknownFields,
	}) && (s.Type == "" || s.Type == "object")
}

// keepsAll reports whether additionalProperties take fields of any name and value in a CRD that keeps what those hold.
func keepsAll(a *v1.JSONSchemaPropsOrBool) bool {
	if a.Schema == nil {
		return a.Allows
	}
	return AcceptsAnything(a.Schema) || isEmpty(a.Schema)
}

// isEmpty reports whether a schema constrains nothing. Pruning still removes undeclared fields from objects.
func isEmpty(s *v1.JSONSchemaProps) bool {
	return equality.Semantic.DeepEqual(*s, v1.JSONSchemaProps{Description: s.Description})
}
