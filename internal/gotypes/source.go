package gotypes

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Source is a Go file as it was read, for those who change it.
type Source struct {
	Root string // of its repository, an absolute path; nothing outside of it is to be written
	Path string // absolute
	Text []byte // not to be changed
	// Program writes the file, as that of a File.
	Program string
}

// Source returns a file of a repository that types were looked for in, by the path that positions in it have. A package that was
// not read yet is read now: an earlier run may have found the types.
func (x *Index) Source(shown string) (s Source, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, root := range slices.Backward(slices.Sorted(maps.Keys(x.repositories))) { // a repository before the one that it is in
		if s, ok = x.repositories[root].source(shown, x.absolute(shown)); ok {
			return s, true
		}
	}
	return Source{}, false
}

func (r *repository) source(shown, absolute string) (Source, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.sources[shown]
	if at, err := filepath.Rel(r.root, absolute); f == nil && err == nil && r.goFiles[path.Dir(filepath.ToSlash(at))] != nil {
		r.load(path.Dir(filepath.ToSlash(at)))
		f = r.sources[shown]
	}
	if f == nil {
		return Source{}, false
	}
	at := path.Join(f.pkg.folder, path.Base(f.Path))
	return Source{r.root, filepath.Join(r.root, filepath.FromSlash(at)), f.Text, f.Program}, true
}

// Fingerprint is a text that is another one when anything has changed that Find, Glance and Source may have read in the
// repository of a manifest; "" where the repository is too large to be read as a whole.
func (x *Index) Fingerprint(manifest string) string {
	root, _, ok := x.split(manifest)
	if !ok {
		return "no repository"
	}
	return x.repository(root).fingerprint()
}

// FingerprintBelow is that of what FindBelow may read.
func (x *Index) FingerprintBelow(folder string) string {
	root, _, ok := x.split(filepath.Join(folder, "go.mod"))
	if !ok {
		root = x.absolute(folder)
	}
	return x.repository(root).fingerprint()
}

func (r *repository) fingerprint() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.walk()
	if r.cut {
		return ""
	}
	if r.print != "" {
		return r.print
	}
	h := sha256.New()
	add := func(at string) {
		text, err := r.read(at)
		fmt.Fprintf(h, "%q %d %v\n", at, len(text), err)
		h.Write(text)
	}
	fmt.Fprintf(h, "%q %q %v\n", r.root, r.dir, r.gaps)
	for _, folder := range slices.Sorted(maps.Keys(r.modules)) {
		fmt.Fprintf(h, "%q %q\n", folder, r.modules[folder].text)
	}
	for _, folder := range r.folders {
		fmt.Fprintf(h, "%q %v %v\n", folder, r.large[folder], r.links[folder])
		for _, name := range r.goFiles[folder] {
			add(path.Join(folder, name))
		}
	}
	r.print = fmt.Sprintf("%x", h.Sum(nil))
	return r.print
}

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
