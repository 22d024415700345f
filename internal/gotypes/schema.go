package gotypes

import (
	"go/ast"
	"slices"
)

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
func (p Place) Inlines() bool {
	body, ok := p.res.expr.(*ast.StructType)
	if !ok {
		return false
	}
	r := p.kind.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.fieldsOf(body, p.res.file, p.owner), func(f *Field) bool {
		if f.JSON != "" {
			return false
		}
		of := r.resolve(value{f.expr, p.res.file, p.res.args}).foreign
		return of == nil || of.Package != metav1 || of.Name != "TypeMeta"
	})
}
