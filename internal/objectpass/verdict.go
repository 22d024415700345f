package objectpass

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// countObject counts an object that is passed over, if it is.
func (j *judge) countObject(o *objects.Object, m objects.Match) bool {
	switch {
	case m.Verdict == objects.BuiltIn && (o.Group == crd.Group && o.Kind == crd.Kind || o.Group == xrd.Group):
		j.out.CRDs++
	case m.Verdict == objects.BuiltIn:
		j.out.Objects.BuiltIn++
	case m.Verdict == objects.Partial:
		j.out.Objects.Partial++
	case m.Verdict == objects.LeftOut:
		j.out.Objects.LeftOut++
	default:
		return false
	}
	return true
}

// addVerdict notes what became of an object under its CRDs: under that which is best for it, since what others reject is no mistake
// where that one is installed.
func (j *judge) addVerdict(all []*subject) {
	s, verdict := all[0], ""
	if s.Match.Verdict == objects.NoCRD && len(s.findings) == 0 { // it is somebody else's
		j.out.Objects.Lack(s.Object.Kind, 1)
		return
	}
	for _, one := range all {
		if slices.Index(goodness, one.verdict) > slices.Index(goodness, verdict) {
			verdict = one.verdict
		}
		if one.verdict != lint.Unjudged && one.Match.Definition.IsRefused() {
			j.countRefused(one.Match.Definition, 1)
		}
	}
	line, _ := s.document.Begin(crd.FirstKey(s.Object.Node))
	judged := lint.JudgedObject{Object: s.identity, File: j.out.Path, Line: line, Verdict: verdict, Uncompared: s.uncompared}
	j.out.Objects.Judged(judged)
	if j.objects.List {
		j.out.Objects.Listed = append(j.out.Objects.Listed, judged)
	}
}

// goodness are the verdicts, the worst first.
var goodness = slices.Concat([]string{lint.Unjudged, lint.Refused, lint.Accepted}, lint.Foreseen())

// countRefused counts objects that are judged by a CRD that a server rejects and keeps.
func (j *judge) countRefused(d *objects.Definition, n int) {
	if j.refused == nil {
		j.refused = map[*objects.Definition]int{}
	}
	j.refused[d] += n
}

// judgedAs is what became of the object under its CRD, in one word. What a server says of placeholders is not what it says of their
// values.
func (p *Pass) judgedAs() string {
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
		s.way() == lint.ServerSide && s.application != nil && slices.ContainsFunc(s.application.outcome.Causes, func(c request.Cause) bool { return counts(p.nodeOf(&c)) }),
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
