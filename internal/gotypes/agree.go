package gotypes

import (
	"go/ast"
	"reflect"
)

// agree reports whether two declarations of a kind lead to the same schema, as far as members, their types and their
// documentation go: copies of a package do.
func (r *repository) agree(a, b *Type) bool {
	c := comparison{r, map[[2]ast.Expr]bool{}}
	return a.Doc == b.Doc && c.same(c.resolve(value{expr: a.expr, file: a.File}), c.resolve(value{expr: b.expr, file: b.File}), a.Name)
}

// A comparison compares types that may contain themselves.
type comparison struct {
	*repository
	begun map[[2]ast.Expr]bool
}

func (c comparison) same(a, b resolution, owner string) bool {
	if a.foreign != nil || b.foreign != nil {
		return sameForeign(a.foreign, b.foreign)
	}
	if len(a.names) != len(b.names) {
		return false
	}
	for i := range a.names {
		if a.names[i].Doc != b.names[i].Doc {
			return false
		}
	}
	pair := [2]ast.Expr{a.expr, b.expr}
	if c.begun[pair] {
		return true
	}
	c.begun[pair] = true
	switch x := a.expr.(type) {
	case *ast.StructType:
		y, ok := b.expr.(*ast.StructType)
		return ok && c.sameMembers(c.membersOf(x, a.value, a.owner(owner), false), c.membersOf(y, b.value, b.owner(owner), false))
	case *ast.ArrayType:
		y, ok := b.expr.(*ast.ArrayType)
		return ok && c.same(c.element(a, x.Elt), c.element(b, y.Elt), owner)
	case *ast.MapType:
		y, ok := b.expr.(*ast.MapType)
		return ok && c.same(c.element(a, x.Value), c.element(b, y.Value), owner)
	case *ast.Ident:
		y, ok := b.expr.(*ast.Ident)
		return ok && x.Name == y.Name
	}
	return reflect.TypeOf(a.expr) == reflect.TypeOf(b.expr) // controller-gen refuses them, or nothing is known of them
}

func (c comparison) element(of resolution, expr ast.Expr) resolution {
	return c.resolve(value{expr, of.file, of.args})
}

func (c comparison) sameMembers(a, b *members) bool {
	if len(a.all) != len(b.all) || len(a.foreign) != len(b.foreign) || a.unknown != b.unknown {
		return false
	}
	for i := range a.foreign {
		if !sameForeign(a.foreign[i].of, b.foreign[i].of) {
			return false
		}
	}
	for i, x := range a.all {
		y := b.all[i]
		if x.JSON != y.JSON || x.Doc != y.Doc || !c.same(c.resolve(x.value), c.resolve(y.value), x.Symbol) {
			return false
		}
	}
	return true
}

// sameForeign reports whether two types of other modules are the same, of whatever version.
func sameForeign(a, b *Foreign) bool {
	return a != nil && b != nil && a.Package == b.Package && a.Name == b.Name
}
