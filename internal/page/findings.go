package page

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A topic is a topic of rules with the findings of these.
type topic struct {
	Title string
	Count int
	Rules []ruleView
}

// A ruleView is a rule with its findings.
type ruleView struct {
	Rule     ruleLink
	Summary  string // what it reports; "" where this crdlift does not know
	Severity string
	Count    int
	Open     bool
	Messages []messageView
	More     string // what was left out; "" for nothing
}

// A messageView is what findings say alike.
type messageView struct {
	Text, Severity string
	Fix            string
	Safe           bool
	Places         []place
	More           int
}

// addTopics adds the findings, but for those that changesOf shows.
func (v *view) addTopics(r *overview.Repository, link linker) {
	known := map[string]bool{}
	add := func(title string, of lint.Rules) {
		t := topic{Title: title}
		for _, rule := range r.Rules() {
			catalogued := of.ByID(rule.ID)
			if known[rule.ID] || of != nil && catalogued == nil || overview.AboutChange(rule.ID) && len(v.Changes) > 0 {
				continue
			}
			known[rule.ID] = true
			shown := v.ruleOf(rule, link)
			if catalogued != nil {
				shown.Summary = catalogued.Summary
			}
			shown.Open = r.Findings() <= fewFindings
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

func (v *view) ruleOf(rule *overview.Rule, link linker) ruleView {
	shown := ruleView{Rule: linkRule(rule.ID), Severity: rule.Severity.String(), Count: rule.Count}
	left := rule.More
	for _, m := range rule.Gravest() {
		one := messageView{Text: m.Text, Severity: m.Severity.String(), Fix: m.Fix, Safe: m.Safe, More: m.More}
		for _, at := range m.Places {
			p := link.to(at.File, at.Line)
			p.About = at.Resource
			one.Places = append(one.Places, p)
		}
		left += m.More
		shown.Messages = append(shown.Messages, one)
	}
	if left > 0 {
		v.LeftOut = append(v.LeftOut, fmt.Sprintf("%s of %s", text.Count(left, "more finding"), rule.ID))
	}
	if rule.More > 0 {
		shown.More = text.Count(rule.More, "more finding")
	}
	return shown
}
