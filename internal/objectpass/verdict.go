package objectpass

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
)

// countObject counts an object by what becomes of it.
func (j *judge) countObject(o *objects.Object, m objects.Match) {
	switch m.Verdict {
	case objects.BuiltIn:
		if o.Group == crd.Group && o.Kind == crd.Kind {
			j.out.CRDs++
			return
		}
		j.out.Objects.BuiltIn++
	case objects.Partial:
		j.out.Objects.Partial++
	}
}

// addVerdict notes what became of an object.
func (j *judge) addVerdict(p *Pass) {
	s := p.subject
	if s.Match.Verdict == objects.NoCRD && len(s.findings) == 0 { // it is somebody else's
		j.out.Objects.Lack(s.Object.Kind, 1)
		return
	}
	verdict := p.verdict()
	if verdict != lint.Unjudged && s.Match.Definition.IsRefused() {
		j.countRefused(s.Match.Definition, 1)
	}
	line, _ := s.document.Begin(crd.FirstKey(s.Object.Node))
	judged := lint.JudgedObject{Object: s.identity, File: j.out.Path, Line: line, Verdict: verdict, Uncompared: s.uncompared}
	j.out.Objects.Judged(judged)
	if j.objects.List {
		j.out.Objects.Listed = append(j.out.Objects.Listed, judged)
	}
}

// countRefused counts objects that are judged by a CRD that a server refuses and keeps.
func (j *judge) countRefused(d *objects.Definition, n int) {
	if j.refused == nil {
		j.refused = map[*objects.Definition]int{}
	}
	j.refused[d] += n
}

// verdict is what became of the object, in one word. What a server says of placeholders is not what it says of their values.
func (p *Pass) verdict() string {
	asWritten := engine.PlaceholderRule.SeverityIn(p.Config) == lint.Off // manifests are applied as they are
	counts := func(n *yaml.Node) bool { return asWritten || !p.isPlaceholder(n) }
	switch s := p.subject; {
	case s.Match.Verdict == objects.KindGone:
		return lint.Unreadable
	case s.Match.Verdict != objects.Judged, s.isUnforeseen():
		return lint.Unjudged
	case s.prospect != nil:
		known := upgrade.Prospect{Effects: slices.DeleteFunc(slices.Clone(s.prospect.Effects), func(e upgrade.Effect) bool {
			return e.Cause != nil && !counts(p.nodeOf(e.Cause))
		})}
		return verdicts[known.Worst()]
	case slices.ContainsFunc(s.answer.outcome.Causes, func(c request.Cause) bool {
		return c.Stage != request.RulesNotRun && counts(p.nodeOf(&c)) && p.mender(&c) == nil
	}),
		slices.ContainsFunc(s.findings, func(f *engine.Finding) bool { return isRefusal(f) && counts(f.At.Node) }):
		return lint.Refused
	}
	return lint.Accepted
}

// isUnforeseen reports whether it is not known what becomes of the object, in a run that asks for that.
func (s *subject) isUnforeseen() bool { return s.prospect != nil && s.uncompared != "" }

// isRefusal reports whether a finding is an error of strict field validation.
func isRefusal(f *engine.Finding) bool { return f.Strict && f.Severity == lint.Error }

// isSettled reports whether all that there is to say of the object is said: it was judged, and no mistake kept the server from
// looking at the rest.
func (s *subject) isSettled() bool {
	return s.Match.Verdict == objects.Judged && !s.isUnforeseen() && !slices.ContainsFunc(s.answer.outcome.Causes, func(c request.Cause) bool {
		return c.Stage == request.Decoding || c.Stage == request.RulesNotRun
	})
}
