package gotypes

import (
	"go/ast"
	"go/token"

	"github.com/crdlift/crdlift/lint"
)

// A Declaration is a type that a file declares, or a field of one of its structs, as somebody who edits markers needs it.
type Declaration struct {
	Name    string        // of the type or the field
	Pos     lint.Position // of the name, as that of a Field or Type
	Doc     string        // as controller-gen writes it
	Markers []Marker
	Begin   int // offset of its first token; several fields in one declaration have the same
}

// Declarations are what a file declares.
type Declarations struct {
	All []Declaration // each type before its fields
	// Package are the markers that are for packages.
	Package []Marker
	// Generated reports whether a comment says that a program wrote the file.
	Generated bool
}

// DeclarationsOf parses the text of a file by itself. It fails where the syntax is wrong.
func DeclarationsOf(path string, text []byte) (Declarations, error) {
	f, err := parseFile(path, text)
	if err != nil || f == nil {
		return Declarations{}, err
	}
	p := &Package{types: map[string]*Type{}, methods: map[string]bool{}}
	p.declare(f)
	all := Declarations{Package: p.Markers, Generated: f.Program != ""}
	for _, decl := range f.syntax.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
			all.add(f, p, decl)
		}
	}
	return all, nil
}

// add adds the types of a declaration, and their fields.
func (all *Declarations) add(f *File, p *Package, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		begin := spec.Pos()
		if !decl.Lparen.IsValid() {
			begin = decl.Pos()
		}
		if t := p.types[spec.Name.Name]; t.Pos == f.span(spec.Name.Pos(), spec.Name.End()) {
			all.All = append(all.All, Declaration{t.Name, t.Pos, t.Doc, t.Markers, f.tokens.Offset(begin)})
		}
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			if body, ok := n.(*ast.StructType); ok {
				all.addFields(f, body)
			}
			return true
		})
	}
}

func (all *Declarations) addFields(f *File, body *ast.StructType) {
	for field, markers := range f.marked(body) {
		for _, label := range labels(field) {
			all.All = append(all.All, Declaration{
				label.Name, f.span(label.Pos(), label.End()), description(field.Doc), markers, f.tokens.Offset(field.Pos()),
			})
		}
	}
}
