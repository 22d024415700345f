package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// What of a page is shown at most. More is for programs: a page of megabytes helps nobody.
const (
	maxCRDs         = 400
	maxChanges      = 1000
	maxRepositories = 1000
	maxRules        = 30 // of many repositories
	maxRulesEach    = 5  // that are named of one of them
	fewFindings     = 25 // are shown without being asked for
	fewCRDs         = 25 // likewise
	minWidth        = 2  // of a bar for the least of many, which is to be seen, too
)

// A view is what the template shows.
type view struct {
	Title    string
	About    []string // where it is from
	Verdict  []string
	Tiles    []tile
	Tasks    []overview.Task
	Bar      *bar
	Persons  crdGroup // that need a decision
	Groups   []crdGroup
	Changes  []*changedCRD
	Against  string
	Plans    []planView
	Topics   []topic
	Findings int // those of the topics
	CRDs     []crdView
	AllCRDs  int      // with those that are not shown
	LeftOut  []string // what the page does not show
	// ChangesLeft is what the page does not show of the changes; "" for nothing.
	ChangesLeft string

	// What is shown of many repositories.
	Repositories []repositoryView
	To           string // what their migration is to
	RuleCounts   []ruleCount
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

// Count says how many of the CRDs are done: "2 of 3 CRDs".
func (b *bar) Count() string { return fmt.Sprintf("%d of %s", b.Done(), text.Count(b.All(), "CRD")) }

// A barPart is a part of a bar that is 100 wide.
type barPart struct {
	Class, Label  string
	Number        int
	Offset, Width float64
}

func newView(o *overview.Overview) *view {
	v := &view{}
	if len(o.Repositories) != 1 {
		v.showSeveral(o)
		return v
	}
	r := o.Repositories[0]
	v.Title, v.About = titleOf(r), aboutOf(r)
	v.Verdict, v.Tasks = r.Verdict(), r.Tasks()
	if r.Checked() || r.Findings() > 0 || len(r.CRDs) > 0 {
		v.Tiles = tilesOf(r.Count, r.Migration(), len(r.CRDs))
	}
	if m := r.Migration(); m.Left() > 0 || r.Is("convert") {
		v.Bar = barOf(m)
	}
	v.addChanges(r)
	for _, p := range r.Plans {
		v.Plans = append(v.Plans, planOf(p))
	}
	v.addTopics(r)
	v.addCRDs(r)
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
		switch {
		case h.Command == "plan" && h.Against != "" && h.New != "":
			said += " from " + h.Against + " to " + h.New
		case h.Against != "":
			said += " against " + h.Against
		}
		if h.Crdlift != "" {
			said += " (" + h.Crdlift + ")"
		}
		if h.Files > 0 {
			said += ", " + text.Count(h.Files, "file")
		}
		if !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	if r.Ignored > 0 {
		all = append(all, fmt.Sprintf("%d ignored", r.Ignored))
	}
	return all
}

func tilesOf(count func(lint.Severity) int, m overview.Migration, crds int) []tile {
	all := tallies(count)
	if crds > 0 {
		all = append(all, tile{fmt.Sprint(crds), text.Verb(crds, "CRD", "CRDs"), ""})
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

// tallies are the numbers of findings by severity.
func tallies(count func(lint.Severity) int) (all []tile) {
	for s := lint.Error; s > lint.Off; s-- {
		n, class := count(s), s.String()
		if n == 0 {
			class = none
		}
		all = append(all, tile{fmt.Sprint(n), text.Verb(n, s.String(), s.String()+"s"), class})
	}
	return all
}

// none is the class of a tally of nothing.
const none = "none"

// barOf is the bar of a migration; nil where there is nothing to migrate.
func barOf(m overview.Migration) *bar {
	if m.All() == 0 {
		return nil
	}
	b := &bar{Migration: m}
	b.add("there", progress[overview.There], m.CRDs[overview.There])
	b.add("converted", progress[overview.Converted], m.CRDs[overview.Converted])
	b.add("pending", progress[overview.ToConvert], m.CRDs[overview.ToConvert])
	b.add("person", "need you", m.CRDs[overview.NeedsPerson])
	return b
}

// add adds a part, unless it is none.
func (b *bar) add(class, label string, n int) {
	if n == 0 {
		return
	}
	part := barPart{Class: class, Label: label, Number: n, Width: float64(n) * 100 / float64(b.All())}
	for _, before := range b.Parts {
		part.Offset += before.Width
	}
	b.Parts = append(b.Parts, part)
}

// A repositoryView is a repository of many.
type repositoryView struct{ *overview.Repository }

// Bar shows how much of a migration is done; nil where there is nothing to migrate.
func (r repositoryView) Bar() *bar {
	b := barOf(r.Migration())
	if b != nil {
		b.Parts = nil
		b.add("there", "", b.Done())
	}
	return b
}

// Most are the gravest rules, and MoreRules how many there are besides.
func (r repositoryView) Most() []*overview.Rule { return r.Rules()[:min(len(r.Rules()), maxRulesEach)] }
func (r repositoryView) MoreRules() int         { return max(len(r.Rules())-maxRulesEach, 0) }

// A ruleCount is a rule with how much of it there is.
type ruleCount struct {
	*overview.RuleCount
	Width float64 // of a bar that is 100 wide
}

// showSeveral fills the view with many repositories.
func (v *view) showSeveral(o *overview.Overview) {
	v.Title = fmt.Sprintf("%d repositories", len(o.Repositories))
	crds := 0
	for _, r := range o.Repositories {
		crds += len(r.CRDs)
		if len(v.Repositories) < maxRepositories {
			v.Repositories = append(v.Repositories, repositoryView{r})
		}
	}
	m := o.Migration()
	v.Verdict, v.To = o.Verdict(), m.To
	v.Tiles = append([]tile{{fmt.Sprint(len(o.NeedWork())), "need work", "left"}}, tilesOf(o.Count, m, crds)...)
	if m.Left() > 0 {
		v.Bar = barOf(m)
	}
	if more := len(o.Repositories) - maxRepositories; more > 0 {
		v.LeftOut = append(v.LeftOut, fmt.Sprintf("%d more repositories", more))
	}
	rules := o.MostFound()
	for _, r := range rules[:min(len(rules), maxRules)] {
		v.RuleCounts = append(v.RuleCounts, ruleCount{r, max(float64(r.Count)*100/float64(rules[0].Count), minWidth)})
	}
	if more := len(rules) - maxRules; more > 0 {
		v.LeftOut = append(v.LeftOut, text.Count(more, "more rule"))
	}
}

// A topic is a topic of rules with the findings of these.
type topic struct {
	Title string
	Count int
	Rules []ruleView
}

// A ruleView is a rule with its findings.
type ruleView struct {
	*overview.Rule
	Summary string // what it reports; "" where this crdlift does not know
	Open    bool
	More    string // what was left out; "" for nothing
}

// Mixed is how many findings there are of each severity; "" if all have the same.
func (r ruleView) Mixed() string {
	if len(r.Counts) < 2 {
		return ""
	}
	return overview.Counts(func(s lint.Severity) int { return r.Counts[s] })
}

// addTopics adds the findings, but for those that addChanges shows.
func (v *view) addTopics(r *overview.Repository) {
	known := map[string]bool{}
	add := func(title string, of lint.Rules) {
		t := topic{Title: title}
		for _, rule := range r.Rules() {
			catalogued := of.ByID(rule.ID)
			if known[rule.ID] || of != nil && catalogued == nil || overview.AboutChange(rule.ID) && len(v.Changes) > 0 {
				continue
			}
			known[rule.ID] = true
			shown := ruleView{Rule: rule, Open: r.Findings() <= fewFindings, More: v.leftOf(rule)}
			if catalogued != nil {
				shown.Summary = catalogued.Summary
			}
			t.Rules = append(t.Rules, shown)
			t.Count += rule.Count
		}
		if len(t.Rules) > 0 {
			v.Topics = append(v.Topics, t)
			v.Findings += t.Count
		}
	}
	for _, t := range rules.Topics() {
		add(t.Title, t.Rules)
	}
	add("Conversion between API versions", rules.Notes())
	add("Other rules", nil)
}

// leftOf says how many findings of a rule no message tells, and notes how many have no place.
func (v *view) leftOf(rule *overview.Rule) string {
	told, places := 0, 0
	for _, m := range rule.Messages() {
		told += m.Count
		places += len(m.Places)
	}
	if left := rule.Count - places; left > 0 {
		v.LeftOut = append(v.LeftOut, fmt.Sprintf("%s of %s", text.Count(left, "more finding"), rule.ID))
	}
	if more := rule.Count - told; more > 0 {
		return text.Count(more, "more finding")
	}
	return ""
}

// A place is where something is, with the address where it can be looked at; "" for none.
type place struct {
	At, URL, About string
}

// placeAt is a line of a file, or a file where the line is 0. What is to be put before the path of a file may be empty.
func placeAt(filesURL, file string, line int) place {
	p := place{At: file}
	if line > 0 {
		p.At = fmt.Sprintf("%s:%d", file, line)
	}
	if isWeb(filesURL) && filepath.IsLocal(filepath.FromSlash(file)) && !strings.HasPrefix(file, "<") {
		p.URL = strings.TrimSuffix(filesURL, "/") + "/" + report.EscapePath(file)
		if line > 0 {
			p.URL += fmt.Sprintf("#L%d", line)
		}
	}
	return p
}

// placeOf is the place of a finding.
func placeOf(at overview.Place) place {
	p := placeAt(at.FilesURL, at.File, at.Line)
	p.About = at.Resource
	return p
}

// isWeb reports whether an address may become a link.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}
