package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// copies are where copies of the CRD have what findings are about: the first place in each file.
func (g group) copies() (all []lint.Position) {
	places := each(g, func(f *lint.Finding) []lint.Position { return f.Copies })
	for _, same := range ordered.Grouped(places, func(at lint.Position) string { return at.File }) {
		all = append(all, same[0])
	}
	return all
}

// alsoIn names the copies for people: the file of one, the number of several or, where all are asked for, the place in each. Before
// them it names the source of a copy that has the finding alone.
func (o Options) alsoIn(g group) (all []string) {
	if of := g[0].CopyOf; of != "" {
		all = append(all, "in a copy of "+text.Harmless(of)+", which does not have it")
	}
	copies := g.copies()
	if len(copies) > 1 && !o.Copies {
		return append(all, fmt.Sprintf("also in %d copies", len(copies)))
	}
	for _, at := range copies {
		name := text.Harmless(at.File)
		if o.Copies {
			name = where(at)
		}
		all = append(all, "also in "+name)
	}
	return all
}

// sameInCopies is the part of a summary about findings that copies have as well.
func sameInCopies(r *lint.Report) string {
	n := 0
	for _, f := range active(r) {
		n += len(f.Copies)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more %s the same in copies", n, text.Verb(n, "is", "are"))
}

// leftOutWords say where the findings of a role are that are only counted.
var leftOutWords = []struct {
	lint.Role
	words string
}{
	{lint.RoleTest, "in tests"}, {lint.RoleOld, "in old releases"}, {lint.RoleDocs, "in documentation"}, {lint.RoleForeign, "of third-party CRDs"},
}

// LeftOutParts say how many findings of each role are only counted: "113 in tests", "6 in old releases".
func LeftOutParts(count map[lint.Role]int) (parts []string) {
	for _, of := range leftOutWords {
		if n := count[of.Role]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, of.words))
		}
	}
	return parts
}

// LeftOut says in a line what is only counted, and which command shows it: "left out: 113 in tests, 4 of third-party CRDs
// (gateway.networking.k8s.io); crdlift lint --all-files shows them". It is "" for a report that has everything.
func LeftOut(r *lint.Report, command string) string {
	all, count, total := leftOutBy(r, byRole), map[lint.Role]int{}, 0
	for role, g := range all {
		if count[role] = g.count(); !role.Told() {
			total += count[role]
		}
	}
	if total == 0 {
		return ""
	}
	parts, foreign := LeftOutParts(count), all[lint.RoleForeign]
	if groups := groupsIn(foreign); groups != "" {
		own := slices.ContainsFunc(foreign, func(f *lint.Finding) bool {
			return slices.ContainsFunc(r.Defined, func(c lint.CRD) bool { return groupOf(c.Name) == groupOf(f.Resource) })
		})
		last := len(parts) - 1
		if own { // nobody takes those of a group that is the repository's own for another's
			parts[last] = fmt.Sprintf("%d of CRDs that no code here declares", count[lint.RoleForeign])
		}
		parts[last] += " (" + groups + ")"
	}
	return fmt.Sprintf("left out: %s; %s --all-files shows %s", strings.Join(parts, ", "), command, text.Verb(total, "it", "them"))
}

// NotFixed says in a line how many findings have a fix that is not made for the role of what they are about; "" for none.
func NotFixed(r *lint.Report, unsafe bool) string {
	count := map[lint.Role]int{}
	for _, f := range r.LeftOut {
		if f.Ignored == "" && fixable(f) && (unsafe || f.Fix.Safe) {
			count[f.Role] += f.Count()
		}
	}
	parts := LeftOutParts(count)
	if len(parts) == 0 {
		return ""
	}
	return "not fixed: " + strings.Join(parts, ", ") + "; name a file to fix it"
}

// leftOutBy are the findings that are only counted and that nothing ignores, by what they have in common.
func leftOutBy[K comparable](r *lint.Report, key func(*lint.Finding) K) map[K]group {
	all := map[K]group{}
	for _, f := range r.LeftOut {
		if f.Ignored == "" {
			all[key(f)] = append(all[key(f)], f)
		}
	}
	return all
}

func byRole(f *lint.Finding) lint.Role { return f.Role }

// maxGroups bounds how many API groups of other projects are named.
const maxGroups = 2

// groupOf is the API group that is part of a CRD's name; "" for none.
func groupOf(name string) string {
	_, group, _ := strings.Cut(name, ".")
	return group
}

// groupsIn names the API groups of CRDs, those with most findings first.
func groupsIn(findings group) string {
	count := map[string]int{}
	for _, f := range findings {
		if name := groupOf(f.Resource); name != "" {
			count[name] += f.Count()
		}
	}
	var names []string
	for _, name := range slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) }) {
		names = append(names, text.Value(name).Brief())
	}
	if more := len(names) - maxGroups; more > 0 {
		names = append(names[:maxGroups], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
