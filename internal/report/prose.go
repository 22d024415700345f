package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// where is a position as editors read it.
func where(pos lint.Position) string {
	return text.Harmless(fmt.Sprintf("%s:%d:%d", pos.File, pos.Line, pos.Column)) // as a whole: a file may be named ":"
}

// short is a finding as one line, in the form that editors and problem matchers read.
func short(f *lint.Finding) string {
	return fmt.Sprintf("%s: %s: %s [%s]", where(f.Pos), f.Severity, text.Harmless(f.Message), f.Rule.ID)
}

// help returns how to fix a finding, "" where there is nothing to say: its message, or the place in Go types, says it.
func help(f *lint.Finding) string {
	switch markers := f.Markers(); {
	case changing(f.Origin), elsewhere(f):
		return ""
	case f.Fix != nil && (f.Fix.Source != "" || !repeats(f.Fix.Title, f.Message)):
		return helpOf(f)
	case f.Fix == nil && f.Origin == nil && len(markers) > 0:
		return text.Harmless("write " + text.And(markers) + " in the Go types, and run controller-gen again")
	}
	return ""
}

// elsewhere reports whether a finding is not fixed at its place in Go types: a program writes them, the generator has to
// run first, or others declare it. The place says so.
func elsewhere(f *lint.Finding) bool {
	o := f.Origin
	return o != nil && (o.Program != "" || o.Confidence == lint.StaleOrigin || !f.InGo() && f.Fix != nil && f.Fix.Source != "")
}

// helpOf returns how to make the fix of a finding.
func helpOf(f *lint.Finding) string {
	fix := f.Fix
	if fix.Source != "" {
		return text.Harmless(fix.Title + " " + fix.Source)
	}
	flag := "--fix"
	if !fix.Safe {
		flag = "--fix --unsafe-fixes"
	}
	return fmt.Sprintf("%s (%s %s)", text.Harmless(fix.Title), commandFor(f.Object != nil), flag)
}

// commandFor is the command that judges custom resources, or the one that judges CRDs.
func commandFor(objects bool) string {
	if objects {
		return "crdlift validate"
	}
	return "crdlift lint"
}

// commandOf is the command that makes a report.
func commandOf(r *lint.Report) string {
	if r.Conversions != nil {
		return "crdlift webhook test"
	}
	if r.Tests != nil {
		return "crdlift test"
	}
	if r.Carried != nil {
		return "crdlift migrate"
	}
	return commandFor(r.Objects != nil)
}

// about names what a finding is about: a custom resource or, where it is about none, a CRD.
func about(f *lint.Finding) string {
	if f.Object != nil {
		return f.Object.ID()
	}
	return f.Resource
}

// briefAbout is the same for people. The kind and the name of an object are cut apart, so that a long kind leaves the name.
func briefAbout(f *lint.Finding) string {
	if f.Object == nil {
		return text.Value(f.Resource).Brief()
	}
	return strings.TrimSpace(text.Foreign(f.Object.Kind).Brief() + " " + text.Foreign(f.Object.Label()).Brief())
}

// brief is the message of a finding as people read it: long values in it are cut.
func brief(f *lint.Finding) string { return cmp.Or(f.Brief, f.Message) }

// repeats reports whether a message contains the title of a fix, which may have the full path where the message has its
// last field: "remove metadata.creationTimestamp".
func repeats(title, message string) bool {
	said := strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(" ,;:\"", r) })
	for _, word := range strings.Fields(title) {
		word = strings.Trim(word, ",;:\"")
		if !slices.Contains(said, word) && !slices.Contains(said, word[strings.LastIndexByte(word, '.')+1:]) {
			return false
		}
	}
	return true
}

// advice is what there is to say about a finding besides its message and its place: related places, the fix.
func advice(f *lint.Finding) []string {
	lines := adviceHere(f)
	if f.Origin != nil {
		lines = append(lines, "go: "+origin(f.Origin))
	}
	return lines
}

// adviceHere is advice without what Go types have to do with it.
func adviceHere(f *lint.Finding) []string {
	object, replay := shownBy(f)
	lines := append(placesAndHelp(f), object...)
	if replay != "" {
		lines = append(lines, replay)
	}
	return lines
}

// placesAndHelp is the part of it that takes a line each.
func placesAndHelp(f *lint.Finding) []string {
	var lines []string
	for _, other := range f.Related {
		lines = append(lines, where(other.Pos)+": "+text.Harmless(other.Message))
	}
	if help := help(f); help != "" {
		lines = append(lines, "help: "+help)
	}
	return lines
}

// A group is findings that a format speaks of together, in the order of the report.
type group []*lint.Finding

// count is how many findings they stand for.
func (g group) count() (n int) {
	for _, f := range g {
		n += f.Count()
	}
	return n
}

// folded are findings as people are told of them: those that are tied together and as severe are one group, so that a
// warning among infos is not lost.
func folded(findings []*lint.Finding) []group {
	type tie struct {
		first    *lint.Finding
		severity lint.Severity
	}
	return ordered.Grouped(group(findings), func(f *lint.Finding) tie { return tie{cmp.Or(f.First, f), f.Severity} })
}

// told returns the message of a group: that of its first finding, for all versions and items of the others, with the
// number of further findings.
func (g group) told() string {
	same := ordered.Grouped(g, words)[0]
	_, said := same.aboutAll()
	return said + text.More(g.count()-len(same), " (and %d more)")
}

// words are what findings have in common that say the same of different versions and items: the message without those.
func words(f *lint.Finding) string {
	if f.About == nil {
		return fmt.Sprintf("%p", f) // it is like no other
	}
	common, _ := f.About(nil, nil)
	return common
}

// aboutAll is the message of findings that differ in versions and items only, about all of these: whole, and for people.
func (g group) aboutAll() (whole, short string) {
	if g[0].About == nil {
		return g[0].Message, brief(g[0])
	}
	return g[0].About(g.versions(), g.items())
}

// versions are those that a group is about, in the order of the report.
func (g group) versions() []string {
	return each(g, func(f *lint.Finding) []string { return f.Versions })
}

// items are the items that it is about, in the order of the report.
func (g group) items() []string {
	return slices.DeleteFunc(each(g, func(f *lint.Finding) []string { return []string{f.Item} }), func(item string) bool { return item == "" })
}

// related are the other places of its findings, each once.
func (g group) related() []lint.Related {
	return each(g, func(f *lint.Finding) []lint.Related { return f.Related })
}

// each lists what findings have, in their order and once.
func each[T comparable](g group, of func(*lint.Finding) []T) (all []T) {
	seen := map[T]bool{}
	for _, f := range g {
		for _, one := range of(f) {
			if !seen[one] {
				seen[one] = true
				all = append(all, one)
			}
		}
	}
	return all
}

// lineNumbers are the lines of the findings of a group.
func (g group) lineNumbers() []string {
	return each(g, func(f *lint.Finding) []string { return []string{fmt.Sprint(f.Pos.Line)} })
}

func byFile(f *lint.Finding) string { return f.Pos.File }

// lines joins lines, each with its end.
func lines(all []string) string { return strings.Join(all, "\n") + "\n" }
