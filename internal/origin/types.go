package origin

import (
	"maps"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// GoType returns the struct that controller-gen writes a version of the CRD from; nil where none is known to be the right
// one, or a part of the Go code was not read.
func (m *Manifest) GoType(version string) *gotypes.Kind {
	if m.around.Go == nil {
		return nil
	}
	found := m.goType(version)
	if len(found.Gaps) > 0 {
		return nil
	}
	return found.Kind
}

// GlanceAt passes the struct that controller-gen seems to write a version of the CRD from to a function. It reports whether
// that returns true: only if it would with what GoType returns, too, which reads much more.
func (m *Manifest) GlanceAt(version string, agrees func(*gotypes.Kind) bool) bool {
	if m.around.Go == nil || len(m.around.Go.Folders) > 0 {
		return false
	}
	kind := m.around.Glance(m.kindOf(version))
	return kind != nil && agrees(kind) && kind.Whole()
}

// goType returns where the type of a version is.
func (m *Manifest) goType(version string) gotypes.Answer {
	id := m.kindOf(version)
	found, known := m.types[id]
	if !known {
		found = m.around.Find(id)
		m.types[id] = found
	}
	return found
}

// noteGoTypes notes where findings have no place in Go types. Where only some folders are looked in, all versions are asked
// for, since one that is there tells that others are left out by mistake.
func (m *Manifest) noteGoTypes() {
	asked := maps.Clone(m.types)
	if len(m.around.Go.Folders) > 0 && len(asked) > 0 {
		for _, v := range m.CRD.Versions() {
			asked[m.kindOf(v.Name)] = m.goType(v.Name)
		}
	}
	m.around.NoteFound(asked)
}

// kindOf returns what a version of the CRD is called.
func (m *Manifest) kindOf(version string) schema.GroupVersionKind {
	spec := crd.Get(m.CRD.Node, "spec")
	return schema.GroupVersionKind{Group: crd.StringAt(spec, "group"), Version: version, Kind: crd.StringAt(spec, "names", "kind")}
}

// OriginAt returns a place in Go types as an origin. A rule that knows it better than by the place of a finding sets it.
func (m *Manifest) OriginAt(mark lint.Mark, c lint.Confidence) *lint.Origin {
	out := &lint.Origin{Mark: mark, Confidence: c, Generator: crd.ControllerGen}
	if g := m.generator(); g != nil {
		out.Generator = g.String()
	}
	return out
}
