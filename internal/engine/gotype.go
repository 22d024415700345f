package engine

import (
	"maps"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// GoTypes are the Go types that manifests are generated from. They are read when a finding asks for them.
type GoTypes struct {
	Index   *gotypes.Index
	Folders []string // to look in, and below; none to look around each manifest
	notes   goNotes

	spellings sync.Map // gofix.Spelling by file
}

// source returns a file with types that were found.
func (g *GoTypes) source(file string) (gotypes.Source, bool) { return g.Index.Source(file) }

// spelled returns a mark with its markers as its file calls them.
func (g *GoTypes) spelled(m lint.Mark) lint.Mark {
	spelling, known := g.spellings.Load(m.Pos.File)
	if !known {
		file, _ := g.source(m.Pos.File)
		spelling, _ = g.spellings.LoadOrStore(m.Pos.File, gofix.SpellingOf(m.Pos.File, file.Text))
	}
	return spelling.(gofix.Spelling).Spell(m)
}

// Find returns the struct of a version for a manifest.
func (g *GoTypes) Find(manifest string, id schema.GroupVersionKind) (found gotypes.Answer) {
	if len(g.Folders) == 0 {
		return g.Index.Find(manifest, id)
	}
	for _, folder := range g.Folders {
		below := g.Index.FindBelow(folder, id)
		if below.Kind != nil || len(below.Several) > 0 {
			return below
		}
		found.Gaps, found.Near = append(found.Gaps, below.Gaps...), append(found.Near, below.Near...)
	}
	return found
}

// fingerprint is a text that is another one when Go types may have changed that are looked for around a manifest; "" where
// that cannot be told.
func (g *GoTypes) fingerprint(manifest string) string {
	if len(g.Folders) == 0 {
		return g.Index.Fingerprint(manifest)
	}
	var all []string
	for _, folder := range g.Folders {
		one := g.Index.FingerprintBelow(folder)
		if one == "" {
			return ""
		}
		all = append(all, one)
	}
	return strings.Join(all, " ")
}

// FindRequired returns the struct of a version in a module that the repository of a manifest requires, where it declares none
// itself: nil where there is none, and where only some folders are to be looked in.
func (g *GoTypes) FindRequired(manifest string, id schema.GroupVersionKind, found gotypes.Answer) (*gotypes.Kind, gotypes.Module) {
	if len(g.Folders) > 0 || !found.Undeclared() {
		return nil, gotypes.Module{}
	}
	return g.Index.FindRequired(manifest, id)
}

// mayRequire reports whether FindRequired looks in modules of others.
func (g *GoTypes) mayRequire(manifest string, id schema.GroupVersionKind, found gotypes.Answer) bool {
	return len(g.Folders) == 0 && found.Undeclared() && g.Index.MayRequire(manifest, id)
}

// GoType returns the struct that controller-gen writes a version of the CRD from; nil where none is known to be the right
// one, or a part of the Go code was not read.
func (p *Pass) GoType(version string) *gotypes.Kind {
	if p.linter.Go == nil {
		return nil
	}
	found := p.goType(version)
	if len(found.Gaps) > 0 {
		return nil
	}
	return found.Kind
}

// GlanceAt passes the struct that controller-gen seems to write a version of the CRD from to a function. It reports whether
// that returns true: only if it would with what GoType returns, too, which reads much more.
func (p *Pass) GlanceAt(version string, agrees func(*gotypes.Kind) bool) bool {
	if p.linter.Go == nil || len(p.linter.Go.Folders) > 0 {
		return false
	}
	kind := p.around().glance(p.kindOf(version))
	return kind != nil && agrees(kind) && kind.Whole()
}

type goTypesKey struct{}

// goTypes are the answers so far to where the types of the CRD's versions are.
func (p *Pass) goTypes() map[schema.GroupVersionKind]gotypes.Answer {
	return Memo(p, goTypesKey{}, func() map[schema.GroupVersionKind]gotypes.Answer {
		return map[schema.GroupVersionKind]gotypes.Answer{}
	})
}

// goType returns where the type of a version is.
func (p *Pass) goType(version string) gotypes.Answer {
	id := p.kindOf(version)
	found, known := p.goTypes()[id]
	if !known {
		found = p.around().find(id)
		p.goTypes()[id] = found
	}
	return found
}

// noteGoTypes notes where findings have no place in Go types. Where only some folders are looked in, all versions are asked
// for, since one that is there tells that others are left out by mistake.
func (p *Pass) noteGoTypes() {
	asked := maps.Clone(p.goTypes())
	if len(p.linter.Go.Folders) > 0 && len(asked) > 0 {
		for _, v := range p.CRD.Versions() {
			asked[p.kindOf(v.Name)] = p.goType(v.Name)
		}
	}
	note := p.linter.Go.noteOf(asked)
	p.linter.Go.note(note)
	p.linter.Asked.note(note)
}

// kindOf returns what a version of the CRD is called.
func (p *Pass) kindOf(version string) schema.GroupVersionKind {
	spec := crd.Get(p.CRD.Node, "spec")
	return schema.GroupVersionKind{Group: crd.StringAt(spec, "group"), Version: version, Kind: crd.StringAt(spec, "names", "kind")}
}

// OriginAt returns a place in Go types as an origin. A rule that knows it better than by the place of a finding sets it.
func (p *Pass) OriginAt(mark lint.Mark, c lint.Confidence) *lint.Origin {
	out := &lint.Origin{Mark: mark, Confidence: c, Generator: crd.ControllerGen}
	if g := p.generator(); g != nil {
		out.Generator = g.String()
	}
	return out
}
