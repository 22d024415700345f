package gotypes

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Package is a Go package of the repository.
type Package struct {
	Name    string
	Markers []Marker // of the package, in the order of its files

	folder  string
	files   []*File
	types   map[string]*Type
	methods map[string]bool // "Type.Method"
	gaps    []Gap
}

// A Type is the declaration of a type in the repository.
type Type struct {
	Name    string
	Pos     lint.Position // of the name; markers go on a line of their own above it
	Doc     string        // as controller-gen writes it
	Markers []Marker
	File    *File

	expr   ast.Expr
	params []string // of a generic type
	alias  bool
}

// packageMarkers are the markers that are for packages only: controller-gen takes them so even if they stand above a type,
// apart from its documentation.
var packageMarkers = []string{"groupName", "versionName", "kubebuilder:skip", "kubebuilder:validation:Optional", "kubebuilder:validation:Required"}

func forPackage(m Marker) bool { return slices.Contains(packageMarkers, m.Name()) }

// load returns the package in a folder, nil if there is none.
func (r *repository) load(folder string) *Package {
	p, known := r.packages[folder]
	if !known {
		p = r.parse(folder, r.texts(folder))
		r.packages[folder] = p
	}
	return p
}

// A fileText is the text of a file, or why there is none.
type fileText struct {
	path string // as users see it
	text []byte
	err  error
}

// texts reads the files of a folder.
func (r *repository) texts(folder string) (all []fileText) {
	for _, name := range r.goFiles[folder] {
		at := path.Join(folder, name)
		text, err := r.read(at)
		all = append(all, fileText{r.shown(at), text, err})
	}
	return all
}

// unread returns the files that could not be read.
func unread(texts []fileText) (gaps []Gap) {
	for _, s := range texts {
		if s.err != nil {
			gaps = append(gaps, Gap{s.path, "it cannot be read: " + cause(s.err)})
		}
	}
	return gaps
}

// parse reads the package of a folder. If its files name several, as broken folders do, the one with most files counts.
func (r *repository) parse(folder string, texts []fileText) *Package {
	byName := map[string]*Package{}
	gaps := unread(texts)
	for _, s := range texts {
		f, err := parseFile(s.path, s.text)
		if err != nil && s.err == nil {
			gaps = append(gaps, Gap{s.path, "its Go is broken: " + err.Error()})
		}
		if f == nil {
			continue
		}
		p := byName[f.syntax.Name.Name]
		if p == nil {
			p = &Package{Name: f.syntax.Name.Name, folder: folder, types: map[string]*Type{}, methods: map[string]bool{}}
			byName[p.Name] = p
		}
		f.pkg = p
		p.files = append(p.files, f)
	}
	var best *Package
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if p := byName[name]; best == nil || len(p.files) > len(best.files) {
			best = p
		}
	}
	if best == nil {
		return nil // what is broken here is of no package
	}
	best.gaps = gaps
	for _, f := range best.files {
		best.declare(f)
	}
	return best
}

// declare adds the declarations of a file. Of several declarations of a name the first counts.
func (p *Package) declare(f *File) {
	taken := map[*ast.CommentGroup]bool{} // comments that belong to a declaration
	last := f.syntax.Name.End()
	var inside []ast.Decl
	for _, decl := range f.syntax.Decls {
		inside = append(inside, decl)
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			taken[decl.Doc] = true
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				p.methods[typeName(decl.Recv.List[0].Type).Name+"."+decl.Name.Name] = true
			}
		case *ast.GenDecl:
			taken[decl.Doc] = true
			p.declareTypes(f, decl, last, taken)
		}
		last = decl.End()
		if group := trailing(decl); group != nil {
			taken[group], last = true, group.End()
		}
	}
	for _, group := range f.syntax.Comments {
		if taken[group] {
			continue
		}
		for len(inside) > 0 && inside[0].End() < group.Pos() {
			inside = inside[1:]
		}
		if len(inside) == 0 || group.Pos() < inside[0].Pos() {
			p.Markers = append(p.Markers, f.markers(group)...)
		}
	}
}

// declareTypes adds the types of a declaration. Before it, up to a position, is the one before.
func (p *Package) declareTypes(f *File, decl *ast.GenDecl, last token.Pos, taken map[*ast.CommentGroup]bool) {
	for _, spec := range decl.Specs {
		s, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		doc, from := s.Doc, last
		if decl.Lparen.IsValid() {
			from = max(last, decl.Lparen)
		} else if doc == nil {
			doc = decl.Doc
		}
		apart := f.detached(from, s.Pos(), doc)
		taken[doc], taken[apart] = true, true
		t := &Type{
			Name: s.Name.Name, Pos: f.span(s.Name.Pos(), s.Name.End()), Doc: description(doc), File: f,
			expr: s.Type, alias: s.Assign.IsValid(),
		}
		for _, m := range f.markers(apart) {
			if forPackage(m) {
				p.Markers = append(p.Markers, m)
			} else {
				t.Markers = append(t.Markers, m)
			}
		}
		t.Markers = append(t.Markers, f.markers(doc)...)
		if s.TypeParams != nil {
			for _, field := range s.TypeParams.List {
				for _, name := range field.Names {
					t.params = append(t.params, name.Name)
				}
			}
		}
		if p.types[t.Name] == nil {
			p.types[t.Name] = t
		}
		last = end(s, s.Comment)
	}
}

// trailing returns the comment after the last line of a declaration.
func trailing(decl ast.Decl) *ast.CommentGroup {
	general, ok := decl.(*ast.GenDecl)
	if !ok || len(general.Specs) == 0 {
		return nil
	}
	switch spec := general.Specs[len(general.Specs)-1].(type) {
	case *ast.ImportSpec:
		return spec.Comment
	case *ast.ValueSpec:
		return spec.Comment
	case *ast.TypeSpec:
		return spec.Comment
	}
	return nil
}

// end returns where a node ends, with the comment on its line.
func end(n ast.Node, comment *ast.CommentGroup) token.Pos {
	if comment != nil {
		return comment.End()
	}
	return n.End()
}

// marker returns the value of the first of a package's markers with a name.
func (p *Package) marker(name string) (value string, ok bool) {
	for _, m := range p.Markers {
		if m.Name() == name {
			return m.value(), true
		}
	}
	return "", false
}
