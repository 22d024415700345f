package engine

import (
	"iter"

	"github.com/crdlift/crdlift/internal/webhook"
)

// testConversion tests the conversion of the CRD. Of one that cannot be read, other rules say why.
func (s *subject) testConversion() {
	p := &Pass{CRD: s.crd, subject: s}
	if p.Hub() != nil && p.DecodeError() == nil {
		s.conversion = s.linter.Conversions.Test(p)
	}
}

// isFor reports whether a rule looks at the CRD in this run. Those about conversions do in runs that test them; others then say
// why a CRD cannot be read.
func (r *Rule) isFor(s *subject) bool {
	if s.linter.Conversions == nil || r.Conversion {
		return r.Conversion == (s.linter.Conversions != nil)
	}
	return r.Reading && s.unreadable != nil
}

// Broken are the findings that a property is not kept to, each with the command that shows it again.
func (p *Pass) Broken(property webhook.Property) iter.Seq2[*webhook.Finding, string] {
	return func(yield func(*webhook.Finding, string) bool) {
		if p.conversion == nil {
			return
		}
		for i := range p.conversion.Findings {
			f, replay := &p.conversion.Findings[i], ""
			if p.conversion.Replays != nil {
				replay = p.conversion.Replays[i]
			}
			if f.Property == property && !yield(f, replay) {
				return
			}
		}
	}
}
