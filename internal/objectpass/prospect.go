package objectpass

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
)

// foresee finds out what becomes of the object when its CRD is replaced.
func (s *subject) foresee() error {
	tree, size, err := s.Object.Tree()
	if err != nil {
		return err
	}
	s.tree, s.size, s.answer.outcome, s.prospect = tree, size, &request.Outcome{}, &upgrade.Prospect{}
	is := s.Match.Definition
	was, why := s.objects.Against.Replaced(is, s.Object)
	switch {
	case why != "":
		s.uncompared = why
		return nil
	case was.IsCopy(is):
		return nil
	}
	before, why := was.Server()
	after, whyNot := is.Server()
	if why = cmp.Or(why, whyNot); why != "" {
		s.uncompared = why
		return nil
	}
	release := request.ToRelease(s.linter.Configuration().KubernetesVersion.Minor)
	s.prospect = upgrade.New(before, after, was.Hub.Status.StoredVersions, release).Of(tree)
	if err := s.prospect.Err; err != nil {
		s.uncompared = err.Error()
	}
	for i := range s.prospect.Effects {
		s.hide(&s.prospect.Effects[i])
	}
	return nil
}

// hide hides of an effect what must not be shown of the object.
func (s *subject) hide(e *upgrade.Effect) {
	e.Path, e.Scope = s.mask.Path(e.Path), s.mask.Path(e.Scope)
	if e.Cause != nil {
		masked := request.Outcome{Causes: []request.Cause{*e.Cause}}
		s.mask.Outcome(&masked)
		e.Cause = &masked.Causes[0]
	}
}

// verdicts are the verdicts for what becomes of an object.
var verdicts = map[upgrade.Class]string{
	upgrade.RefusedAlways: lint.Stuck, upgrade.RefusedStatus: lint.StatusRefused, upgrade.Unreadable: lint.Unreadable, upgrade.FieldLost: lint.LosesFields,
	upgrade.RefusedWhenChanged: lint.RefusedWhenChanged, upgrade.RefusedOnCreate: lint.RefusedOnCreate, upgrade.DefaultChanged: lint.GetsDefaults,
	upgrade.Converted: lint.ConvertedByWebhook, upgrade.Survives: lint.Survives,
}

// Prospect is what becomes of the object when its CRD is replaced; nil in a run that does not ask for that.
func (p *Pass) Prospect() *upgrade.Prospect { return p.prospect }

// Explain has a rule explain a cause of a request at a version, as if it alone had refused that, and reports what it says as this
// pass's rule does, with words before that.
func (p *Pass) Explain(r *engine.Rule, c *request.Cause, version, before string) []*engine.Finding {
	subject, aside := *p.subject, *p
	subject.answer, subject.version, subject.Memory, subject.findings = answer{outcome: &request.Outcome{Causes: []request.Cause{*c}}}, version, engine.Memory{}, nil
	aside.subject, aside.rule, aside.value = &subject, r, nil
	r.Object.(*Check).Run(&aside)
	value := p.rule.Value()
	for _, f := range subject.findings {
		f.By, f.Rule, f.Severity, f.Fix = p.rule, value, p.severity, nil
		f.Message = before + f.Message
		if f.Brief != "" {
			f.Brief = before + f.Brief
		}
	}
	p.findings = append(p.findings, subject.findings...)
	return subject.findings
}
