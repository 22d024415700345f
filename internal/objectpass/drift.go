package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// addApplied notes what others write into an object that somebody applies. Where values are not shown, a field on the way to which is
// one is told by its manager, which Argo CD takes in its place; an item that is only in the cluster cannot be told so, and is counted.
func (j *judge) addApplied(all []*subject) {
	s := all[0]
	j.out.Objects.Managed = j.out.Objects.Managed || len(request.ManagersOf(s.tree)) > 0
	written, applied := request.WrittenByOthers(s.tree)
	if !applied {
		return
	}
	to := lint.AppliedObject{Object: s.identity}
	for _, w := range written {
		drift := lint.Drift{Field: "jqPathExpressions", Text: w.Expression}
		for _, one := range all { // as each CRD has it
			at := mask.Of(one.Object, one.Match.Definition, mask.Options{All: j.discretion.values != AlwaysValues}).Path(w.At)
			switch {
			case j.discretion.values == AlwaysValues || !w.Selects && at.String() == w.At.String():
			case w.IsItem:
				drift = lint.Drift{Text: "." + at[:len(at)-1].Field() + " by " + w.By}
			default:
				drift = lint.Drift{Field: "managedFieldsManagers", Text: w.By}
			}
		}
		if !slices.Contains(to.Drift, drift) || drift.Field == "" {
			to.Drift = append(to.Drift, drift)
		}
	}
	j.out.Objects.Applied = append(j.out.Objects.Applied, to)
}
