package crds

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// builtin maps the names by which kubectl knows a resource of Kubernetes 1.37, plural, singular and short, to its
// plural.
var builtin = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(builtinNames) {
		all := strings.Fields(line)
		for _, name := range all {
			names[name] = all[0]
		}
	}
	return names
})

// builtinNames has one resource a line, its plural first.
//
//go:embed builtin.txt
var builtinNames string

// Different files often are variants or releases of the same thing, which nobody applies together: the bundle of a
// release beside the CRDs that it is made of, in the same folder. The rules that compare CRDs therefore only speak about
// what is sure to meet: a CRD twice in a file, and different kinds of a folder with the same name.
// apart reports whether two CRDs stand at different places: a file may be given twice.
func apart(a, b *engine.Summary) bool {
	x, y := a.Resource.Pos, b.Resource.Pos
	return x.File != y.File || x.Line != y.Line || x.Column != y.Column
}

func duplicateDocuments(s *engine.Set) {
	type key struct{ file, name, group string }
	first := map[key]*engine.Summary{}
	for _, c := range s.CRDs {
		group, _, _ := strings.Cut(c.Told.APIVersion, "/") // objects of different groups are different objects
		k := key{c.Resource.Pos.File, c.Resource.Value, group}
		other, again := first[k]
		if !again {
			first[k] = c
			continue
		}
		if k.name == "" || !apart(c, other) {
			continue
		}
		f := s.Reportf(c, c.Resource, "%s is already defined in line %d, and kubectl apply keeps only the last definition; remove one of the two", text.Value(k.name), other.Resource.Pos.Line)
		f.Related = []lint.Related{{Pos: other.Resource.Pos, Message: "the other definition"}}
		if c.Version != other.Version {
			f.Severity = min(f.Severity, lint.Warning)
		}
	}
}

// TwoOwners reports CRDs that several have who are named apart, each with other schemas.
var TwoOwners = &engine.Rule{
	ID: "crd-two-owners", Summary: "CRDs that separately named folders or files define differently", Severity: lint.Warning,
	Across: func(s *engine.Set) {
		before := map[string][]*engine.Summary{}
		for _, c := range s.CRDs {
			name := c.Resource.Value
			for _, other := range before[name] {
				if what := s.Differ(c, other); what != "" {
					f := s.Reportf(c, c.Resource, "%s is also defined in %s, with %s; a cluster holds only one of the two definitions; remove one", text.Value(name), text.Value(other.Resource.Pos.File), text.Foreign(what))
					f.Related = []lint.Related{{Pos: other.Resource.Pos, Message: "the other definition"}}
					break
				}
			}
			before[name] = append(before[name], c)
		}
	},
}

// A claim is a name that a CRD takes in its group.
type claim struct {
	by   *engine.Summary
	name engine.Name
	what string
}

func conflictingNames(s *engine.Set) {
	var claims []claim
	for _, c := range s.CRDs {
		if c.Group.Value != "" && !c.Unnamed { // which crd-condition tells in the server's words
			claims = append(claims, claimsOf(c)...)
		}
	}
	reportShared(s, claims)
	type key struct {
		folder, group, name string
		isKind              bool
	}
	for _, same := range ordered.Grouped(claims, func(c claim) key {
		return key{path.Dir(c.by.Resource.Pos.File), c.by.Group.Value, c.name.Value, c.what == "kind" || c.what == "listKind"}
	}) {
		said := map[*engine.Summary]bool{}
		for i, c := range same {
			if !said[c.by] {
				reportConflict(s, same[:i], c)
			}
			said[c.by] = true
		}
	}
}

// reportConflict reports a claim of what another CRD claimed before, one of the same file rather than of another. One of two with the
// same kind may have taken the other's place.
func reportConflict(s *engine.Set, before []claim, c claim) {
	mine := c.by.Resource
	isHere := func(d claim) bool { return d.by.Resource.Pos.File == mine.Pos.File }
	before = slices.DeleteFunc(slices.Clone(before), func(d claim) bool {
		return d.by.Resource.Value == mine.Value || !isHere(d) && d.by.Kind.Value == c.by.Kind.Value
	})
	if len(before) == 0 {
		return
	}
	first := before[max(0, slices.IndexFunc(before, isHere))]
	other, sameFile := first.by.Resource, isHere(first)
	f := s.Reportf(c.by, c.name, "%s %s is the %s of %s already, so this CRD would never be served; choose another", c.what, text.Quoted(c.name.Value), first.what, text.Value(other.Value))
	f.Related = []lint.Related{{Pos: first.name.Pos, Message: "the other name"}}
	if !sameFile {
		f.Severity = min(f.Severity, lint.Warning)
	}
}

func claimsOf(c *engine.Summary) []claim {
	all := []claim{{c, c.Plural, "plural"}, {c, c.Singular, "singular"}, {c, c.Kind, "kind"}, {c, c.ListKind, "listKind"}}
	for _, n := range c.ShortNames {
		all = append(all, claim{c, n, "short name"})
	}
	return slices.DeleteFunc(all, func(c claim) bool { return c.name.Value == "" })
}

// reportShared reports names that kubectl resolves to one of several groups, among CRDs that are sure to be in a cluster
// together. It takes the plural or the singular of one before the short name of another (expandResourceShortcut of
// k8s.io/client-go/restmapper).
func reportShared(s *engine.Set, claims []claim) {
	type key struct {
		unit, name string
		world      int
	}
	claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.what == "kind" || c.what == "listKind" })
	for _, same := range ordered.Grouped(claims, func(c claim) key { return key{s.Unit(c.by), c.name.Value, c.by.World} }) {
		shown := same[max(0, slices.IndexFunc(same, func(c claim) bool { return c.what != "short name" }))]
		said := map[*engine.Summary]bool{shown.by: true}
		for _, c := range same {
			if !said[c.by] && c.by.Group.Value != shown.by.Group.Value {
				said[c.by] = reportSecond(s, shown, c)
			}
		}
	}
}

// reportSecond reports a claim of what kubectl takes for the name of a CRD of another group. That two have the same plural is
// common, and their short names come second to it: whoever means one of them writes the group.
func reportSecond(s *engine.Set, shown, c claim) (said bool) {
	plural, name, other := text.Value(c.by.Plural.Value+"."+c.by.Group.Value), text.Value(c.name.Value), text.Value(shown.by.Resource.Value)
	var f *lint.Finding
	switch {
	case c.what == "short name" && c.by.Plural.Value != shown.by.Plural.Value:
		what, shows := "a short name", "shows one of them"
		if shown.what != "short name" {
			what, shows = "the "+shown.what, "never shows this one"
		}
		f = s.Reportf(c.by, c.name, "short name %s is also %s of %s; kubectl get %s %s: rename it or write %s",
			text.Quoted(c.name.Value), what, other, name, shows, plural)
		f.Severity = min(f.Severity, lint.Warning)
	case c.what == "plural" && shown.what == "plural" && s.Asked():
		f = s.Reportf(c.by, c.name, "plural %s is also the plural of %s, and kubectl get shows one of them; write %s", text.Quoted(c.name.Value), other, plural)
		f.Severity = min(f.Severity, lint.Info)
	default:
		return c.what != "short name" // which then is only a name of its own again
	}
	f.Related = []lint.Related{{Pos: shown.name.Pos, Message: "the other name"}}
	return true
}
