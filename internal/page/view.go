package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// What of a page is shown at most. More is for programs: a page of megabytes helps nobody.
const (
	maxCRDs         = 400
	maxRepositories = 1000
	maxRules        = 30 // of many repositories
	fewFindings     = 25 // are shown without being asked for
	fewCRDs         = 25 // likewise
)

// A view is what the template shows.
type view struct {
	frame
	Title    string
	About    []string // where it is from
	Verdict  []string
	Tiles    []tile
	Tasks    []overview.Task
	Bar      *bar
	Persons  []crdView // that need a decision
	Pending  []crdView // that can be converted
	Changes  []changedCRD
	Against  string
	Plans    []planView
	Topics   []topic
	Findings int // those of the topics
	CRDs     []crdView
	AllCRDs  int      // with those that are not shown
	LeftOut  []string // what the page does not show
	several           // of many repositories
}

// A tile is a number to see at a glance.
type tile struct {
	Number, Label, Class string
}

// A bar is the share of CRDs that a migration has done.
type bar struct {
	overview.Migration
	Parts []barPart
}

// A barPart is a part of a bar that is 100 wide.
type barPart struct {
	Class, Label  string
	Number        int
	Offset, Width float64
}

// FewPending tells whether the CRDs that can be converted are shown without being asked for.
func (v *view) FewPending() bool { return len(v.Persons) == 0 && len(v.Pending) <= fewCRDs }

// MorePersons is how many CRDs need a decision and are not shown.
func (v *view) MorePersons() int { return v.Bar.Person - len(v.Persons) }

// MorePending is how many CRDs can be converted and are not shown.
func (v *view) MorePending() int { return v.Bar.Pending - len(v.Pending) }

func newView(o *overview.Overview) *view {
	v := &view{frame: newFrame()}
	if len(o.Repositories) != 1 {
		v.showSeveral(o)
		return v
	}
	r := o.Repositories[0]
	v.Title, v.About = titleOf(r), aboutOf(r)
	v.Verdict, v.Tasks = r.Verdict(), r.Tasks()
	if r.Judged() || r.Findings() > 0 || len(r.CRDs) > 0 {
		v.Tiles = tilesOf(r.Count, r.Migration(), len(r.CRDs))
	}
	v.Bar = newBar(r.Migration())
	v.Against = r.Against()
	link := linker{r.FilesURL()}
	v.Changes = changesOf(r, link)
	v.Plans = plansOf(r.Plans)
	v.addTopics(r, link)
	v.addCRDs(r, link)
	return v
}

func titleOf(r *overview.Repository) string {
	switch {
	case r.Name != "":
		return r.Name
	case len(r.CRDs) == 1 && r.CRDs[0].Name != "":
		return r.CRDs[0].Name
	case len(r.CRDs) == 0 && len(r.Plans) == 1 && len(r.Plans[0].CRDs) == 1:
		return r.Plans[0].CRDs[0]
	}
	return "CustomResourceDefinitions"
}

// aboutOf says where the reports are from.
func aboutOf(r *overview.Repository) (all []string) {
	for _, h := range r.Heads {
		if h.Command == "" {
			continue
		}
		said := "crdlift " + h.Command
		if h.Against != "" {
			said += " against " + h.Against
		}
		if h.Crdlift != "" {
			said += " (" + h.Crdlift + ")"
		}
		if !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	if r.Files > 0 {
		all = append(all, text.Count(r.Files, "file"))
	}
	if r.Ignored > 0 {
		all = append(all, fmt.Sprintf("%d ignored", r.Ignored))
	}
	return all
}

func tilesOf(count func(lint.Severity) int, m overview.Migration, crds int) []tile {
	var all []tile
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		n := count(s)
		label := s.String() + "s"
		if n == 1 {
			label = s.String()
		}
		class := s.String()
		if n == 0 {
			class = "none"
		}
		all = append(all, tile{fmt.Sprint(n), label, class})
	}
	if crds > 0 {
		all = append(all, tile{fmt.Sprint(crds), strings.TrimPrefix(text.Count(crds, "CRD"), fmt.Sprint(crds)+" "), ""})
	}
	if m.All() > 0 {
		class := "done"
		if m.Left() > 0 {
			class = "left"
		}
		all = append(all, tile{fmt.Sprintf("%d%%", m.Percent()), "at " + m.To, class})
	}
	return all
}

// newBar is the bar of a migration that is not over, or that the run was for; nil for another.
func newBar(m overview.Migration) *bar {
	if m.All() == 0 || m.Left() == 0 && m.Converted == 0 {
		return nil
	}
	b := &bar{Migration: m}
	offset := 0.0
	for _, p := range []barPart{
		{Class: "there", Label: "already there", Number: m.There}, {Class: "converted", Label: "converted", Number: m.Converted},
		{Class: "pending", Label: "to convert", Number: m.Pending}, {Class: "person", Label: "need you", Number: m.Person},
	} {
		if p.Number == 0 {
			continue
		}
		p.Offset, p.Width = offset, float64(p.Number)*100/float64(m.All())
		offset += p.Width
		b.Parts = append(b.Parts, p)
	}
	return b
}

// A linker knows where files can be looked at.
type linker struct{ filesURL string }

// A place is where something is, with the address where it can be looked at; "" for none.
type place struct {
	At, URL, About string
}

func (l linker) to(file string, line int) place {
	p := place{At: file}
	if line > 0 {
		p.At = fmt.Sprintf("%s:%d", file, line)
	}
	if (strings.HasPrefix(l.filesURL, "https://") || strings.HasPrefix(l.filesURL, "http://")) && filepath.IsLocal(filepath.FromSlash(file)) && !strings.HasPrefix(file, "<") {
		p.URL = strings.TrimSuffix(l.filesURL, "/") + "/" + report.EscapePath(file)
		if line > 0 {
			p.URL += fmt.Sprintf("#L%d", line)
		}
	}
	return p
}

// A ruleLink is a rule's id, with the address of its page; "" for a rule that this crdlift does not know.
type ruleLink struct{ ID, Page string }

func linkRule(id string) ruleLink {
	if rules.ByID(id) == nil && lint.Rules(rules.Notes()).ByID(id) == nil {
		return ruleLink{ID: id}
	}
	return ruleLink{id, report.RulePage(id)}
}

// A crdView is a CRD with what is said of it.
type crdView struct {
	Name, Kind   string
	Place        place
	API          string // "v1"
	Versions     []state
	Before       []state // nil where they are as before
	Counts       []tile
	Rules        []crdRule
	NoneRecorded bool // of the versions
}

// A crdRule is what a rule says of a CRD.
type crdRule struct {
	Rule     ruleLink
	Severity string
	Count    int
	Text     string
	Place    place
}

// addCRDs adds the CRDs, and of those that a migration has left the first of each kind once more.
func (v *view) addCRDs(r *overview.Repository, link linker) {
	v.AllCRDs = len(r.CRDs)
	for _, c := range r.CRDs {
		one := crdOf(c, link)
		v.CRDs = addCRD(v.CRDs, one)
		switch {
		case c.State == lint.CRDNeedsPerson:
			v.Persons = addCRD(v.Persons, one)
		case v.Bar != nil && (c.State == lint.CRDConverted && v.Bar.Converted == 0 || c.State == "" && one.API != v.Bar.To):
			v.Pending = addCRD(v.Pending, one)
		}
	}
	if left := v.AllCRDs - len(v.CRDs); left > 0 {
		v.LeftOut = append(v.LeftOut, text.Count(left, "more CRD"))
	}
}

// addCRD adds a CRD, unless there are enough.
func addCRD(to []crdView, one crdView) []crdView {
	if len(to) == maxCRDs {
		return to
	}
	return append(to, one)
}

func crdOf(c *overview.CRD, link linker) crdView {
	one := crdView{
		Name: c.Name, Kind: c.Kind, Place: link.to(c.File, c.Line), API: strings.TrimPrefix(c.APIVersion, crd.Group+"/"),
		Versions: statesOf(c.Versions),
	}
	if one.Name == "" {
		one.Name = "without a name"
	}
	if len(c.Before) > 0 && !slices.Equal(byAge(c.Before), byAge(c.Versions)) {
		one.Before = statesOf(c.Before)
	}
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		if n := c.Counts[s]; n > 0 {
			one.Counts = append(one.Counts, tile{fmt.Sprint(n), strings.TrimPrefix(text.Count(n, s.String()), fmt.Sprint(n)+" "), s.String()})
		}
	}
	for _, rule := range c.Rules() {
		one.Rules = append(one.Rules, crdRule{linkRule(rule.ID), rule.Severity.String(), rule.Count, rule.Text, link.to(c.File, rule.Line)})
	}
	return one
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
