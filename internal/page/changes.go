package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// compatible is the severity of what a change adds for users of the API.
const compatible = "compatible"

// A changedCRD is what changed in a CRD, side by side.
type changedCRD struct {
	Name          string
	File, OldFile place         // which all rows share; the zero place where they do not
	CRD           *overview.CRD // where its versions are not as they were; nil elsewhere
	Changes       []change
	Copies        []place // the files of its copies
	More          string  // what was left out; "" for nothing
}

// A change is a row: a value on either side, and what that means.
type change struct {
	Field, In        string
	Old, New         string // as JSON; "" for none
	OldWord, NewWord string // in the place of values
	OldPlace, Place  place
	MorePlaces       int
	Severity, Text   string // or compatible
	Rule             string // its id; "" for an addition

	told     bool // by the line of versions
	resource string
	count    int
	rank     int
	new, old overview.Place
	copies   []overview.Place
}

// addChanges adds the findings of rules about changes and what was added, by CRD; those first whose changes are the gravest. Of more
// than a person reads, the gravest are shown.
func (v *view) addChanges(r *overview.Repository) {
	v.Against = r.Against()
	if v.Against == "" {
		return
	}
	rows, total := changesOf(r)
	shown := rows[:min(len(rows), maxChanges)]
	byName := map[string]*changedCRD{}
	of := func(name string) *changedCRD {
		if byName[name] == nil {
			byName[name] = &changedCRD{Name: name}
			v.Changes = append(v.Changes, byName[name])
		}
		return byName[name]
	}
	told := map[string]int{}
	for _, row := range shown {
		to := of(row.resource)
		to.Changes = append(to.Changes, row)
		told[row.resource] += row.count
		to.addCopies(row.copies)
	}
	for _, c := range r.CRDs {
		if differs(c) && (byName[c.Name] != nil || len(v.Changes) < maxCRDs) {
			of(c.Name).CRD = c
		}
	}
	for _, c := range v.Changes {
		c.shorten()
		if c.CRD != nil { // the line of versions says some
			c.Changes = slices.DeleteFunc(c.Changes, func(row change) bool { return row.told })
		}
		if left := total[c.Name] - told[c.Name]; left > 0 {
			c.More = text.Count(left, "more change")
		}
	}
	slices.SortStableFunc(v.Changes, func(a, b *changedCRD) int { return b.worst() - a.worst() })
	v.countLeft(r, shown, len(total)-len(told))
}

// addCopies adds the files of copies, each once.
func (c *changedCRD) addCopies(all []overview.Place) {
	for _, at := range all {
		if file := placeAt(at.FilesURL, at.File, 0); !slices.Contains(c.Copies, file) {
			c.Copies = append(c.Copies, file)
		}
	}
}

// countLeft says how many changes are not shown, of which severities, and how many CRDs are missing because of that.
func (v *view) countLeft(r *overview.Repository, shown []change, crds int) {
	left := map[string]int{compatible: len(r.Added)}
	for _, rule := range r.Rules() {
		if overview.AboutChange(rule.ID) {
			for severity, n := range rule.Counts {
				left[severity.String()] += n
			}
		}
	}
	for _, row := range shown {
		left[row.Severity] -= row.count
	}
	var parts []string
	n := 0
	for _, s := range []string{lint.Error.String(), lint.Warning.String(), lint.Info.String(), compatible} {
		if left[s] <= 0 {
			continue
		}
		n += left[s]
		if s == compatible {
			parts = append(parts, fmt.Sprintf("%d compatible", left[s]))
		} else {
			parts = append(parts, text.Count(left[s], s))
		}
	}
	if n == 0 {
		return
	}
	v.ChangesLeft = fmt.Sprintf("%s not shown: %s", text.Count(n, "more change"), text.And(parts))
	if crds > 0 {
		v.ChangesLeft += ", with all those of " + text.Count(crds, "more CRD")
	}
	v.LeftOut = append(v.LeftOut, v.ChangesLeft)
}

// changesOf are all changes that are kept, the gravest first, and how many there are of each CRD.
func changesOf(r *overview.Repository) (rows []change, total map[string]int) {
	total = map[string]int{}
	for _, rule := range r.Rules() {
		if !overview.AboutChange(rule.ID) {
			continue
		}
		for name, n := range rule.ByCRD {
			total[name] += n
		}
		for _, m := range rule.Messages() {
			rows = append(rows, changeOf(m, rule.ID))
		}
	}
	for _, a := range r.Added {
		total[a.Resource]++
		rows = append(rows, additionOf(a))
	}
	slices.SortStableFunc(rows, func(a, b change) int { return b.rank - a.rank })
	return rows, total
}

func changeOf(m *overview.Message, rule string) change {
	c := change{
		Field: m.Field, In: m.In(), Old: m.Old, New: m.New, Severity: m.Severity.String(), Text: m.Text, Rule: rule, rank: int(m.Severity),
		resource: m.Resource, count: m.Count, old: m.OldPlace,
	}
	switch {
	case rule == "field-newly-required": // the value is the field's name
		c.Old, c.New, c.OldWord, c.NewWord = "", "", "optional", "required"
	case c.Old == "" && c.New == "" && strings.HasSuffix(rule, "-removed"):
		c.OldWord, c.NewWord = "there", "removed"
	}
	if len(m.Places) > 0 && rule != "crd-removed" { // which is at the old place
		c.new, c.copies, c.MorePlaces = m.Places[0].Place, m.Places[0].Copies, m.Count-1
	}
	c.Place = placeAt(c.new.FilesURL, c.new.File, c.new.Line)
	c.OldPlace = placeAt("", c.old.File, c.old.Line) // of another revision
	return c
}

// additionOf is what users of an API gain.
func additionOf(a lint.Addition) change {
	c := change{
		Field: a.Field, In: strings.Join(a.Versions, ", "), Severity: compatible, Text: a.Text, resource: a.Resource, count: 1, rank: -1,
	}
	words := gained[a.Kind]
	c.OldWord, c.NewWord = words[0], words[1]
	c.told = a.Kind == lint.VersionAdded || a.Kind == lint.NowDeprecated && a.Warning == ""
	return c
}

// gained are the words for both sides of an addition that has no values.
var gained = map[lint.Gain][2]string{
	lint.VersionAdded: {"", "new"}, lint.Added: {"", "new"}, lint.Optional: {"required", "optional"},
	lint.ServedAgain: {"not served", "served"}, lint.NowDeprecated: {"not deprecated", "deprecated"},
}

// shorten has the rows say only lines, if all are in one file.
func (c *changedCRD) shorten() {
	c.File = shorten(c.Changes, func(row *change) (overview.Place, *place) { return row.new, &row.Place })
	c.OldFile = shorten(c.Changes, func(row *change) (overview.Place, *place) { return row.old, &row.OldPlace })
}

// shorten does that for one side. It returns the file that all are in, or the zero place.
func shorten(rows []change, of func(*change) (overview.Place, *place)) place {
	var file overview.Place
	for i := range rows {
		at, _ := of(&rows[i])
		at = overview.Place{File: at.File, FilesURL: at.FilesURL}
		switch {
		case at.File == "" || at == file:
		case file.File != "":
			return place{}
		default:
			file = at
		}
	}
	for i := range rows {
		if at, shown := of(&rows[i]); at.Line > 0 {
			shown.At = fmt.Sprintf("line %d", at.Line)
		}
	}
	return placeAt(file.FilesURL, file.File, 0)
}

// worst is the gravest severity of the changes.
func (c *changedCRD) worst() int {
	worst := int(lint.Off)
	for _, one := range c.Changes {
		worst = max(worst, one.rank)
	}
	return worst
}
