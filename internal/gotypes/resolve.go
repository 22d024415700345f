package gotypes

import (
	"go/ast"
	"go/types"
	"path"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A value is a type expression in the file that it stands in.
type value struct {
	expr ast.Expr
	file *File
	args map[string]value // of the generic type that it stands in, by parameter
}

// A resolution is what a type expression is, followed through pointers and names.
type resolution struct {
	value             // the literal or basic type at the end; its expr is nil if there is none
	names     []*Type // declarations on the way, from the outermost; aliases only where controller-gen counts them
	qualified bool    // a name on the way is of another package
	foreign   *Foreign
}

// maxNames bounds how many names are followed: types may be declared in a circle.
const maxNames = 100

// resolve follows a type expression to a literal or basic type, or to a type of another module.
func (r *repository) resolve(v value) (res resolution) {
	for range maxNames {
		switch e := v.expr.(type) {
		case *ast.ParenExpr:
			v.expr = e.X
		case *ast.StarExpr:
			v.expr = e.X
		case *ast.IndexExpr:
			v = r.instance(&res, v, e.X, e.Index)
		case *ast.IndexListExpr:
			v = r.instance(&res, v, e.X, e.Indices...)
		case *ast.Ident:
			if arg, ok := v.args[e.Name]; ok {
				v = arg
				continue
			}
			t := r.named(&res, v.file, e.Name)
			if t == nil {
				if types.Universe.Lookup(e.Name) != nil && res.foreign == nil {
					res.value = v
				}
				return res
			}
			v = value{expr: t.expr, file: t.File}
		case *ast.SelectorExpr:
			t := r.selected(&res, v.file, e)
			if t == nil {
				return res
			}
			v = value{expr: t.expr, file: t.File}
		default:
			res.value = v
			return res
		}
	}
	return res
}

// instance returns what an instance of a generic type stands for.
func (r *repository) instance(res *resolution, v value, generic ast.Expr, args ...ast.Expr) value {
	var t *Type
	switch e := generic.(type) {
	case *ast.Ident:
		t = r.named(res, v.file, e.Name)
	case *ast.SelectorExpr:
		t = r.selected(res, v.file, e)
	}
	if t == nil || len(t.params) != len(args) {
		return value{}
	}
	bound := map[string]value{}
	for i, name := range t.params {
		bound[name] = value{args[i], v.file, v.args}
	}
	return value{t.expr, t.File, bound}
}

// named returns the type that a name without a package means in a file, nil if the repository does not declare it.
func (r *repository) named(res *resolution, f *File, name string) *Type {
	if t := f.pkg.types[name]; t != nil {
		if basic, _ := t.expr.(*ast.Ident); !t.alias || basic != nil && types.Universe.Lookup(basic.Name) != nil {
			res.names = append(res.names, t)
		}
		return t
	}
	if types.Universe.Lookup(name) != nil {
		return nil
	}
	var foreign []Foreign
	for _, i := range r.scope(f)["."] {
		if i.foreign != nil {
			foreign = append(foreign, *i.foreign)
		} else if t := i.pkg.types[name]; t != nil {
			res.qualified = true
			res.names = append(res.names, t)
			return t
		}
	}
	if len(foreign) == 1 {
		foreign[0].Name = name
		res.foreign = &foreign[0]
	}
	return nil
}

// selected returns the type that a name of a package means in a file, nil if the repository does not declare it.
func (r *repository) selected(res *resolution, f *File, e *ast.SelectorExpr) *Type {
	res.qualified = true
	qualifier, ok := e.X.(*ast.Ident)
	if !ok || len(r.scope(f)[qualifier.Name]) == 0 {
		return nil
	}
	of := r.scope(f)[qualifier.Name][0]
	if of.foreign != nil {
		foreign := *of.foreign
		foreign.Name = e.Sel.Name
		res.foreign = &foreign
		return nil
	}
	t := of.pkg.types[e.Sel.Name]
	if t != nil {
		res.names = append(res.names, t)
	}
	return t
}

// An importedPackage is one of the repository or one of another module.
type importedPackage struct {
	pkg     *Package
	foreign *Foreign // without the name of a type
}

// scope returns the imports of a file by name. Names of packages of other modules are guessed unless the file gives them.
func (r *repository) scope(f *File) map[string][]importedPackage {
	if f.imports != nil {
		return f.imports
	}
	f.imports = map[string][]importedPackage{}
	var unnamed []*Foreign
	for _, spec := range f.syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		folder, foreign := r.imported(f.pkg.folder, name)
		i := importedPackage{foreign: foreign}
		if foreign == nil {
			i.pkg = r.load(folder)
			name = i.pkg.Name
		} else if spec.Name == nil {
			unnamed = append(unnamed, foreign)
			continue
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		f.imports[name] = append(f.imports[name], i)
	}
	for _, foreign := range unnamed {
		for _, name := range customaryNames(foreign.Package) {
			f.imports[name] = append(f.imports[name], importedPackage{foreign: foreign})
		}
	}
	return f.imports
}

// customaryNames are those that a package of an import path may have by custom: the last part of the path, and that without
// what belongs to versions of the module or to Go.
func customaryNames(importPath string) []string {
	last := path.Base(importPath)
	plain := last
	if major().MatchString(plain) {
		plain = path.Base(path.Dir(importPath))
	}
	plain, _, _ = strings.Cut(plain, ".")
	plain = strings.TrimSuffix(strings.TrimPrefix(plain, "go-"), "-go")
	return []string{last, strings.ReplaceAll(plain, "-", "")}
}

// major is a part of a path that names a major version of a module.
var major = text.Pattern(`^v[0-9]+$`)

// typeName returns the name in a type expression: that of a method's receiver, or of an embedded field.
func typeName(expr ast.Expr) *ast.Ident {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.SelectorExpr:
			return e.Sel
		case *ast.Ident:
			return e
		default: // broken code
			return &ast.Ident{NamePos: expr.Pos(), Name: "_"}
		}
	}
}
