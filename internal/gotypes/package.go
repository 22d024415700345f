package gotypes

import (
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Package is a Go package of the repository.
type Package struct {
	Name    string
	Markers []Marker // that are for packages, such as +groupName, in the order of its files

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

// packageMarkers are the markers that are for packages only. Controller-gen takes them from any comment outside of
// declarations, except from documentation; so they may stand above a type, apart from it.
var packageMarkers = []string{"groupName", "versionName", "kubebuilder:skip", "kubebuilder:validation:Optional", "kubebuilder:validation:Required"}

func forPackage(m Marker) bool { return slices.Contains(packageMarkers, m.Name()) }

// load returns the package in a folder, an empty one if there is none.
func (r *repository) load(folder string) *Package {
	if r.packages[folder] == nil {
		r.packages[folder] = r.parse(folder, r.texts(folder))
	}
	return r.packages[folder]
}

// A fileText is the text of a file, or why there is none.
type fileText struct {
	path string // as users see it
	text []byte
	err  error
}

// texts reads the files of a folder.
func (r *repository) texts(folder string) (all []fileText) {
	r.list(folder)
	for _, name := range r.goFiles[folder] {
		at := path.Join(folder, name)
		text, err := r.read(at)
		r.unread = r.unread || err != nil
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

// broken returns the first error of a file.
func broken(err error) string {
	var all scanner.ErrorList
	if errors.As(err, &all) && len(all) > 0 {
		return fmt.Sprintf("its Go is broken at line %d: %s", all[0].Pos.Line, all[0].Msg)
	}
	return "its Go is broken: " + err.Error()
}

// parse reads the package of a folder. If its files name several, as broken folders do, the one with most files counts.
func (r *repository) parse(folder string, texts []fileText) *Package {
	byName := map[string]*Package{}
	gaps := unread(texts)
	for _, s := range texts {
		f, err := parseFile(s.path, s.text)
		if err != nil && s.err == nil {
			gaps = append(gaps, Gap{s.path, broken(err)})
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
	best := &Package{folder: folder}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if p := byName[name]; len(p.files) > len(best.files) {
			best = p
		}
	}
	best.gaps = gaps
	r.unread = r.unread || len(gaps) > 0
	for _, f := range best.files {
		r.sources[f.Path] = f
		best.declare(f)
	}
	return best
}

// declare adds the declarations of a file. Of several declarations of a name the first counts.
func (p *Package) declare(f *File) {
	comments := f.syntax.Comments
	last := f.syntax.Name.End()
	for _, decl := range f.syntax.Decls {
		var doc *ast.CommentGroup
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			doc = decl.Doc
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				p.methods[typeName(decl.Recv.List[0].Type).Name+"."+decl.Name.Name] = true
			}
		case *ast.GenDecl:
			doc = decl.Doc
			p.declareTypes(f, decl, last)
		}
		comments = p.markUntil(f, comments, decl, doc)
		last = decl.End()
	}
	for _, group := range comments {
		p.mark(f, group)
	}
}

// markUntil adds the markers that are for packages and stand before a declaration, and returns the comments after it.
func (p *Package) markUntil(f *File, comments []*ast.CommentGroup, until ast.Decl, doc *ast.CommentGroup) []*ast.CommentGroup {
	for len(comments) > 0 && comments[0].Pos() < until.End() {
		if comments[0].Pos() < until.Pos() && comments[0] != doc {
			p.mark(f, comments[0])
		}
		comments = comments[1:]
	}
	return comments
}

// mark adds the markers of a comment that are for packages.
func (p *Package) mark(f *File, group *ast.CommentGroup) {
	for _, m := range f.markers(group) {
		if forPackage(m) {
			p.Markers = append(p.Markers, m)
		}
	}
}

// declareTypes adds the types of a declaration. Before it another one ends.
func (p *Package) declareTypes(f *File, decl *ast.GenDecl, last token.Pos) {
	for _, spec := range decl.Specs {
		if spec, ok := spec.(*ast.TypeSpec); ok {
			p.declareType(f, decl, spec, max(last, decl.Lparen))
		}
		last = spec.End()
	}
}

// declareType adds a type. Its comments stand after the end of what is before it.
func (p *Package) declareType(f *File, decl *ast.GenDecl, spec *ast.TypeSpec, after token.Pos) {
	doc := spec.Doc
	if doc == nil && !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	t := &Type{
		Name: spec.Name.Name, Pos: f.span(spec.Name.Pos(), spec.Name.End()), Doc: description(doc), File: f,
		Markers: slices.DeleteFunc(f.markers(f.detached(after, spec.Pos(), doc)), forPackage),
		expr:    spec.Type, alias: spec.Assign.IsValid(),
	}
	t.Markers = append(t.Markers, f.markers(doc)...)
	if spec.TypeParams != nil {
		for _, field := range spec.TypeParams.List {
			for _, name := range field.Names {
				t.params = append(t.params, name.Name)
			}
		}
	}
	if p.types[t.Name] == nil {
		p.types[t.Name] = t
	}
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
