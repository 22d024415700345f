package gotypes

import "go/ast"

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

// Inlines reports whether other types are inlined into a struct at a place, with their markers. TypeMeta has none.
func (p Place) Inlines() bool { return len(p.Inlined()) > 0 }

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
