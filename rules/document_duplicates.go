package rules

import (
	"fmt"
	"path"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Different files often are variants or releases of the same thing, which nobody applies together: the bundle of a
// release beside the CRDs that it is made of, in the same folder. The rules that compare CRDs therefore only speak about
// what is sure to meet: a CRD twice in a file, and different kinds of a folder with the same name.
var duplicateRules = []*engine.Rule{
	{
		ID:       "duplicate-document",
		Summary:  "CRDs that a file defines more than once",
		Severity: lint.Error,
		Across:   duplicateDocuments,
	},
}

// nameConflicts reports names that two CRDs of a group want for themselves.
var nameConflicts = &engine.Rule{
	ID:       "names-conflict",
	Summary:  "names that two CRDs of the same group want",
	Severity: lint.Error,
	Across:   conflictingNames,
}

// apart reports whether two CRDs stand at different places: a file may be given twice.
func apart(a, b *engine.Summary) bool {
	x, y := a.Resource.Pos, b.Resource.Pos
	return x.File != y.File || x.Line != y.Line || x.Column != y.Column
}

func duplicateDocuments(s *engine.Set) {
	type key struct{ file, name string }
	first := map[key]*engine.Summary{}
	for _, c := range s.CRDs {
		k := key{c.Resource.Pos.File, c.Resource.Value}
		other, again := first[k]
		if !again {
			first[k] = c
			continue
		}
		if k.name == "" || !apart(c, other) {
			continue
		}
		f := s.Reportf(c, c.Resource, "%s is defined in line %d already; of two, the one applied last wins", text.Value(k.name), other.Resource.Pos.Line)
		f.Related = []lint.Related{{Pos: other.Resource.Pos, Message: "the other definition"}}
		if c.Version != other.Version {
			f.Severity = min(f.Severity, lint.Warning)
		}
	}
}

// A claim is a name that a CRD takes in its group.
type claim struct {
	by   *engine.Summary
	name engine.Name
	what string
}

func conflictingNames(s *engine.Set) {
	claims := map[string]claim{}
	for _, c := range s.CRDs {
		mine := map[string]bool{}
		for _, name := range claimsOf(c) {
			kinds := "resource"
			if name.what == "kind" || name.what == "listKind" {
				kinds = "kind"
			}
			key := fmt.Sprint(path.Dir(c.Resource.Pos.File), "\x00", c.Group.Value, "\x00", kinds, "\x00", name.name.Value)
			if name.name.Value == "" || c.Group.Value == "" || mine[key] {
				continue
			}
			mine[key] = true
			other, taken := claims[key]
			if !taken {
				claims[key] = name
				continue
			}
			sameFile := other.by.Resource.Pos.File == c.Resource.Pos.File
			renamed := other.by.Kind.Value == c.Kind.Value // one of them took the other's place
			if other.by.Resource.Value != c.Resource.Value && (sameFile || !renamed) {
				f := s.Reportf(c, name.name, "%s %s is the %s of %s already; this CRD would never be served", name.what, text.Quoted(name.name.Value), other.what, text.Value(other.by.Resource.Value))
				f.Related = []lint.Related{{Pos: other.name.Pos, Message: "the other name"}}
				if !sameFile {
					f.Severity = min(f.Severity, lint.Warning)
				}
			}
		}
	}
}

func claimsOf(c *engine.Summary) []claim {
	all := []claim{{c, c.Plural, "plural"}, {c, c.Singular, "singular"}, {c, c.Kind, "kind"}, {c, c.ListKind, "listKind"}}
	for _, n := range c.ShortNames {
		all = append(all, claim{c, n, "short name"})
	}
	return all
}
