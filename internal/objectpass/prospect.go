package objectpass

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
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
	case was.IsCopy(is): // which keeps objects from being applied as before
		if server, _ := is.Server(); server != nil {
			s.prospect.Effects = upgrade.Managed(server, tree)
			s.hideAll(s.prospect.Effects)
		}
		return nil
	}
	s.replaced = was
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
	s.hideAll(s.prospect.Effects)
	return nil
}

// hideAll hides of effects what must not be shown of the object.
func (s *subject) hideAll(effects []upgrade.Effect) {
	for i := range effects {
		s.hide(&effects[i])
	}
}

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
	upgrade.RefusedAlways: lint.Stuck, upgrade.RefusedStatus: lint.StatusRefused, upgrade.Unreadable: lint.Unreadable, upgrade.Unappliable: lint.Unappliable, upgrade.FieldLost: lint.LosesFields,
	upgrade.RefusedWhenChanged: lint.RefusedWhenChanged, upgrade.RefusedOnCreate: lint.RefusedOnCreate, upgrade.DefaultChanged: lint.GetsDefaults,
	upgrade.Converted: lint.ConvertedByWebhook, upgrade.Survives: lint.Survives,
}

// Prospect is what becomes of the object when its CRD is replaced; nil in a run that does not ask for that.
func (p *Pass) Prospect() *upgrade.Prospect { return p.prospect }

// Managed are the effects of what managedFields say of who wrote the object at which version, in a run that checks an update as well.
func (p *Pass) Managed() []upgrade.Effect {
	if p.prospect != nil {
		return p.prospect.Effects
	}
	if p.answer.operation == OnCreate || !p.Object.FromServer() {
		return nil
	}
	type key struct{}
	return engine.Memo(p, key{}, func() []upgrade.Effect {
		server, _ := p.Definition().Server() // there is one: the object is judged
		effects := upgrade.Managed(server, p.tree)
		p.hideAll(effects)
		return effects
	})
}

// VersionsApart are the versions that fields of the object may have been written at: those of its CRD and, where that takes the place of
// another one, of that; none for an object that no server has written.
func (p *Pass) VersionsApart() map[string]bool {
	if p.answer.operation == OnCreate || !p.Object.FromServer() {
		return nil
	}
	all := map[string]bool{}
	for _, d := range []*objects.Definition{p.replaced, p.Definition()} {
		if d != nil {
			for _, v := range d.Hub.Spec.Versions {
				all[v.Name] = true
			}
		}
	}
	return all
}

// Explain has a rule explain a cause of a request at a version, as if it alone had rejected that, and reports what it says as this
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
