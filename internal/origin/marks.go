package origin

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// marks returns how a remedy changes markers, of each declaration together, and takes the markers out of the changes that
// none here makes. There are no marks where changes of one path are made in part only. The worst is a place that keeps the
// remedy, or a part of it, from being made, nil if there is none.
func (o *origins) marks(remedy []lint.Change) (all []lint.Mark, worst *statement) {
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
func (o *origins) marksOf(c lint.Change) (all []lint.Mark, worst *statement) {
	wants, _ := o.wants(c)
	for _, w := range wants {
		d, at := o.carrier(w)
		if at == nil || at.confidence != lint.ExactOrigin {
			return nil, at
		}
		if d.made || !d.agrees(w) {
			return nil, &statement{mark: d.shown(at), confidence: lint.StaleOrigin}
		}
		if w.madeElsewhere(d) {
			return nil, nil
		}
		marks := o.changes(w, d)
		switch {
		case d.mark.At != "" && len(marks) == 0 && !w.removed && len(d.has(w)) > 0: // Go says so already
			return nil, &statement{mark: d.mark, confidence: lint.StaleOrigin}
		case d.mark.At == "" || len(marks) == 0:
			return nil, nil
		}
		all = append(all, marks...)
	}
	return all, nil
}

// changes returns how the markers of a carrier have to change for what is wanted, of each declaration that they do.
func (o *origins) changes(w demand, c carrier) (all []lint.Mark) {
	for _, d := range append([]declaration{c.declaration}, c.alike...) {
		if mark := o.around.Go.Spelled(w.change(d, o.generatorVersion())); mark.Changes() {
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

// Corrected is the change of a declaration's marker of which controller-gen makes nothing, as far as it is known what was meant.
func Corrected(of lint.Mark, wrong lint.Marker, why marker.Rejection) lint.Mark {
	switch {
	case why.Fault == marker.Denied:
		of.Drop = []lint.Marker{wrong}
	case why.Fault == marker.Misspelt && !why.Prose:
		of.Drop, of.Add = []lint.Marker{wrong}, []lint.Marker{{Text: why.Instead}}
	default:
		of.Correct = []lint.Marker{wrong}
	}
	return of
}
