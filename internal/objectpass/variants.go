package objectpass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// agreed are the findings about an object that has several CRDs: which of them a cluster has is not known, so that only what all say
// is as grave as it is said. What some say is told by a rule of its own. An object that all reject, each for something else, is
// rejected for what the nearest says.
func (j *judge) agreed(all []*subject, config *lint.Config) (findings []*engine.Finding) {
	deciding := slices.DeleteFunc(slices.Clone(all), func(s *subject) bool { return s.Match.Verdict != objects.Judged })
	if len(deciding) == 0 {
		deciding = all
	}
	by := map[place][]*subject{} // who says it
	for _, s := range all {
		for _, f := range s.findings {
			if at := placeOf(f); !slices.Contains(by[at], s) {
				by[at] = append(by[at], s)
			}
		}
	}
	byAll := func(f *engine.Finding) bool { return containsAll(by[placeOf(f)], deciding) }
	isError := func(f *engine.Finding) bool { return f.Severity == lint.Error }
	refused := containsAll(with(all, isError), deciding) && len(with(all[:1], func(f *engine.Finding) bool { return isError(f) && byAll(f) })) == 0
	told := map[place]bool{}
	for _, s := range all {
		var here []place
		for _, f := range s.findings {
			at := placeOf(f)
			if told[at] {
				continue
			}
			here = append(here, at)
			if byAll(f) || refused && s == all[0] && isError(f) || j.onlyBy(f, by[at], all, config) {
				findings = append(findings, f)
			}
		}
		for _, at := range here {
			told[at] = true
		}
	}
	return findings
}

// A place is what CRDs agree on: that a rule finds something at a path of the object.
type place struct{ rule, path string }

func placeOf(f *engine.Finding) place { return place{f.By.ID, f.At.Path} }

// with are those that have such a finding.
func with(all []*subject, is func(*engine.Finding) bool) []*subject {
	return slices.DeleteFunc(slices.Clone(all), func(s *subject) bool { return !slices.ContainsFunc(s.findings, is) })
}

func containsAll(all, some []*subject) bool {
	return !slices.ContainsFunc(some, func(s *subject) bool { return !slices.Contains(all, s) })
}

// onlyBy makes a finding one about what only some CRDs say. It is false where the rule about that is off.
func (j *judge) onlyBy(f *engine.Finding, some, all []*subject, config *lint.Config) bool {
	for r, check := range checks(j.linter) {
		if !check.Differ {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(all), func(s *subject) bool { return slices.Contains(some, s) })
		f.By, f.Rule, f.Severity, f.Fix, f.Strict = r, r.Value(), min(f.Severity, r.SeverityIn(config)), nil, false
		f.Add(fmt.Sprintf("; only %s %s so, and %s %s not; pass only the CRD that counts", namesOf(some, all), text.Verb(len(some), "says", "say"), namesOf(others, all), text.Verb(len(others), "does", "do")))
		return f.Severity > lint.Off
	}
	return false
}

// maxNamed is how many CRDs a message names.
const maxNamed = 3

// namesOf are the files of CRDs, with their lines where several are in one file.
func namesOf(some, all []*subject) string {
	var names []string
	for _, s := range some {
		at := s.Match.Definition.Where()
		name := at.File
		if slices.ContainsFunc(all, func(other *subject) bool { return other != s && other.Match.Definition.Document.File.Path == at.File }) {
			name = fmt.Sprintf("%s:%d", at.File, at.Line)
		}
		names = append(names, strings.TrimPrefix(name, "./"))
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return text.And(names)
}

// exceedVariants reports, once in a file, that there are more CRDs of a kind than are asked.
func (j *judge) exceedVariants(all []*subject, more int) {
	s := all[0]
	if j.unseen[s.Match.Definition] {
		return
	}
	j.see(s.Match.Definition)
	line, column := s.document.Begin(s.Object.Node)
	j.linter.Exceed(&j.out.FileReport, "crd-variants", lint.Source{Pos: lint.Point(j.out.Path, line, column)},
		"there are %d different CRDs of %s, and objects are validated by the nearest %d; name those that count with --crds", len(all)+more, s.Object.Kind, len(all))
}
