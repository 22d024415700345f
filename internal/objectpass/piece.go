package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// WhyWhole says why a list with such a text in it cannot be checked in pieces: something in it may matter to all of it. It is "" where
// it can.
func WhyWhole(path string, text []byte) string {
	switch {
	case suppress.MayHold(text):
		return "there is a comment for crdlift below here"
	case template.Recognise(path, text) != template.None:
		return "there is a template below here"
	}
	return ""
}

// Join adds the report on the next piece of the same file. Of findings that are alike, a limited number is kept, and the
// others are counted on the first of them; all are kept where a baseline has to know each.
func Join(l *engine.Linter, f, next *engine.FileReport) {
	to, from := judgeOf(f), judgeOf(next)
	f.CRDs += next.CRDs
	f.Others += next.Others
	f.Broken += next.Broken
	f.Unedited += next.Unedited
	if f.Objects == nil {
		f.Objects = &lint.Objects{}
	}
	if next.Objects != nil {
		f.Objects.Add(next.Objects)
	}
	to.discretion.values, to.discretion.anonymous = from.discretion.values, from.discretion.anonymous
	to.discretion.dump = to.discretion.dump || from.discretion.dump
	if from.facts != nil {
		if to.facts == nil {
			to.facts = &audit.Facts{}
		}
		to.facts.Join(from.facts)
	}
	for _, one := range next.Judged {
		addJudged(f, one)
	}
	for d, n := range from.refused {
		to.countRefused(d, n)
	}
	l.Mark(next)
	if to.alike == nil {
		to.alike, to.once = map[lint.Likeness]*likes{}, repetitions{}
	}
	next.Findings = slices.DeleteFunc(next.Findings, func(one *lint.Finding) bool { return to.once.again(l, one) })
	byObject := map[*lint.Object][]*lint.Finding{}
	for _, one := range next.Findings {
		byObject[one.Object] = append(byObject[one.Object], one)
	}
	for _, one := range next.Findings {
		if all := byObject[one.Object]; all != nil {
			to.keep(all, l.KeepAll || l.Baseline != nil || one.Object == nil)
			delete(byObject, one.Object)
		}
	}
}

// addJudged notes a CRD of objects that were judged, once.
func addJudged(f *engine.FileReport, one suppress.Subject) {
	i := slices.IndexFunc(f.Judged, func(other suppress.Subject) bool {
		return other.Document == one.Document && other.Resource == one.Resource && other.Compared == one.Compared
	})
	if i < 0 {
		f.Judged = append(f.Judged, one)
		return
	}
	f.Judged[i].Partly = f.Judged[i].Partly || one.Partly
}

const (
	// maxAlike bounds how many objects there are with findings that are alike: the findings of others are counted. One that has
	// anything else said of it is one of them still.
	maxAlike = 100
	// maxLikenesses bounds what is told apart by the words of messages.
	maxLikenesses = 10_000
)

// keep keeps the findings about an object, or counts them.
func (j *judge) keep(all []*lint.Finding, always bool) {
	var of []*likes
	gravest := lint.Off
	for _, one := range all {
		a := j.alikeTo(one)
		of = append(of, a)
		always = always || a.kept < maxAlike
		if one.Ignored == "" {
			gravest = max(gravest, one.Severity)
		}
	}
	for i, a := range of {
		if always {
			a.kept++
			j.out.Findings = append(j.out.Findings, all[i])
		} else {
			a.first.More++
		}
	}
	if !always && gravest > lint.Off {
		j.out.Objects.CountFlawed(gravest, 1)
	}
}

// alikeTo are those that a finding is one of, if need be the first.
func (j *judge) alikeTo(one *lint.Finding) *likes {
	key := one.Likeness()
	if j.alike[key] == nil && len(j.alike) >= maxLikenesses {
		key.Ground = ""
	}
	a := j.alike[key]
	if a == nil {
		a = &likes{first: one}
		j.alike[key] = a
	}
	return a
}
