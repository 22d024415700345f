package gotypes

import "go/ast"

// A Carrier is what a marker has to stand above: a field or a type. It is empty if no marker has an effect.
type Carrier struct {
	Field *Field
	Type  *Type
	Items bool // the marker has to be one for the elements of the list: +kubebuilder:validation:items:...
}

// TypedCarrier returns where markers have to stand that controller-gen applies only to a schema with a type: those of lists,
// maps, lengths and sizes. Where a field only refers to a type, the type has them. Other markers go to the field.
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
// since it applies them before it knows what that is, unless a marker says so: that one goes first.
func ofType(t *Type) Carrier {
	if t != nil && t.File.pkg.methods[t.Name+".MarshalJSON"] && !t.opaque() {
		return Carrier{}
	}
	return Carrier{Type: t}
}

// Package returns the package that a file belongs to.
func (f *File) Package() *Package { return f.pkg }

// Basic returns the name of the basic type that a place has without a declaration of its own, such as int32; "" where it
// has another type.
func (p Place) Basic() string {
	if basic, ok := p.res.expr.(*ast.Ident); ok && p.Outcome == Exact && len(p.res.names) == 0 && p.Foreign == nil {
		return basic.Name
	}
	return ""
}

// Inlined are the places of what is inlined into a struct at a place, and into that in turn, apart from TypeMeta. Their
// markers are about the struct as well.
func (p Place) Inlined() []Place {
	r := p.kind.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.inlined(map[*ast.StructType]bool{})
}

// inlined is Inlined without the structs that were seen.
func (p Place) inlined(seen map[*ast.StructType]bool) (all []Place) {
	body, ok := p.res.expr.(*ast.StructType)
	if !ok || seen[body] {
		return nil
	}
	seen[body] = true
	for _, f := range p.kind.repository.fieldsOf(body, p.res.file, p.owner) {
		if f.JSON != "" {
			continue
		}
		at := Place{Field: f, kind: p.kind, owner: f.Symbol}
		at.move(value{f.expr, p.res.file, p.res.args})
		if of := at.Foreign; of == nil || of.Package != metav1 || of.Name != "TypeMeta" {
			all = append(append(all, at), at.inlined(seen)...)
		}
	}
	return all
}
