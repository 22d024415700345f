package origin

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// An origins finds the origins of the findings about a CRD.
type origins struct {
	*Manifest
	texts   map[string]*drift.Texts // by version
	foreign map[string]foreign      // by version
}

// fromGo reports whether a manifest was generated from Go types, as far as it can tell: controller-gen says so, unless a
// later tool lost its annotation. The description that the types of Kubernetes have is left then.
func (m *Manifest) fromGo() bool {
	if m.CRD.InCluster() {
		return false
	}
	if g := m.generator(); g != nil {
		return g.FromGo()
	}
	return slices.ContainsFunc(m.CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Root() != nil && strings.HasPrefix(crd.StringAt(v.Root().Get("properties", "apiVersion", "description")), typeMetaText)
	})
}

// typeMetaText begins the description of metav1.TypeMeta.APIVersion.
const typeMetaText = "APIVersion defines the versioned schema of this representation of an object."

// at returns where Go types declare what is at a path; nil where none are known to.
func (o *origins) at(path string) *statement {
	v := o.versionOf(path)
	if v == nil {
		return nil
	}
	kind := o.kind(v.Name)
	if kind == nil {
		return nil
	}
	below, inside := strings.CutPrefix(path, v.Schema.Path)
	if !inside || v.Schema.Node == nil {
		return &statement{mark: ofType(kind.Type, lint.KindDeclaration).mark, confidence: lint.ExactOrigin}
	}
	return o.declared(v, kind, path, kind.At(crd.Steps(strings.TrimPrefix(below, "."))...))
}

// declared is what Go types say about a path in the schema of a kind.
func (o *origins) declared(v *crd.APIVersion, kind *gotypes.Kind, path string, place gotypes.Place) *statement {
	d := &statement{mark: ofType(kind.Type, lint.KindDeclaration).mark, confidence: lint.ExactOrigin}
	if place.Field != nil {
		d.mark = ofField(place.Field).mark
	}
	switch {
	case place.Outcome == gotypes.Unknown:
		return nil
	case place.Outcome == gotypes.Outside:
		d.confidence, d.foreign = lint.ForeignOrigin, place.Foreign
	case place.Outcome == gotypes.Missing || !o.agrees(v, path, place):
		d.confidence = lint.StaleOrigin
	}
	return d
}

// generatorVersion is that of the controller-gen that wrote the manifest, "" where it is not known.
func (o *origins) generatorVersion() string {
	if g := o.generator(); g != nil {
		return g.Version
	}
	return ""
}

// kind returns the struct of a version; nil where none is known to be the right one.
func (o *origins) kind(version string) *gotypes.Kind { return o.goType(version).Kind }

// agrees reports whether the description of the schema that a path leads to is the one that controller-gen would write.
func (o *origins) agrees(v *crd.APIVersion, path string, place gotypes.Place) bool {
	s, _ := o.CRD.SchemaAt(path)
	if s == nil || !place.DocKnown {
		return true
	}
	if o.texts[v.Name] == nil {
		o.texts[v.Name] = drift.TextsOf(v.Root())
	}
	return !o.texts[v.Name].Differ(s, place.Doc)
}

// A statement is what Go types say about one path.
type statement struct {
	mark       lint.Mark
	confidence lint.Confidence
	foreign    *gotypes.Foreign
}

// writtenLater reports whether a step after the generator wrote the keyword that a path leads to.
func (o *origins) writtenLater(path string) bool {
	parent, keyword := crd.Above(path)
	s, rest := o.CRD.SchemaAt(parent)
	v := o.versionOf(path)
	if s == nil || len(rest) > 0 || v == nil || s.Fits(keyword) {
		return false
	}
	kind := o.kind(v.Name)
	below, inside := strings.CutPrefix(parent, v.Schema.Path)
	return kind != nil && inside && drift.WrittenLater(s, keyword, kind.At(crd.Steps(strings.TrimPrefix(below, "."))...))
}

// fresh is the statement of a manifest that is not known to be stale.
func (s *statement) fresh() *statement {
	if s == nil || s.confidence != lint.StaleOrigin {
		return s
	}
	return &statement{mark: s.mark, confidence: lint.ExactOrigin}
}

// A foreign is the struct of a version in a module that the repository requires; its kind is nil where there is none.
type foreign struct {
	kind   *gotypes.Kind
	module gotypes.Module
}

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

// Said is where Go types say what the schema at a path of the CRD has of a keyword, and the marker that does; "" for the declaration that
// the schema is made of. Of several rules it is the one with that expression. It is false where the types are not known, or are known to
// say something else.
func (m *Manifest) Said(path, keyword, rule string) (pos lint.Position, text string, ok bool) {
	if m.around.Go == nil {
		return pos, "", false
	}
	o := &origins{m, map[string]*drift.Texts{}, map[string]foreign{}}
	at := o.at(path)
	if at == nil || at.confidence == lint.StaleOrigin || o.writtenLater(crd.Member(path, keyword)) {
		return pos, "", false
	}
	wants, _ := o.wants(ToChoose(path, keyword))
	for _, w := range wants {
		if rule != "" {
			w.about = hasArguments(map[string]any{"rule": rule}, "rule")
		}
		c, _ := o.carrier(w)
		if !c.agrees(w) {
			return pos, "", false
		}
		for _, one := range w.withValue(c.has(w)) {
			return one.Pos, one.Text, true
		}
	}
	return at.mark.Pos, "", true
}
