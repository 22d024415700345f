package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Task is something that somebody has to do.
type Task struct {
	Do      string // a sentence
	Command string // that does it or shows more; "" for none
}

// Verdict is what there is to say of a repository, in a few sentences; the first one is the most important.
func (r *Repository) Verdict() (all []string) {
	if r.Checked() {
		all = append(all, r.found())
	}
	if m := r.Migration(); m.All() > 0 && (m.Left() > 0 || r.Is("convert")) {
		all = append(all, m.Sentence())
	}
	if !r.Checked() && r.Findings() > 0 {
		all = append(all, Counts(r.Count)+" of the conversion.")
	}
	if o := r.Objects; o != nil {
		all = append(all, o.sentence())
	}
	if c := r.Conversions; c != nil {
		all = append(all, fmt.Sprintf("The conversion of %s was tested with %s.", text.Count(c.Tested, "CRD"), text.Count(c.Objects, "object")))
	}
	if c := r.Cases; c != nil {
		all = append(all, c.sentence())
	}
	if r.Is("plan") {
		all = append(all, r.plansSentence())
	}
	if len(all) == 0 {
		all = append(all, "No CRDs were found.")
	}
	return withSentence(all, r.LeftOut)
}

// sentence says what became of custom resources.
func (o *Objects) sentence() string {
	if o.Upgrade != nil {
		return fmt.Sprintf("%s when the CRDs are replaced: %s.", text.Count(o.Judged, "custom resource"), strings.Join(report.Foreseen(o.count), ", "))
	}
	said := fmt.Sprintf("%s checked, %d rejected", text.Count(o.Judged, "custom resource"), o.Refused)
	if o.Unjudged > 0 {
		said += fmt.Sprintf(", %d that could not be checked", o.Unjudged)
	}
	return said + "."
}

// sentence says what became of cases.
func (c *Cases) sentence() string {
	said := text.Count(c.All-c.Skipped, "test case") + " passed"
	if c.Failed > 0 {
		said = fmt.Sprintf("%d of %s failed", c.Failed, text.Count(c.All, "test case"))
	}
	if c.Skipped > 0 {
		said += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return said + "."
}

// count counts the objects of a verdict.
func (o *Objects) count(verdict string) int {
	if verdict == lint.Unjudged {
		return o.Unjudged
	}
	return o.Upgrade[verdict]
}

// Checked reports whether one of the runs looked for mistakes, rather than to plan or to convert.
func (r *Repository) Checked() bool {
	return slices.ContainsFunc(r.Heads, func(h Head) bool { return h.Command != "plan" && h.Command != "convert" })
}

// found says how much was found: "3 errors and 1 warning in 2 of 9 CRDs."
func (r *Repository) found() string {
	said := Counts(r.Count)
	switch {
	case r.Findings() == 0 && len(r.CRDs) > 0 && r.Inspects():
		said = fmt.Sprintf("No findings in %s", text.Count(len(r.CRDs), "CRD"))
	case r.Flawed() > 0 && r.Flawed() == len(r.CRDs):
		said += " in " + text.Count(len(r.CRDs), "CRD")
	case r.Flawed() > 0:
		said += fmt.Sprintf(" in %d of %s", r.Flawed(), text.Count(len(r.CRDs), "CRD"))
	}
	if against := r.Against(); against != "" && r.Is("breaking") {
		said += " since " + against
	}
	return said + "."
}

// Counts says how many findings there are of each severity: "3 errors, 1 warning and 2 infos"; "No findings" for none.
func Counts(of func(lint.Severity) int) string {
	return cmp.Or(text.And(report.Severities(of)), "No findings")
}

// Sentence says how far the migration is: "18 of 30 CRDs (60%) are at apiextensions.k8s.io/v1: ...".
func (m Migration) Sentence() string {
	verb := text.Verb(m.Done(), "is", "are")
	if m.All() == 1 {
		verb = "is"
	}
	said := fmt.Sprintf("%d of %s (%d%%) %s at apiextensions.k8s.io/%s", m.Done(), text.Count(m.All(), "CRD"), m.Percent(), verb, m.To)
	var parts []string
	for p, what := range [...]string{
		Converted: "converted by this run", ToConvert: "to convert", NeedsPerson: text.Verb(m.CRDs[NeedsPerson], "needs", "need") + " a decision",
	} {
		if n := m.CRDs[p]; n > 0 && what != "" {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	if len(parts) > 0 {
		said += "; " + text.And(parts)
	}
	return said + "."
}

func (r *Repository) plansSentence() string {
	crds, releases := 0, 0
	for _, p := range r.Plans {
		crds += len(p.CRDs)
		releases = max(releases, len(p.Releases))
	}
	if len(r.Plans) == 0 {
		return "Nothing to plan: no version is added, removed, deprecated or served differently."
	}
	if releases == 0 {
		return fmt.Sprintf("The versions of %s can change at once.", text.Count(crds, "CRD"))
	}
	return fmt.Sprintf("The versions of %s change over %s.", text.Count(crds, "CRD"), text.Count(releases, "release"))
}

// Tasks says what there is to do, the most urgent first.
func (r *Repository) Tasks() (all []Task) {
	add := func(command, format string, args ...any) {
		all = append(all, Task{fmt.Sprintf(format, args...), command})
	}
	m := r.Migration()
	if n := m.CRDs[NeedsPerson]; n > 0 {
		reasons := "the reasons are below"
		if !r.details {
			reasons = "a report on the repository alone has the reasons"
		}
		add("", "Decide about %s that 'crdlift convert' leaves to you; %s.", text.Count(n, "CRD"), reasons)
	}
	if n := m.CRDs[ToConvert]; n > 0 {
		back := ""
		if m.To == "v1beta1" {
			back = " --to v1beta1"
		}
		add("crdlift convert"+back+" --write PATH", "Convert %s to apiextensions.k8s.io/%s.", text.Count(n, "CRD"), m.To)
	}
	if n, _ := r.breaking(IsPlanned); n > 0 {
		add("crdlift plan OLD NEW", "Undo or plan %s of versions.", text.Count(n, "breaking change"))
	}
	if n, most := r.breaking(isRequirement); n > 0 {
		add("crdlift explain "+most, "Install CRDs that have everything that the program needs: they lack %s.", text.Count(n, "requirement"))
	}
	if n, most := r.breaking(func(rule string) bool { return !IsPlanned(rule) && !isRequirement(rule) }); n > 0 {
		add("crdlift explain "+most, "Undo %s to the API, or make %s in a new version.", text.Count(n, "breaking change"), text.Verb(n, "it", "them"))
	}
	if n := r.FixesSafe; n > 0 {
		add("crdlift "+r.fixer()+" --fix PATH", "Fix %s.", text.Count(n, "finding"))
	}
	if first := r.mostErrors(); first != nil && len(r.rules) > 1 {
		if n := first.Counts[lint.Error]; n > 1 && n*100/r.Count(lint.Error) >= 30 {
			add("crdlift explain "+first.ID, "Begin with %s: it has %s.", first.ID, text.Count(n, "error"))
		}
	}
	return all
}

// mostErrors is the rule with most errors, of those that are not about changes; nil for none.
func (r *Repository) mostErrors() (most *Rule) {
	for _, rule := range r.Rules() {
		if n := rule.Counts[lint.Error]; n > 0 && !AboutChange(rule.ID) && (most == nil || n > most.Counts[lint.Error]) {
			most = rule
		}
	}
	return most
}

// IsPlanned reports whether `crdlift plan` helps with what a rule reports: it is about versions, or about whole CRDs.
func IsPlanned(rule string) bool {
	return slices.Contains([]string{"crd-removed", "stored-version-removed", "version-removed", "version-unserved", "new-version-is-storage", "storage-version-changed"}, rule)
}

// isRequirement reports whether a rule is about what another CRD has, rather than about an older one.
func isRequirement(rule string) bool { return strings.HasPrefix(rule, "requirement-") }

// breaking counts the errors of some rules about changes, and returns the rule that has most of them.
func (r *Repository) breaking(of func(rule string) bool) (n int, most string) {
	for _, rule := range r.Rules() {
		if errors := rule.Counts[lint.Error]; errors > 0 && AboutChange(rule.ID) && of(rule.ID) {
			n, most = n+errors, cmp.Or(most, rule.ID)
		}
	}
	return n, most
}

// fixer is the command that repairs.
func (r *Repository) fixer() string {
	if r.Is("validate") && !r.Is("lint") {
		return "validate"
	}
	return "lint"
}

// Verdict is that of several repositories.
func (o *Overview) Verdict() (all []string) {
	need := o.NeedWork()
	all = append(all, fmt.Sprintf("%d of %d repositories %s work.", len(need), len(o.Repositories), text.Verb(len(need), "needs", "need")), Counts(o.Count)+".")
	if m := o.Migration(); m.All() > 0 {
		all = append(all, m.Sentence())
	}
	var left LeftOut
	for _, r := range o.Repositories {
		left.add(r.LeftOut)
	}
	return withSentence(all, left)
}

// withSentence adds what was left out.
func withSentence(all []string, left LeftOut) []string {
	if said := left.Sentence(); said != "" {
		all = append(all, said)
	}
	return all
}
