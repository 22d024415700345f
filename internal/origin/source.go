package origin

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// PointToSource adds to findings about a CRD that is generated where they have to be fixed: which markers make the changes
// of their remedies, and where in Go types those stand. No fix of a generated manifest is safe: the generator undoes it,
// and a check that generated files are up to date fails until it does. The number is that of fixes of which it is not known
// what they change, as there are too many.
func (m *Manifest) PointToSource(findings []*Finding) (unknown int) {
	g, fromGo := m.generator(), m.fromGo()
	if g != nil || fromGo {
		unknown = m.findRemedies(findings)
	}
	if fromGo {
		m.nameMarkers(findings)
		m.findOrigins(findings)
		if m.around.Go != nil && len(findings) > 0 {
			m.noteGoTypes()
		}
	}
	for _, f := range findings {
		if f.Origin != nil {
			m.leaveToProgram(f)
			f.Origin.Safe = f.Fix != nil && f.Fix.Safe && !slices.ContainsFunc(f.Origin.Marks(), shared)
			f.Origin.Manual = f.Fix == nil && !f.FixesGo
		}
		by := g
		if by == nil && f.Origin != nil {
			by = &crd.Generator{Name: crd.ControllerGen}
		}
		if by != nil && f.Fix != nil {
			f.Fix.Safe, f.Fix.Source = false, by.AdviceOn(f.Path, f.Markers()...)
		}
	}
	return unknown
}

// leaveToProgram takes the markers out of a finding whose origin is in a Go file that a program writes, which would undo them.
func (m *Manifest) leaveToProgram(f *Finding) {
	o := f.Origin
	if o.InModule {
		return
	}
	for _, mark := range o.Marks() {
		file, _ := m.around.Go.FileOf(mark.Pos.File)
		if file.Program == "" {
			continue
		}
		mark.Add, mark.Drop, mark.Correct = nil, nil, nil
		o.Mark, o.Others, o.Program = mark, nil, file.Program
		f.nameNoMarkers()
		return
	}
}

// shared reports whether a mark is for a type, which others may use as well.
func shared(m lint.Mark) bool { return m.At == lint.TypeDeclaration }

// nameMarkers adds to remedies the markers from which controller-gen makes their changes.
func (m *Manifest) nameMarkers(findings []*Finding) {
	for _, f := range findings {
		for i, c := range f.Remedy {
			if j := impliedBy(c, f.Remedy); j >= 0 {
				c = f.Remedy[j]
			}
			if wants, ok := m.wants(c); ok {
				for _, w := range wants {
					f.Remedy[i].Markers = append(f.Remedy[i].Markers, w.named()...)
				}
			}
		}
	}
}

// named are the markers that a change adds or, if it only takes one away, the name of that.
func (w demand) named() []string {
	switch {
	case w.removed && w.row.Argument != "":
		return []string{"+" + w.row.Name + ":" + w.row.Argument}
	case w.removed:
		return []string{"+" + w.row.Name}
	}
	if texts := w.texts(w.row); texts == nil || len(texts) > 0 {
		return texts
	}
	return []string{"+" + w.row.Name} // whose absence says it
}
