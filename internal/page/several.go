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

// maxRulesEach is how many rules of a repository are named.
const maxRulesEach = 5

// showSeveral fills the view with many repositories.
func (v *view) showSeveral(o *overview.Overview) {
	v.Title = text.Count(len(o.Repositories), "report")
	crds := 0
	for _, r := range o.Repositories {
		crds += len(r.CRDs)
	}
	v.Title = fmt.Sprintf("%d repositories", len(o.Repositories))
	v.Verdict = o.Verdict()
	v.Tiles = append([]tile{{fmt.Sprint(len(o.NeedWork())), "need work", "left"}}, tilesOf(o.Count, o.Migration(), crds)...)
	v.Bar = newBar(o.Migration())
	for i, r := range o.Repositories {
		if i == maxRepositories {
			v.LeftOut = append(v.LeftOut, fmt.Sprintf("%d more repositories", len(o.Repositories)-i))
			break
		}
		v.Repositories = append(v.Repositories, repositoryOf(r))
	}
	most := 0
	for _, r := range o.Rules {
		most = max(most, r.Findings)
	}
	for i, r := range o.Rules {
		if i == maxRules {
			v.LeftOut = append(v.LeftOut, text.Count(len(o.Rules)-i, "more rule"))
			break
		}
		v.RuleCounts = append(v.RuleCounts, ruleCount{linkRule(r.Rule), r.Severity.String(), r.Findings, r.Repositories, float64(r.Findings) * 100 / float64(most)})
	}
}

func repositoryOf(r *overview.Repository) repositoryView {
	m := r.Migration()
	v := repositoryView{
		Name: r.Name, CRDs: len(r.CRDs), Errors: r.Count(lint.Error), Warnings: r.Count(lint.Warning), Verdict: r.Verdict(), Tasks: r.Tasks(),
	}
	v.Work = r.NeedsWork()
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
