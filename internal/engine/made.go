package engine

import (
	"encoding/json"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/internal/yaml11"
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
	return at, from.Object
}

// ofObject has findings about a CRD that is made of an object speak of that object. Nobody can act on what the other program adds,
// so that only what a server rejects is told of it, and not that if it follows from what is told of the nearest place.
func (s *subject) ofObject(findings []*Finding) []*Finding {
	from := s.crd.From
	if from == nil {
		return findings
	}
	exact, near := map[string]bool{}, map[*Finding]bool{} // paths of findings that are about them, and findings that are not
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
		if f.By.Meant != nil && f.RefusedBy == "" {
			f.AtMost(lint.Warning) // a field that is dropped without a word
		}
		if is || f.Rule.AboutChange { // what changes there is the author's doing
			return false
		}
		near[f] = true
		return f.RefusedBy == ""
	})
	return slices.DeleteFunc(findings, func(f *Finding) bool { return near[f] && exact[f.At.Path] })
}

// fixedNames are the errors of an update that changes names of an object which another program makes the CRD of. A CRD may have other
// short names, but the CRD of XRDs has `self == oldSelf` for all of names and claimNames.
func (p *Pass) fixedNames() (all []Refusal) {
	is, was := p.CRD.From, p.old.CRD.From
	if is == nil || was == nil || crd.StringAt(is.Node, "metadata", "name") != crd.StringAt(was.Node, "metadata", "name") {
		return nil
	}
	const plural = "spec.claimNames.plural" // with another one, the CRD of claims is another
	now, before := crd.Get(is.Node, crd.Steps(plural)...), crd.Get(was.Node, crd.Steps(plural)...)
	if now != nil && before != nil && !is.Also && now.Value != before.Value {
		err := &field.Error{Type: field.ErrorTypeInvalid, Field: plural, BadValue: now.Value}
		all = append(all, Refusal{Error: err, At: crd.Place{Node: now, Path: plural}, Complete: true})
	}
	for _, name := range []string{"singular", "listKind", "shortNames", "categories"} {
		at := "spec.names." + name
		is, was := crd.Get(p.CRD.Node, crd.Steps(at)...), crd.Get(p.old.CRD.Node, crd.Steps(at)...)
		if value := valueOf(is); !reflect.DeepEqual(value, valueOf(was)) {
			near, complete := p.CRD.LocateExactly(at)
			all = append(all, Refusal{Error: &field.Error{Type: field.ErrorTypeInvalid, Field: at, BadValue: value}, At: near, Complete: complete})
		}
	}
	return all
}

// valueOf is a value as JSON has it; nil where there is none, or none that JSON has.
func valueOf(n *yaml.Node) (value any) {
	if raw, err := yaml11.ToJSON(n); err == nil {
		_ = json.Unmarshal(raw, &value)
	}
	return value
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
	told, at := map[fixKey]bool{}, map[string]bool{}
	for _, f := range j.out.Found {
		key := keyOf(f)
		key.index++
		told[key] = from.Also
	}
	for _, f := range problems {
		at[f.At.Path] = true
	}
	findings = slices.DeleteFunc(findings, func(f *Finding) bool { return told[keyOf(f)] || at[f.At.Path] })
	return append(findings, problems...)
}

// written is how many of the CRDs there are for who counts two that are made of one object as one.
func written(all []*crd.CRD) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(c *crd.CRD) bool { return c.From != nil && c.From.Also }))
}

// A trial is a copy of a document in which fixes of a CRD are tried that is made of an object of it.
type trial struct {
	made *crd.CRD
	own  map[*yaml.Node]yaml.Node // the nodes that only the CRD has, as they were
}

// faithful reports whether the object has all that a fix does: it may as well change what only the CRD has. One copy does for fixes that are.
func (s *subject) faithful(f *Finding) bool {
	if s.trial != nil && s.trial.faithful(f) {
		return true
	}
	root := s.document.Root.YNode()
	if s.remade > limit.EditNodes {
		return false
	}
	s.remade += crd.Size(root)
	root = crd.Clone(root)
	found, _ := xrd.Find(root)
	s.trial = &trial{found[s.index].Changing(), map[*yaml.Node]yaml.Node{}}
	written := map[*yaml.Node]bool{}
	for v := range crd.Walk(root) {
		written[v.Node] = true
	}
	for v := range crd.Walk(s.trial.made.Node) {
		if n := *v.Node; !written[v.Node] {
			n.Content = slices.Clone(n.Content)
			s.trial.own[v.Node] = n
		}
	}
	if s.trial.faithful(f) {
		return true
	}
	s.trial = nil
	return false
}

func (t *trial) faithful(f *Finding) bool {
	if !f.Fix.Apply(t.made) {
		return false
	}
	for n, was := range t.own {
		if n.Value != was.Value || !slices.Equal(n.Content, was.Content) {
			return false
		}
	}
	return true
}
