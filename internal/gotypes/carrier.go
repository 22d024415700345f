package gotypes

import "go/ast"

// A Carrier is what a marker has to stand above: a field or a type. It is empty if no marker has an effect.
type Carrier struct {
	Field *Field
	Type  *Type
	Items bool // the marker has to be one for the elements of the list: +kubebuilder:validation:items:...
}

// TypedCarrier returns where markers have to stand that controller-gen applies only to a schema with a type: those of lists,
// maps, lengths and sizes. Where a field only refers to a type, the type carries them. Other markers go to the field.
func (p Place) TypedCarrier() Carrier {
	_, basic := p.res.expr.(*ast.Ident)
	switch {
	case p.Outcome != Exact || p.Foreign != nil || p.res.expr == nil:
		return Carrier{}
	case p.Type != nil && (!basic || p.res.qualified):
		return ofType(p.Type)
	case len(p.Elements) == 0: // a literal, or a name of a basic type in the same package: the field has its type, too
		return Carrier{Field: p.Field}
	case p.Elements[len(p.Elements)-1] == "items" && len(p.list.names) > 0:
		c := ofType(p.list.names[len(p.list.names)-1])
		c.Items = c.Type != nil
		return c
	case len(p.Elements) == 1 && p.Elements[0] == "items":
		return Carrier{Field: p.Field, Items: true}
	}
	return ofType(p.Type)
}

// ofType returns a type that markers can stand above. Controller-gen fails for those of a type that writes its own JSON,
// since it applies them before it knows what that is.
func ofType(t *Type) Carrier {
	if t != nil && t.File.pkg.methods[t.Name+".MarshalJSON"] {
		return Carrier{}
	}
	return Carrier{Type: t}
}
