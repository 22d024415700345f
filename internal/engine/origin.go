package engine

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// GoTypes are the Go types that manifests are generated from. They are read when a finding asks for them.
type GoTypes struct {
	Index   *gotypes.Index
	Folders []string // of modules; none to look around each manifest
}

// find returns the struct of a version for a manifest; nil where none is known to be the right one.
func (g *GoTypes) find(manifest string, id schema.GroupVersionKind) *gotypes.Kind {
	if len(g.Folders) == 0 {
		return g.Index.Find(manifest, id).Kind
	}
	for _, folder := range g.Folders {
		if kind := g.Index.Find(path.Join(folder, path.Base(manifest)), id).Kind; kind != nil {
			return kind
		}
	}
	return nil
}

// An origins finds the origins of the findings about a CRD.
type origins struct {
	*Pass
	kinds map[string]*gotypes.Kind // by version
}

// findOrigins adds where Go types declare what findings are about, if the CRD may be generated from such.
func (p *Pass) findOrigins(findings []*Finding) {
	if p.linter.Go == nil || len(findings) == 0 || p.CRD.InCluster() || !p.fromGo() {
		return
	}
	o := &origins{p, map[string]*gotypes.Kind{}}
	for _, f := range findings {
		f.Origin = o.of(f.At.Path)
	}
}

// fromGo reports whether a manifest was generated from Go types, as far as it can tell: controller-gen says so, unless a
// later tool lost its annotation. The description that the types of Kubernetes have is left then.
func (p *Pass) fromGo() bool {
	if g := p.generator(); g != nil {
		return g.FromGo()
	}
	return slices.ContainsFunc(p.CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Root() != nil && strings.HasPrefix(crd.StringAt(v.Root().Get("properties", "apiVersion", "description")), typeMetaText)
	})
}

// typeMetaText begins the description of metav1.TypeMeta.APIVersion.
const typeMetaText = "APIVersion defines the versioned schema of this representation of an object."

// of returns where Go types declare what is at a path; nil where no types are known to.
func (o *origins) of(path string) *lint.Origin {
	v := o.versionOf(path)
	if v == nil {
		return nil
	}
	kind := o.kind(v.Name)
	if kind == nil {
		return nil
	}
	below, ok := strings.CutPrefix(path, v.Schema.Path)
	if v.Schema.Node == nil || !ok {
		return o.origin(lint.Mark{Pos: kind.Pos, Symbol: kind.Name, At: lint.KindDeclaration}, lint.ExactOrigin)
	}
	steps := crd.Steps(strings.TrimPrefix(below, "."))
	place := kind.At(steps...)
	mark := lint.Mark{Pos: kind.Pos, Symbol: kind.Name, At: lint.KindDeclaration}
	if place.Field != nil {
		mark = lint.Mark{Pos: place.Field.Pos, Symbol: place.Field.Symbol, At: lint.FieldDeclaration}
	}
	switch place.Outcome {
	case gotypes.Exact:
		if o.agrees(path, place) {
			return o.origin(mark, lint.ExactOrigin)
		}
		return o.origin(mark, lint.StaleOrigin)
	case gotypes.Missing:
		return o.origin(mark, lint.StaleOrigin)
	case gotypes.Outside:
		origin := o.origin(mark, lint.ForeignOrigin)
		origin.Type, origin.Module = place.Foreign.Symbol(), place.Foreign.Module
		return origin
	}
	return nil
}

func (o *origins) origin(mark lint.Mark, c lint.Confidence) *lint.Origin {
	out := &lint.Origin{Mark: mark, Confidence: c, Generator: "controller-gen"}
	if g := o.generator(); g != nil {
		out.Generator = g.String()
	}
	return out
}

// versionOf returns the version whose struct declares what is at a path: the one that the path is in, or else the
// storage version.
func (o *origins) versionOf(path string) (found *crd.APIVersion) {
	names := o.versionsAt(path)
	for _, v := range o.CRD.Versions() {
		if len(names) == 1 && v.Name == names[0] || len(names) != 1 && v.Storage {
			return &v
		}
	}
	return nil
}

// kind returns the struct of a version; nil where none is known to be the right one.
func (o *origins) kind(version string) *gotypes.Kind {
	kind, known := o.kinds[version]
	if !known {
		spec := crd.Get(o.CRD.Node, "spec")
		id := schema.GroupVersionKind{Group: crd.StringAt(spec, "group"), Version: version, Kind: crd.StringAt(spec, "names", "kind")}
		kind = o.linter.Go.find(o.document.File.Path, id)
		o.kinds[version] = kind
	}
	return kind
}

// agrees reports whether the description of the schema that a path leads to is the one that controller-gen would write.
// Without a text on one of the sides there is nothing to compare.
func (o *origins) agrees(path string, place gotypes.Place) bool {
	s, _ := o.CRD.SchemaAt(path)
	if s == nil || !place.DocKnown || place.Doc == "" {
		return true
	}
	written := strings.Fields(crd.StringAt(s.Node, "description"))
	declared := strings.Fields(place.Doc)
	return len(written) == 0 || slices.Equal(written, declared) || len(written) > len(declared) && written[len(declared)] == "---" && slices.Equal(written[:len(declared)], declared)
}
