package page

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/lint"
)

// compatible is the severity of what a change adds for users of the API.
const compatible = "compatible"

// A changedCRD is what changed in a CRD, side by side.
type changedCRD struct {
	Name             string
	Before, Versions []state // where they differ
	Changes          []change
}

// A change is a row: a value on either side, and what that means.
type change struct {
	Field, In        string
	Old, New         string // as JSON; "" for none
	OldWord, NewWord string // in the place of values
	OldPlace, Place  place
	Severity, Text   string // or compatible
	Rule             ruleLink
	rank             int
}

// changesOf are the findings of rules about changes and what was added, by CRD; those first whose changes are the gravest.
func changesOf(r *overview.Repository, link linker) []changedCRD {
	if r.Against() == "" {
		return nil
	}
	byName := map[string]*changedCRD{}
	var all []*changedCRD
	of := func(name string) *changedCRD {
		if byName[name] == nil {
			byName[name] = &changedCRD{Name: name}
			all = append(all, byName[name])
		}
		return byName[name]
	}
	for _, rule := range r.Rules() {
		if !overview.AboutChange(rule.ID) {
			continue
		}
		for _, m := range rule.Messages {
			to := of(m.Resource)
			to.Changes = append(to.Changes, changeOf(m, rule.ID, link))
		}
	}
	for _, a := range r.Added {
		to := of(a.Resource)
		to.Changes = append(to.Changes, change{Field: a.Field, In: (&overview.Message{Versions: a.Versions}).In(), Severity: compatible, Text: a.Text, NewWord: "new", rank: -1})
	}
	for _, c := range r.CRDs {
		if one := crdOf(c, link); one.Before != nil {
			to := of(c.Name)
			to.Before, to.Versions = one.Before, one.Versions
		}
	}
	out := make([]changedCRD, len(all))
	for i, c := range all {
		slices.SortStableFunc(c.Changes, func(a, b change) int { return b.rank - a.rank })
		out[i] = *c
	}
	slices.SortStableFunc(out, func(a, b changedCRD) int { return b.worst() - a.worst() })
	return out
}

func changeOf(m *overview.Message, rule string, link linker) change {
	c := change{
		Field: m.Field, In: m.In(), Old: m.Old, New: m.New, Severity: m.Severity.String(), Text: m.Text, Rule: linkRule(rule), rank: int(m.Severity),
	}
	if c.Old == "" && c.New == "" && strings.HasSuffix(rule, "-removed") {
		c.OldWord, c.NewWord = "there", "removed"
	}
	if len(m.Places) > 0 {
		c.Place = link.to(m.Places[0].File, m.Places[0].Line)
	}
	if m.OldPlace.File != "" {
		c.OldPlace = linker{}.to(m.OldPlace.File, m.OldPlace.Line) // of another revision
	}
	return c
}

// worst is the gravest severity of the changes.
func (c changedCRD) worst() int {
	worst := int(lint.Off)
	for _, one := range c.Changes {
		worst = max(worst, one.rank)
	}
	return worst
}
