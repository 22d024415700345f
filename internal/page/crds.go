package page

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A crdView is a CRD with what is said of it.
type crdView struct {
	*overview.CRD
	Progress string // of the migration; "" where there is none
	Clean    bool   // somebody looked, and found nothing
}

// Title is the name.
func (c crdView) Title() string { return cmp.Or(c.Name, "without a name") }

// At is a line of the file.
func (c crdView) At(line int) place { return placeAt(c.FilesURL, c.File, line) }

// API is the version of the manifest: "apiextensions v1".
func (c crdView) API() string {
	return strings.Replace(c.APIVersion, crd.Group+"/", "apiextensions ", 1)
}

// Tallies are the numbers of findings, of the severities that there are.
func (c crdView) Tallies() []tile {
	return slices.DeleteFunc(tallies(func(s lint.Severity) int { return c.Counts[s] }), func(t tile) bool { return t.Class == none })
}

// A crdGroup is the CRDs that are as far on the way of a migration.
type crdGroup struct {
	Title string
	Count int
	CRDs  []crdView // the first ones
	Open  bool      // they are shown without being asked for
}

// More is how many CRDs are not shown.
func (g crdGroup) More() int { return g.Count - len(g.CRDs) }

// progress has the words for how far a CRD is.
var progress = map[overview.Progress]string{
	overview.Converted: "converted", overview.There: "already there", overview.ToConvert: "to convert", overview.NeedsPerson: "needs you",
}

// addCRDs adds the CRDs, those with most errors first, and once more by how far a migration is.
func (v *view) addCRDs(r *overview.Repository) {
	v.AllCRDs = len(r.CRDs)
	groups := map[overview.Progress][]crdView{}
	for _, c := range slices.SortedStableFunc(slices.Values(r.CRDs), func(a, b *overview.CRD) int {
		return cmp.Or(b.Counts[lint.Error]-a.Counts[lint.Error], b.Counts[lint.Warning]-a.Counts[lint.Warning])
	}) {
		one := crdView{CRD: c, Clean: len(c.Rules()) == 0 && r.Inspects()}
		at := r.Progress(c)
		if v.Bar != nil {
			one.Progress = progress[at]
		}
		v.CRDs = addCRD(v.CRDs, one)
		groups[at] = addCRD(groups[at], one)
	}
	if left := v.AllCRDs - len(v.CRDs); left > 0 {
		v.LeftOut = append(v.LeftOut, text.Count(left, "more CRD"))
	}
	if v.Bar == nil {
		return
	}
	group := func(title string, of overview.Progress) crdGroup {
		return crdGroup{Title: title, Count: v.Bar.CRDs[of], CRDs: groups[of]}
	}
	v.Persons = group("Need you", overview.NeedsPerson)
	for _, g := range []crdGroup{
		group("To convert", overview.ToConvert), group("Converted", overview.Converted), group("Already there", overview.There),
	} {
		if g.Count > 0 {
			g.Open = v.Persons.Count+len(v.Groups) == 0 && g.Count <= fewCRDs
			v.Groups = append(v.Groups, g)
		}
	}
}

// addCRD adds a CRD, unless there are enough.
func addCRD(to []crdView, one crdView) []crdView {
	if len(to) == maxCRDs {
		return to
	}
	return append(to, one)
}

// differs reports whether the versions of a CRD are not as they were.
func differs(c *overview.CRD) bool {
	return len(c.Before) > 0 && !slices.Equal(byAge(c.Before), byAge(c.Versions))
}

// A state is a version with what is said of it.
type state struct {
	Name, Class, Words string
}

// statesOf are versions from the oldest to the newest.
func statesOf(versions []lint.APIVersion) (all []state) {
	for _, v := range byAge(versions) {
		all = append(all, stateOf(v))
	}
	return all
}

func stateOf(v lint.APIVersion) state {
	s := state{Name: v.Name, Class: "served"}
	var words []string
	if !v.Served {
		s.Class = "unserved"
		words = append(words, "not served")
	}
	if v.Storage {
		s.Class += " storage"
		words = append(words, "storage")
	}
	if v.Deprecated {
		s.Class += " deprecated"
		words = append(words, "deprecated")
	}
	s.Words = strings.Join(words, ", ")
	return s
}

// byAge sorts versions from the oldest to the newest, as Kubernetes orders their names.
func byAge(versions []lint.APIVersion) []lint.APIVersion {
	return slices.SortedStableFunc(slices.Values(versions), func(a, b lint.APIVersion) int {
		return version.CompareKubeAwareVersionStrings(a.Name, b.Name)
	})
}
