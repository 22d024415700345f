package overview

import (
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// A sameKey is what findings of several runs have in common that are the same.
type sameKey struct {
	identity        uint64
	folder, against string
}

func (r *Run) same(rec *record) sameKey {
	key := sameKey{identity: rec.same, folder: r.folder()}
	if AboutChange(rec.rule) {
		key.against = r.Against
	}
	return key
}

// countAll counts the findings of all runs, those that several runs report once: as the gravest, and as ignored only if all of them
// ignore it. What they say is kept where somebody is to read it.
func (r *Repository) countAll(details bool) {
	r.details = details
	rank := func(rec *record) int {
		if rec.ignored {
			return int(lint.Off)
		}
		return int(rec.severity)
	}
	gravest := map[sameKey]*record{}
	for _, run := range r.runs {
		for i := range run.records {
			rec := &run.records[i]
			if key := run.same(rec); gravest[key] == nil || rank(rec) > rank(gravest[key]) {
				rec.fixed = rec.fixed || gravest[key] != nil && gravest[key].fixed
				gravest[key] = rec
			}
		}
	}
	byPlace := map[crdKey]*CRD{}
	for key, c := range r.crds {
		key.line = 0
		if known := byPlace[key]; known == nil || c.Line < known.Line {
			byPlace[key] = c
		}
	}
	for _, run := range r.runs {
		for i := range run.records {
			rec := &run.records[i]
			if gravest[run.same(rec)] != rec || rec.rule == Pending && run.Migration != nil { // the state of the CRD says that
				continue
			}
			rec.about.folder = run.folder()
			r.take(rec, byPlace[rec.about], run.FilesURL)
		}
		if r.details {
			r.addAdditions(run.Added)
		}
	}
	r.runs = nil
}

// take counts a finding, which is in a run with such a FilesURL.
func (r *Repository) take(rec *record, about *CRD, filesURL string) {
	if about != nil {
		about.blocked = about.blocked || rec.blocks
	}
	if rec.ignored {
		r.Ignored += rec.n
		return
	}
	r.counts[rec.severity] += rec.n
	if rec.fixed {
		r.FixesSafe += rec.n
	}
	rule := r.rules[rec.rule]
	if rule == nil {
		rule = &Rule{
			Tally: Tally{ID: rec.rule}, Counts: map[lint.Severity]int{}, ByCRD: map[string]int{},
			byText: map[likeness]*Message{}, kept: map[lint.Severity]int{},
		}
		r.rules[rec.rule] = rule
	}
	rule.add(rec.severity, rec.n)
	rule.Counts[rec.severity] += rec.n
	if about != nil {
		about.count(rec)
	}
	f := rec.says
	if f == nil {
		return
	}
	if rec.about.name != "" && AboutChange(rec.rule) {
		rule.ByCRD[rec.about.name] += rec.n
	}
	if m := rule.message(f, rec.severity); m != nil {
		m.Count += rec.n
		if len(m.Places) < maxPlaces {
			at := Found{Place: Place{File: f.File, Line: f.Line, Resource: f.Resource, FilesURL: filesURL}}
			if f.Object != nil {
				at.Resource = f.Object.ID()
			}
			for _, c := range f.Copies {
				at.Copies = append(at.Copies, Place{File: c.File, Line: c.Line, FilesURL: filesURL})
			}
			m.Places = append(m.Places, at)
		}
	}
}

// addAdditions adds what changes add for users of the API, each once.
func (r *Repository) addAdditions(all []lint.Addition) {
	key := func(a lint.Addition) [4]string {
		return [4]string{a.Resource, strings.Join(a.Versions, ","), a.Field, a.Text}
	}
	known := map[[4]string]bool{}
	for _, a := range r.Added {
		known[key(a)] = true
	}
	for _, a := range all {
		if !known[key(a)] {
			known[key(a)] = true
			r.Added = append(r.Added, a)
		}
	}
}

// count counts a finding about the CRD.
func (c *CRD) count(rec *record) {
	c.Counts[rec.severity] += rec.n
	if rec.says == nil {
		return
	}
	known := c.rules[rec.rule]
	if known == nil {
		known = &CRDRule{Tally: Tally{ID: rec.rule}}
		c.rules[rec.rule] = known
	}
	if rec.severity > known.Severity {
		known.Line, known.Text = rec.says.Line, rec.says.Message
	}
	known.add(rec.severity, rec.n)
}
