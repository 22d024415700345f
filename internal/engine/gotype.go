package engine

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

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
	kind := p.linter.Go.Index.Glance(p.document.File.Path, p.kindOf(version))
	return kind != nil && agrees(kind) && kind.Whole()
}

type goTypesKey struct{}

// goTypes are the answers so far to where the types of the CRD's versions are.
func (p *Pass) goTypes() map[schema.GroupVersionKind]gotypes.Found {
	return Memo(p, goTypesKey{}, func() map[schema.GroupVersionKind]gotypes.Found {
		return map[schema.GroupVersionKind]gotypes.Found{}
	})
}

// goType returns where the type of a version is.
func (p *Pass) goType(version string) gotypes.Found {
	id := p.kindOf(version)
	found, known := p.goTypes()[id]
	if !known {
		found = p.linter.Go.Find(p.document.File.Path, id)
		p.goTypes()[id] = found
	}
	return found
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
