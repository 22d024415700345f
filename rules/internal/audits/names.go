package audits

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// nameAmbiguous is about names that several groups have: within one, a server does not accept them.
var nameAmbiguous = rule(lint.Warning, "name-ambiguous", "names by which kubectl may find the CRD of another group", func(c *cluster, d *objects.Definition) {
	mine, shared, others := namesOf(d), map[string]bool{}, map[string]bool{}
	for _, other := range c.Definitions {
		if other.Hub.Spec.Group == d.Hub.Spec.Group {
			continue
		}
		for name := range namesOf(other) {
			if mine[name] {
				shared[name], others[other.Name] = true, true
			}
		}
	}
	if len(shared) == 0 {
		return
	}
	most := lint.Info
	if shipped, _ := c.shipped(d); shipped != nil {
		most = lint.Warning
	}
	c.reportf(d, "spec names", most, "kubectl may read %s as %s and show other objects; write %s in commands",
		text.Names(slices.Sorted(maps.Keys(shared))), text.Names(slices.Sorted(maps.Keys(others))), d.Name)
})

// namesOf are the names by which kubectl finds a CRD: those that the server has accepted or, where no status says so, all.
func namesOf(d *objects.Definition) map[string]bool {
	names := d.Hub.Status.AcceptedNames
	if names.Plural == "" {
		names = d.Hub.Spec.Names
	}
	all := map[string]bool{}
	for _, name := range append([]string{names.Plural, names.Singular}, names.ShortNames...) {
		all[name] = true
	}
	delete(all, "")
	return all
}
