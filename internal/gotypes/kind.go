package gotypes

import (
	"bytes"
	"go/ast"
	"path"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// metav1 is the package of TypeMeta and ObjectMeta.
const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// A Kind is the struct that a version of a kind is generated from.
type Kind struct {
	*Type
	repository *repository
}

// Package returns the package that declares the kind.
func (k *Kind) Package() *Package { return k.File.pkg }

// Alone reports whether no struct of another version of the kind is known. What Find returns knows all of the module's.
func (k *Kind) Alone() bool {
	k.repository.mu.Lock()
	defer k.repository.mu.Unlock()
	group, _ := k.Package().marker("groupName")
	for _, s := range k.repository.scans {
		for _, t := range s.kinds {
			if other, _ := t.File.pkg.marker("groupName"); t.Name == k.Name && t.File.pkg != k.Package() && other == group {
				return false
			}
		}
	}
	return true
}

// find returns the struct of a kind for a manifest in a folder. The module of the manifest and those nested in it come
// first, then those around it.
func (r *repository) find(folder string, id schema.GroupVersionKind) Answer {
	r.walk()
	return r.findIn(r.scopes(folder), folder, id)
}

// findIn returns the struct of a kind in the first of several scopes that declares it, as seen from a folder.
func (r *repository) findIn(scopes []string, folder string, id schema.GroupVersionKind) (found Answer) {
	var last string
	for _, last = range scopes {
		declared := r.declared(last, folder, id)
		if len(declared) == 0 {
			continue
		}
		if !r.oneOf(declared, folder) {
			for _, t := range declared {
				found.Several = append(found.Several, t.Pos)
			}
		} else {
			found.Kind = &Kind{declared[0], r}
		}
		break
	}
	found.Gaps = slices.Clone(r.gaps)
	if r.cut && found.Kind == nil {
		found.Near = r.gaps[len(r.gaps)-1:]
	}
	for _, at := range r.foldersIn(last, folder) {
		gaps := slices.Concat(r.large[at], r.scan(at).gaps)
		if r.near(at, found.Kind, id) {
			gaps = slices.Concat(gaps, r.links[at])
			found.Near = append(found.Near, gaps...)
		}
		found.Gaps = append(found.Gaps, gaps...)
	}
	return found
}

// near reports whether a folder has the package of a kind or, if that is nil, may have it: by its group and version or,
// where the group is not known, by a name like that of the version.
func (r *repository) near(folder string, kind *Kind, id schema.GroupVersionKind) bool {
	if kind != nil {
		return folder == kind.File.pkg.folder
	}
	p := r.packages[folder]
	if p != nil {
		if _, known := p.marker("groupName"); known {
			return p.serves(id)
		}
	}
	return path.Base(folder) == id.Version
}

// oneOf reports whether the first of several declarations stands for all: it is the nearest to a folder, and the others
// are copies.
func (r *repository) oneOf(declared []*Type, from string) bool {
	away := func(t *Type) int { return distance(from, t.File.pkg.folder) }
	return !slices.ContainsFunc(declared[1:], func(other *Type) bool {
		return away(other) == away(declared[0]) || !r.agree(declared[0], other)
	})
}

// scopes returns the folders in which the types of a manifest in a folder are looked for, one after the other: those of
// the modules and of the testdata around it, and the root.
func (r *repository) scopes(folder string) (all []string) {
	for at := range upwards(folder) {
		if at == "." || r.modules[at] != nil || path.Base(at) == "testdata" {
			all = append(all, at)
		}
	}
	return all
}

// foldersIn returns the folders in a scope that have Go files, as seen from a folder.
func (r *repository) foldersIn(scope, from string) (all []string) {
	for _, at := range r.folders {
		if within(at, scope) && visible(at, from) {
			all = append(all, at)
		}
	}
	return all
}

// declared returns the structs of a kind in a scope, as seen from a folder, the nearest first.
func (r *repository) declared(scope, from string, id schema.GroupVersionKind) (all []*Type) {
	for _, at := range r.foldersIn(scope, from) {
		for _, t := range r.scan(at).kinds {
			if t.Name == id.Kind && t.File.pkg.serves(id) {
				all = append(all, t)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Type) int {
		return distance(from, a.File.pkg.folder) - distance(from, b.File.pkg.folder)
	})
	return all
}

// serves reports whether a package is that of a group and version, by the markers that controller-gen reads.
func (p *Package) serves(id schema.GroupVersionKind) bool {
	group, ok := p.marker("groupName")
	if _, skipped := p.marker("kubebuilder:skip"); !ok || skipped || group != id.Group {
		return false
	}
	version, ok := p.marker("versionName")
	if !ok {
		version = p.Name
	}
	return version == id.Version
}

// A scan is what a folder has of kinds: the structs, and what was not read.
type scan struct {
	kinds []*Type
	gaps  []Gap
}

// scan looks for structs of kinds in a folder. It is parsed only if its files have the words that kinds have.
func (r *repository) scan(folder string) *scan {
	if s := r.scans[folder]; s != nil {
		return s
	}
	s := &scan{}
	r.scans[folder] = s
	texts := r.texts(folder)
	if !contain(texts, "+groupName") || !contain(texts, "TypeMeta", "ObjectMeta", "struct") {
		s.gaps = unread(texts)
		return s
	}
	if r.packages[folder] == nil {
		r.packages[folder] = r.parse(folder, texts)
	}
	p := r.packages[folder]
	s.gaps = p.gaps
	for _, t := range p.types {
		if r.isKind(t) {
			s.kinds = append(s.kinds, t)
		}
	}
	return s
}

// contain reports whether one of several files has all words.
func contain(texts []fileText, words ...string) bool {
	return slices.ContainsFunc(texts, func(s fileText) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !bytes.Contains(s.text, []byte(word)) })
	})
}

// isKind reports whether a type is a struct that embeds what objects of an API have.
func (r *repository) isKind(t *Type) bool {
	body, ok := t.expr.(*ast.StructType)
	if !ok {
		return false
	}
	embedded := map[string]bool{}
	for _, field := range body.Fields.List {
		if len(field.Names) > 0 {
			continue
		}
		if _, pointer := field.Type.(*ast.StarExpr); pointer {
			continue
		}
		if res := r.resolve(value{expr: field.Type, file: t.File}); res.foreign != nil && res.foreign.Package == metav1 {
			embedded[res.foreign.Name] = true
		}
	}
	return embedded["TypeMeta"] && embedded["ObjectMeta"]
}

// Declares reports whether a type is the struct of this kind or of another.
func (k *Kind) Declares(t *Type) bool {
	k.repository.mu.Lock()
	defer k.repository.mu.Unlock()
	return k.repository.isKind(t)
}

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
	return reflect.TypeOf(a.expr) == reflect.TypeOf(b.expr) // controller-gen rejects them, or nothing is known of them
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
