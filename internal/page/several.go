package page

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// several is what the page shows of many repositories.
type several struct {
	Repositories []repositoryView
	To           string // what their migration is to
	RuleCounts   []ruleCount
}

// A repositoryView is a row.
type repositoryView struct {
	Name      string
	URL       string // "" where it is not known
	CRDs      int
	Bar       *bar // nil where there is nothing to migrate
	Done      string
	Errors    int
	Warnings  int
	Work      bool
	Rules     []crdRule // the first ones
	MoreRules int
	Verdict   []string
	Tasks     []overview.Task
}

// A ruleCount is a rule with how much of it there is.
type ruleCount struct {
	Rule         ruleLink
	Severity     string
	Findings     int
	Repositories int
	Width        float64 // of a bar that is 100 wide
}

const (
	// maxRulesEach is how many rules of a repository are named.
	maxRulesEach = 5
	// minWidth is that of a bar for the least of many, which is to be seen, too.
	minWidth = 2
)

// showSeveral fills the view with many repositories.
func (v *view) showSeveral(o *overview.Overview) {
	v.Title = fmt.Sprintf("%d repositories", len(o.Repositories))
	crds := 0
	for _, r := range o.Repositories {
		crds += len(r.CRDs)
	}
	v.Verdict = o.Verdict()
	v.Tiles = append([]tile{{fmt.Sprint(len(o.NeedWork())), "need work", "left"}}, tilesOf(o.Count, o.Migration(), crds)...)
	v.To = o.Migration().To
	v.Bar = newBar(o.Migration(), false)
	for i, r := range o.Repositories {
		if i == maxRepositories {
			v.LeftOut = append(v.LeftOut, fmt.Sprintf("%d more repositories", len(o.Repositories)-i))
			break
		}
		v.Repositories = append(v.Repositories, repositoryOf(r))
	}
	rules := o.MostFound()
	for i, r := range rules {
		if i == maxRules {
			v.LeftOut = append(v.LeftOut, text.Count(len(o.Rules)-i, "more rule"))
			break
		}
		v.RuleCounts = append(v.RuleCounts, ruleCount{linkRule(r.Rule), r.Severity.String(), r.Findings, r.Repositories, max(float64(r.Findings)*100/float64(rules[0].Findings), minWidth)})
	}
}

func repositoryOf(r *overview.Repository) repositoryView {
	m := r.Migration()
	v := repositoryView{
		Name: r.Name, CRDs: len(r.CRDs), Errors: r.Count(lint.Error), Warnings: r.Count(lint.Warning), Verdict: r.Verdict(), Tasks: r.Tasks(),
	}
	v.Work = r.NeedsWork()
	if url := r.URL(); isWeb(url) {
		v.URL = url
	}
	if m.All() > 0 {
		v.Done = fmt.Sprintf("%d%%", m.Percent())
		v.Bar = &bar{Migration: m}
		if m.Done() > 0 {
			v.Bar.Parts = []barPart{{Class: "there", Width: float64(m.Done()) * 100 / float64(m.All())}}
		}
	}
	for i, rule := range r.Rules() {
		if i == maxRulesEach {
			v.MoreRules = len(r.Rules()) - i
			break
		}
		v.Rules = append(v.Rules, crdRule{Rule: linkRule(rule.ID), Severity: rule.Severity.String(), Count: rule.Count})
	}
	return v
}
