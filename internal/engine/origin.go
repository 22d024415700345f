package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// An origins finds the origins of the findings about a CRD.
type origins struct {
	*Pass
	texts    map[string]*drift.Texts // by version
	required map[string]required     // by version
}

// findOrigins adds where Go types declare what findings are about.
func (p *Pass) findOrigins(findings []*Finding) {
	if p.linter.Go == nil {
		return
	}
	o := &origins{p, map[string]*drift.Texts{}, map[string]required{}}
	for _, f := range findings {
		if f.Origin == nil { // else its rule knows better
			f.Origin = o.origin(f)
		}
	}
}

// fromGo reports whether a manifest was generated from Go types, as far as it can tell: controller-gen says so, unless a
// later tool lost its annotation. The description that the types of Kubernetes have is left then.
func (p *Pass) fromGo() bool {
	if p.CRD.InCluster() {
		return false
	}
	if g := p.generator(); g != nil {
		return g.FromGo()
	}
	return slices.ContainsFunc(p.CRD.Versions(), func(v crd.APIVersion) bool {
		return v.Root() != nil && strings.HasPrefix(crd.StringAt(v.Root().Get("properties", "apiVersion", "description")), typeMetaText)
	})
}

// typeMetaText begins the description of metav1.TypeMeta.APIVersion.
const typeMetaText = "APIVersion defines the versioned schema of this representation of an object."

// at returns where Go types declare what is at a path; nil where none are known to.
func (o *origins) at(path string) *declared {
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
		return &declared{mark: ofType(kind.Type, lint.KindDeclaration).mark, confidence: lint.ExactOrigin}
	}
	return o.declared(v, kind, path, kind.At(crd.Steps(strings.TrimPrefix(below, "."))...))
}

// declared is what Go types say about a path in the schema of a kind.
func (o *origins) declared(v *crd.APIVersion, kind *gotypes.Kind, path string, place gotypes.Place) *declared {
	d := &declared{mark: ofType(kind.Type, lint.KindDeclaration).mark, confidence: lint.ExactOrigin}
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

// versionOf returns the version whose struct declares what is at a path: the one that the path is in, or else the
// storage version.
func (p *Pass) versionOf(path string) (found *crd.APIVersion) {
	names := p.versionsAt(path)
	for _, v := range p.CRD.Versions() {
		if len(names) == 1 && v.Name == names[0] || len(names) != 1 && v.Storage {
			return &v
		}
	}
	return nil
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

// A declared is what Go types say about one path.
type declared struct {
	mark       lint.Mark
	confidence lint.Confidence
	foreign    *gotypes.Foreign
}

// origin returns where Go types declare what a finding is about, and how its remedy changes their markers; nil where no
// types are known to.
func (o *origins) origin(f *Finding) *lint.Origin {
	if out := o.inModule(f); out != nil {
		return out
	}
	about := o.at(f.At.Path)
	if about == nil {
		return nil
	}
	marks, worst := o.marks(f.Remedy)
	if stale := o.differs(f.At.Path); stale != nil && about.confidence == lint.ExactOrigin {
		marks, worst = nil, stale
	}
	switch {
	case len(marks) == 0 && worst == nil && about.mark.At == lint.KindDeclaration: // a place that says nothing, for what types may not be about
		return nil
	case len(marks) == 0 && worst != nil && about.confidence == lint.ExactOrigin:
		about = worst
	case len(marks) > 0 && about.confidence == lint.ForeignOrigin: // markers around what is foreign fix it
		about = &declared{mark: about.mark, confidence: lint.ExactOrigin}
	}
	if o.IsCopy() {
		about, marks = &declared{mark: about.mark, confidence: lint.CopyOrigin}, nil
	}
	out := o.OriginAt(about.mark, about.confidence)
	if out.Confidence == lint.CopyOrigin {
		out.CopyOf = o.copied().of
	}
	if out.Confidence == lint.ExactOrigin && len(marks) > 0 { // what is not sure is not changed
		out.Mark, out.Others = marks[0], marks[1:]
	} else {
		f.nameNoMarkers()
	}
	out.Partial = out.Confidence == lint.ExactOrigin && slices.ContainsFunc(f.Remedy, func(c lint.Change) bool { return len(c.Markers) == 0 })
	if about.foreign != nil {
		out.Type, out.Module, out.Version = about.foreign.Symbol(), about.foreign.Module, about.foreign.Version
	}
	return out
}

// marks returns how a remedy changes markers, of each declaration together, and takes the markers out of the changes that
// none here makes. There are no marks where changes of one path are made in part only. The worst is a place that keeps the
// remedy, or a part of it, from being made, nil if there is none.
func (o *origins) marks(remedy []lint.Change) (all []lint.Mark, worst *declared) {
	failed := map[string]bool{}
	made := map[string][]lint.Mark{}
	for i, c := range remedy {
		if impliedBy(c, remedy) >= 0 {
			continue
		}
		marks, at := o.marksOf(c)
		if at != nil && at.confidence == lint.StaleOrigin {
			return nil, at
		}
		if texts := textsOf(marks); len(texts) > 0 {
			remedy[i].Markers = texts
		}
		if marks == nil {
			failed[c.Path], worst = true, cmp.Or(worst, at)
		}
		made[c.Path] = append(made[c.Path], marks...)
	}
	for i, c := range remedy {
		if failed[c.Path] {
			remedy[i].Markers = nil
			continue
		}
		for _, m := range made[c.Path] {
			all = merge(all, m)
		}
		delete(made, c.Path)
	}
	for _, mark := range all { // a list's type before its keys
		slices.SortStableFunc(mark.Add, func(a, b lint.Marker) int { return marker.Compare(a.Text, b.Text) })
	}
	return all, worst
}

// marksOf returns how one change of a manifest changes markers: nothing where none makes it, with the place that keeps it
// from being made.
func (o *origins) marksOf(c lint.Change) (all []lint.Mark, worst *declared) {
	wants, _ := o.wants(c)
	for _, w := range wants {
		d, at := o.carrier(w)
		if at == nil || at.confidence != lint.ExactOrigin {
			return nil, at
		}
		if !d.agrees(w) {
			return nil, &declared{mark: d.shown(at), confidence: lint.StaleOrigin}
		}
		if w.madeElsewhere(d) {
			return nil, nil
		}
		marks := o.changes(w, d)
		switch {
		case d.mark.At != "" && len(marks) == 0 && !w.removed && len(d.has(w)) > 0: // Go says so already
			return nil, &declared{mark: d.mark, confidence: lint.StaleOrigin}
		case d.mark.At == "" || len(marks) == 0:
			return nil, nil
		}
		all = append(all, marks...)
	}
	return all, nil
}

// changes returns how the markers of a carrier have to change for what is wanted, of each declaration that they do.
func (o *origins) changes(w wanted, c carrier) (all []lint.Mark) {
	for _, d := range append([]declaration{c.declaration}, c.alike...) {
		if mark := o.linter.Go.spelled(w.change(d, o.generatorVersion())); mark.Changes() {
			all = append(all, mark)
		}
	}
	return all
}

// textsOf are the markers that marks add, or that are to be corrected.
func textsOf(marks []lint.Mark) (all []string) {
	for _, m := range marks {
		for _, one := range slices.Concat(m.Add, m.Correct) {
			all = append(all, one.Text)
		}
	}
	return all
}

// merge adds a change of markers to that of the same declaration, unless it is in there already: several versions may have
// one type.
func merge(all []lint.Mark, m lint.Mark) []lint.Mark {
	for i := range all {
		if all[i].Pos != m.Pos {
			continue
		}
		if !hasAll(all[i].Add, m.Add) || !hasAll(all[i].Drop, m.Drop) || !hasAll(all[i].Correct, m.Correct) {
			all[i].Add, all[i].Drop, all[i].Correct = append(all[i].Add, m.Add...), append(all[i].Drop, m.Drop...), append(all[i].Correct, m.Correct...)
		}
		return all
	}
	return append(all, m)
}

// hasAll reports whether markers are among others. Two of one text that are there have different positions.
func hasAll(all, some []lint.Marker) bool {
	return !slices.ContainsFunc(some, func(m lint.Marker) bool { return !slices.Contains(all, m) })
}
