package engine

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// object is the mapping in the manifest that the CRD is, or is made of.
func (s *subject) object() *yaml.Node {
	if from := s.crd.From; from != nil {
		return from.Node
	}
	return s.crd.Node
}

// resource is the name of that object.
func (s *subject) resource() string { return crd.StringAt(s.object(), "metadata", "name") }

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
// so that only what a server refuses is told of it.
func (s *subject) ofObject(findings []*Finding) []*Finding {
	from := s.crd.From
	if from == nil {
		return findings
	}
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		at, exact := from.Place(f.At)
		f.At.Path = at.Path
		f.Message, f.Brief, f.Advice = from.Words(f.Message), from.Words(f.Brief), from.Words(f.Advice)
		for i := range f.Related {
			f.Related[i].Message = from.Words(f.Related[i].Message)
		}
		if f.Fix != nil {
			f.Fix.Title = from.Words(f.Fix.Title)
		}
		return !exact && f.RefusedBy == "" && !f.By.NeedsOld
	})
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
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		told := from.Also && slices.ContainsFunc(j.out.Found, func(other *Finding) bool {
			return other.Document == f.Document && other.Index == f.Index-1 && other.By == f.By && other.At.Path == f.At.Path && other.Message == f.Message
		})
		return told || slices.ContainsFunc(p.findings, func(problem *Finding) bool { return problem.At.Path == f.At.Path })
	})
	return append(findings, p.findings...)
}

// written is how many of the CRDs there are for who counts two that are made of one object as one.
func written(all []*crd.CRD) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(c *crd.CRD) bool { return c.From != nil && c.From.Also }))
}

// faithful makes a fix of a CRD that is made of an object in a copy of the document, and reports whether it does anything and the
// object has all that it does: a fix may as well change what only the CRD has.
func faithful(root *yaml.Node, f *Finding) bool {
	copied := crd.Clone(root)
	found, _ := xrd.Find(copied)
	if !f.Fix.Apply(found[f.Index]) {
		return false
	}
	again, _ := xrd.Find(copied)
	return f.Index < len(again) && alike(found[f.Index].Node, again[f.Index].Node)
}

func alike(a, b *yaml.Node) bool {
	if a == b {
		return true
	}
	return a.Kind == b.Kind && a.Value == b.Value && a.Tag == b.Tag && a.Alias == b.Alias && slices.EqualFunc(a.Content, b.Content, alike)
}
