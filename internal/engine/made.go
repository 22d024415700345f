package engine

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// inObject is where the object in the manifest has what is at a place of the CRD, and a CRD that finds other places of it.
func (s *subject) inObject(at crd.Place) (crd.Place, *crd.CRD) {
	from := s.crd.From
	if from == nil {
		return at, s.crd
	}
	at.Path = s.written(at.Path)
	at, _ = from.Place(at)
	return at, &crd.CRD{Node: from.Node}
}

// ofObject has findings about a CRD that is made of an object speak of that object. Nobody can act on what the other program adds,
// so that only what a server refuses is told of it, and not that if it follows from what is told of the nearest place.
func (s *subject) ofObject(findings []*Finding) []*Finding {
	from := s.crd.From
	if from == nil {
		return findings
	}
	exact := map[string]bool{} // paths of findings that are about them
	var near []*Finding
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		at, is := from.Place(f.At)
		f.At.Path = at.Path
		exact[at.Path] = exact[at.Path] || is
		f.Message, f.Brief, f.Advice = from.Words(f.Message), from.Words(f.Brief), from.Words(f.Advice)
		for i := range f.Related {
			f.Related[i].Message = from.Words(f.Related[i].Message)
		}
		if f.Fix != nil && s.faithful(f) {
			f.Fix.Title = from.Words(f.Fix.Title)
		} else {
			f.Fix = nil
		}
		if is || f.Rule.AboutChange { // what changes there is the author's doing
			return false
		}
		near = append(near, f)
		return f.RefusedBy == ""
	})
	return slices.DeleteFunc(findings, func(f *Finding) bool { return slices.Contains(near, f) && exact[f.At.Path] })
}

// withProblems are findings about a CRD that is made of an object, without those that it has in common with another one that was judged
// before, and with the problems of that object: they take the place of what is said there of the CRD.
func (j *crdJudge) withProblems(s *subject, findings []*Finding, config *lint.Config) []*Finding {
	from := s.crd.From
	object := &crd.CRD{Node: from.Node, Version: crd.Version(from.APIVersion)}
	p := &Pass{CRD: object, Config: config, subject: &subject{linter: s.linter, document: s.document, crd: object, index: s.index}}
	rules := map[crd.Trouble]*Rule{crd.Refused: MadeRefusedRule, crd.Dropped: MadeDroppedRule, crd.Overwritten: MadeOverwrittenRule}
	for _, problem := range from.Problems {
		if rule := rules[problem.Kind]; p.judgedBy(rule) {
			f := p.Report(problem.At, problem.Message)
			if problem.Kind == crd.Refused {
				f.RefusedBy = from.APIVersion
			}
		}
	}
	problems := Once(p.findings)
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		told := from.Also && slices.ContainsFunc(j.out.Found, func(other *Finding) bool {
			return other.Document == f.Document && other.Index == f.Index-1 && other.By == f.By && other.At.Path == f.At.Path && other.Message == f.Message
		})
		return told || slices.ContainsFunc(problems, func(problem *Finding) bool { return problem.At.Path == f.At.Path })
	})
	return append(findings, problems...)
}

// written is how many of the CRDs there are for who counts two that are made of one object as one.
func written(all []*crd.CRD) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(c *crd.CRD) bool { return c.From != nil && c.From.Also }))
}

// faithful reports whether the object has all that a fix does, when that is made in a copy of the document: a fix may as well change
// what only the CRD has.
func (s *subject) faithful(f *Finding) bool {
	copied := crd.Clone(s.document.Root.YNode())
	if s.remade += crd.Size(copied); s.remade > limit.EditNodes {
		return false
	}
	inObject, before := map[*yaml.Node]bool{}, map[*yaml.Node]yaml.Node{}
	for v := range crd.Walk(copied) {
		inObject[v.Node] = true
	}
	found, _ := xrd.Find(copied)
	made := found[s.index]
	for v := range crd.Walk(made.Node) {
		if n := *v.Node; !inObject[v.Node] {
			n.Content = slices.Clone(n.Content)
			before[v.Node] = n
		}
	}
	if !f.Fix.Apply(made) {
		return false
	}
	for n, was := range before {
		if n.Value != was.Value || !slices.Equal(n.Content, was.Content) {
			return false
		}
	}
	return true
}
