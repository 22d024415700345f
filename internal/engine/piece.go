package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// Piece judges some items of a list that is too large to be read as a whole, with the list around them: a text whose parts are
// taken out of the file. Join puts the reports on all pieces of a file together.
func (l *Linter) Piece(path string, src []byte, parts []lint.Part) *FileReport {
	out := newFileReport(path)
	l.documents(manifest.SplitParts(path, src, parts), false, out)
	return out
}

// WhyWhole says why a list with such a text in it cannot be judged in pieces: something in it may matter to all of it. It is "" where
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

// Parses reports whether all of the text could be read.
func (f *FileReport) Parses() bool {
	return !slices.ContainsFunc(f.Findings, func(f *lint.Finding) bool { return f.Rule.ID == SyntaxRule.ID && f.Object == nil })
}

// Join adds the report on the next piece of the same file. Of findings that are alike, a limited number is kept, and the
// others are counted on the first of them; all are kept where a baseline has to know each.
func (l *Linter) Join(f, next *FileReport) {
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
	f.discretion.values, f.discretion.anonymous = next.discretion.values, next.discretion.anonymous
	f.discretion.dump = f.discretion.dump || next.discretion.dump
	for _, one := range next.judged {
		f.addJudged(one)
	}
	for d, n := range next.refused {
		f.countRefused(d, n)
	}
	l.Mark(next)
	if f.alike == nil {
		f.alike, f.once = map[lint.Likeness]*alike{}, toldOnce{}
	}
	next.Findings = slices.DeleteFunc(next.Findings, func(one *lint.Finding) bool { return f.once.again(l.Rules, one) })
	byObject := map[*lint.Object][]*lint.Finding{}
	for _, one := range next.Findings {
		byObject[one.Object] = append(byObject[one.Object], one)
	}
	for _, one := range next.Findings {
		if all := byObject[one.Object]; all != nil {
			f.keep(all, l.KeepAll || l.Baseline != nil || one.Object == nil)
			delete(byObject, one.Object)
		}
	}
}

// Mark marks what is ignored of the findings of a file, before there is a report on all files.
func (l *Linter) Mark(f *FileReport) { l.suppressing().Mark(f.suppressible()) }

// addJudged notes a CRD of objects that were judged, once.
func (f *FileReport) addJudged(one suppress.Subject) {
	i := slices.IndexFunc(f.judged, func(other suppress.Subject) bool {
		return other.Document == one.Document && other.Resource == one.Resource && other.Compared == one.Compared
	})
	if i < 0 {
		f.judged = append(f.judged, one)
		return
	}
	f.judged[i].Partly = f.judged[i].Partly || one.Partly
}

const (
	// maxAlike bounds how many objects there are with findings that are alike: the findings of others are counted. One that has
	// anything else said of it is one of them still.
	maxAlike = 100
	// maxLikenesses bounds what is told apart by the words of messages.
	maxLikenesses = 10_000
)

// An alike are findings that say the same of many objects.
type alike struct {
	first *lint.Finding
	kept  int
}

// keep keeps the findings about an object, or counts them.
func (f *FileReport) keep(all []*lint.Finding, always bool) {
	var of []*alike
	gravest := lint.Off
	for _, one := range all {
		a := f.alikeTo(one)
		of = append(of, a)
		always = always || a.kept < maxAlike
		if one.Ignored == "" {
			gravest = max(gravest, one.Severity)
		}
	}
	for i, a := range of {
		if always {
			a.kept++
			f.Findings = append(f.Findings, all[i])
		} else {
			a.first.More++
		}
	}
	if !always && gravest > lint.Off {
		f.Objects.CountFlawed(gravest, 1)
	}
}

// alikeTo are those that a finding is one of, if need be the first.
func (f *FileReport) alikeTo(one *lint.Finding) *alike {
	key := one.Likeness()
	if f.alike[key] == nil && len(f.alike) >= maxLikenesses {
		key.Ground = ""
	}
	a := f.alike[key]
	if a == nil {
		a = &alike{first: one}
		f.alike[key] = a
	}
	return a
}
