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
	Severity string // the highest
	Mixed    string // how many there are of each severity; "" if all have the same
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
			shown := v.ruleOf(rule)
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

func (v *view) ruleOf(rule *overview.Rule) ruleView {
	shown := ruleView{Rule: linkRule(rule.ID), Severity: rule.Severity.String(), Count: rule.Count}
	if len(rule.Counts) > 1 {
		shown.Mixed = overview.Counts(func(s lint.Severity) int { return rule.Counts[s] })
	}
	told, places := 0, 0
	for _, m := range rule.Messages() {
		one := messageView{Text: m.Text, Severity: m.Severity.String(), Fix: m.Fix, Safe: m.Safe, More: m.More()}
		for _, at := range m.Places {
			p := placeAt(at.FilesURL, at.File, at.Line)
			p.About = at.Resource
			one.Places = append(one.Places, p)
		}
		told += m.Count
		places += len(m.Places)
		shown.Messages = append(shown.Messages, one)
	}
	if left := rule.Count - places; left > 0 {
		v.LeftOut = append(v.LeftOut, fmt.Sprintf("%s of %s", text.Count(left, "more finding"), rule.ID))
	}
	if more := rule.Count - told; more > 0 {
		shown.More = text.Count(more, "more finding")
	}
	return shown
}
