package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
)

// CRD runs the rules over one CRD of a document, by itself.
func (l *Linter) CRD(d *manifest.Document, c *crd.CRD) []*lint.Finding {
	findings, _ := l.crd(&subject{linter: l, document: d, crd: c}, l.Configuration())
	var all []*lint.Finding
	for _, f := range findings {
		f.complete()
		all = append(all, f.Finding)
	}
	return all
}

// crd runs the rules over one CRD.
func (l *Linter) crd(shared *subject, config *lint.Config) ([]*Finding, *Summary) {
	shared.Memory = Memory{}
	shared.crd = shared.crd.Frozen()
	excessive := shared.crd.Excessive()
	c := shared.judged(excessive, config)
	shared.Manifest = origin.New(c, shared.document, l.around(shared.document.File.Path))
	if old := shared.old; old != nil {
		shared.old = &older.CRD{CRD: old.CRD.Frozen(), Document: old.Document}
	}
	if l.Conversions != nil && !excessive {
		shared.testConversion()
	}
	across := map[string]lint.Severity{}
	shared.swollen = shared.old != nil && shared.old.CRD.Swollen()
	for _, r := range l.Rules {
		if r.Object != nil && r.Run == nil || r.Suite || r.Migration || r.OfManifest && c.From != nil {
			continue
		}
		severity := r.SeverityIn(config)
		if r.Across != nil {
			across[r.ID] = severity
		}
		if l.Changes && !r.NeedsOld && !r.AboutChange || !r.isFor(shared) || !l.compares(r.Value()) {
			continue
		}
		if severity > lint.Off && r.Run != nil && (!excessive || r.Excess) && (!r.NeedsOld || shared.old != nil && !shared.swollen) {
			runRule(&Pass{CRD: c, Config: config, subject: shared, rule: r, severity: severity})
		}
	}
	pass := &Pass{CRD: c, Config: config, subject: shared}
	pass.unjudged()
	summary := pass.summarize()
	summary.Severities, summary.Compared = across, shared.old != nil
	summary.Partly = l.Conversions != nil && (shared.conversion == nil || l.Conversions.Partly)
	findings := pass.withoutOpaque(pass.withoutPlaceholders(Once(pass.withoutLost(DropFollowing(shared.findings)))))
	shared.pointToSource(findings)
	for _, f := range findings {
		f.Stable = c.StablePaths(f.At.Path)
	}
	shared.asWritten(findings)
	return shared.ofObject(findings), summary
}

// compares reports whether a rule about changes takes the old side for what it is in the run; it is true of other rules.
func (l *Linter) compares(r *lint.Rule) bool {
	return !r.AboutChange || r.Requirement == l.Requirement || r.ID == UncomparedRule.ID
}

// pointToSource adds to findings where they have to be fixed, if the manifest is generated.
func (s *subject) pointToSource(findings []*Finding) {
	all := make([]*origin.Finding, len(findings))
	for i, f := range findings {
		all[i] = &origin.Finding{Finding: f.Finding, Path: f.At.Path, FixesGo: f.By.FixesGo, Unmade: f.By.Meant != nil}
		if f.Fix != nil {
			all[i].Fix = &origin.Fix{Apply: f.Fix.Apply, Safe: f.Fix.Safe}
		}
	}
	s.unremedied = s.Manifest.PointToSource(all)
	for i, f := range findings {
		if f.Fix != nil {
			f.Fix.Safe, f.Fix.source = all[i].Fix.Safe, all[i].Fix.Source
		}
	}
}

// runRule runs a rule; one that panics must not take the others down with it.
func runRule(p *Pass) {
	defer func() {
		if fault := recover(); fault != nil {
			p.Reportf(crd.Place{Node: p.CRD.Node}, "crdlift's rule %s failed on this, please report it: %v", p.rule.ID, fault)
		}
	}()
	p.rule.Run(p)
}

// Once drops findings that say the same about the same place: an anchor's text is checked once for each alias.
func Once(findings []*Finding) []*Finding {
	type key struct {
		rule    string
		pos     lint.Position
		message string
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		k := key{f.By.ID, f.Pos, f.Message}
		again := seen[k]
		seen[k] = true
		return again
	})
}

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

// Broken are the findings that a property is not kept to.
func (p *Pass) Broken(property webhook.Property) (all []webhook.Finding) {
	if p.conversion == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.conversion.Findings), func(f webhook.Finding) bool { return f.Property != property })
}
