package objectpass

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// Judge returns what checks the objects of a file.
func (o *Objects) Judge(l *engine.Linter, f *manifest.File, out *engine.FileReport) engine.Judge {
	return &judge{linter: l, objects: o, out: out, discretion: o.discretionOf(f)}
}

// judgeOf is the judge of a file; one that has judged nothing where there is none.
func judgeOf(f *engine.FileReport) *judge {
	if f.Judge == nil {
		f.Judge = &judge{out: f}
	}
	return f.Judge.(*judge)
}

// Conceals reports whether every value of the file is hidden.
func (j *judge) Conceals() bool { return j.discretion.all() }

// End makes the preview of the file. The judge stays in the report on the file, and lets go of what it judged by.
func (j *judge) End(f *manifest.File) {
	if j.objects.Preview != nil {
		j.previewed = j.drafts.finish(j.objects, f, j.discretion.all())
	}
	j.linter, j.objects, j.drafts = nil, nil, drafts{}
}

// Document judges the custom resources of a document.
func (j *judge) Document(d *manifest.Document, config *lint.Config) {
	switch {
	case d.Err != nil:
		findings := engine.Unparsed(d, config)
		if o := j.objects; o.role(j.out.Path) != "" && !o.Catalogue.MayDefine(d.Text()) { // found beside the objects, and most likely another program's
			for _, f := range findings {
				f.AtMost(lint.Info)
				f.Add("; it names no group of a CRD, so it holds no custom resource to validate")
			}
		}
		j.discretion.syntax(d, findings)
		j.out.Found = append(j.out.Found, findings...)
	case d.Root != nil:
		j.customResources(d, config)
	}
}

// customResources judges the custom resources of a document.
func (j *judge) customResources(d *manifest.Document, config *lint.Config) {
	l, out := j.linter, j.out
	found, others, deep := objects.FindWithin(d.Root.YNode())
	out.Others += others + len(deep)
	if objects.Swollen(d.Root.YNode()) {
		line, column := d.Begin(d.Root.YNode())
		out.Found = append(out.Found, engine.SyntaxFinding(d, config, line, column, "kubectl cannot send this list, so crdlift does not validate its objects: "+
			"document contains excessive aliasing; write items out instead of repeating them by aliases")...)
	}
	if len(deep) > 0 {
		line, column := d.Begin(deep[0])
		l.Exceed(&out.FileReport, "list-depth", lint.Source{Pos: lint.Point(out.Path, line, column)},
			"lists are nested more than %d levels deep here, so their objects are not validated; nest them less deeply", limit.Lists)
	}
	if out.Objects == nil {
		out.Objects = &lint.Objects{}
	}
	var subjects []*subject
	for _, o := range found {
		if j.note(o) {
			continue
		}
		m := j.objects.match(o, out.Path)
		if j.countObject(o, m) {
			continue
		}
		all := []*subject{j.subject(d, o, m)}
		for _, other := range m.Others {
			s := j.subject(d, o, other)
			s.identity = all[0].identity
			all = append(all, s)
		}
		if m.Unasked > 0 {
			j.exceedVariants(all, m.Unasked)
		}
		subjects = append(subjects, j.customResource(all, config))
	}
	j.preview(d, subjects)
	j.readObjectComments(d, subjects, config)
	d.File.Done()
}

// readObjectComments notes the ignores in the comments of a document with objects.
func (j *judge) readObjectComments(d *manifest.Document, subjects []*subject, config *lint.Config) {
	if len(subjects) == 0 {
		return
	}
	resources, partly := map[string]bool{}, false
	for _, s := range subjects {
		partly = partly || s.partly
		if s.Match.Definition != nil {
			resources[s.Match.Definition.Name] = true
		}
	}
	resource := ""
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		j.out.Judged = append(j.out.Judged, suppress.Subject{Document: d.Index, Resource: name, Partly: partly})
		if len(resources) == 1 {
			resource = name
		}
	}
	if len(resources) == 0 {
		j.out.Judged = append(j.out.Judged, suppress.Subject{Document: d.Index, Partly: partly})
	}
	j.linter.ReadIgnores(d, resource, config, j.out)
}

// subject is an object of a document as one of its CRDs has it.
func (j *judge) subject(d *manifest.Document, o *objects.Object, m objects.Match) *subject {
	if m.Definition != nil {
		j.exceedDefinition(m.Definition, d, o)
	}
	s := &subject{judge: j, document: d, Object: o, Match: m, version: o.Version, Memory: engine.Memory{}}
	s.identity, s.mask = j.discretion.identity(o), j.discretion.maskOf(o, m)
	if !j.discretion.all() {
		s.hidden = sync.OnceValue(func() []lines.Span { return s.mask.Spans(d) })
		d.File.Hide(s.hidden)
	}
	return s
}

// customResource runs the rules over a custom resource as each of its CRDs has it. It returns that by which there is a preview.
func (j *judge) customResource(all []*subject, config *lint.Config) *subject {
	for _, s := range all {
		s.run(all, config)
	}
	findings := all[0].findings
	if len(all) > 1 {
		findings = j.agreed(all, config)
	}
	j.addVerdict(all)
	if j.objects.Drift {
		j.addApplied(all)
	}
	if !j.discretion.all() { // an edit has text of the file
		j.linter.Edit(all[0].document, findings, j.out)
	}
	j.out.Found = append(j.out.Found, findings...)
	takes := func(s *subject) bool { return s.answer.outcome != nil && s.answer.outcome.Accepted() }
	shown := all[max(0, slices.IndexFunc(all, takes))]
	shown.variants = len(all)
	shown.partly = slices.ContainsFunc(all, func(s *subject) bool { return !s.isSettled() })
	return shown
}

// run runs the rules over a custom resource as one of its CRDs has it.
func (s *subject) run(all []*subject, config *lint.Config) {
	j, pass := s.judge, &Pass{Config: config, subject: s}
	if s.Match.Verdict == objects.Judged {
		if err := s.look(); err != nil {
			s.Match.Verdict = objects.NotJudged
			s.findings = pass.discreet(pass.unreadable(err))
			s.verdict = pass.judgedAs()
			return
		}
		for _, other := range all { // which may take another value for a secret
			if other == s || other.mask != nil && !other.mask.All {
				other.mask.Outcome(s.answer.outcome)
			}
		}
	}
	for r, check := range checks(j.linter) {
		if !s.isFor(check) {
			continue
		}
		own := *pass
		own.rule, own.severity = r, r.SeverityIn(config)
		if own.severity > lint.Off {
			runCheck(&own, check)
		}
	}
	s.verdict = pass.judgedAs()
	s.findings = pass.discreet(pass.withoutPlaceholders(engine.Once(engine.DropFollowing(s.findings))))
}

// look finds out what becomes of the object.
func (s *subject) look() error {
	if s.objects.Against != nil {
		return s.foresee()
	}
	return s.decide()
}

// isFor reports whether a rule looks at the object.
func (s *subject) isFor(c *Check) bool {
	if c.Mismatch || s.Match.Verdict != objects.Judged {
		return c.Run != nil && c.Mismatch && s.Match.Verdict != objects.Judged
	}
	return c.Run != nil && s.objects.asks(c)
}

// runCheck runs a rule; one that panics must not take the others down with it. The panic may have values of the
// object, and is not shown.
func runCheck(p *Pass, c *Check) {
	defer func() {
		if recover() != nil {
			p.Reportf(nil, "crdlift's rule %s failed on this, please report it", p.rule.ID)
		}
	}()
	c.Run(p)
}

// unreadable reports that an object cannot be sent.
func (p *Pass) unreadable(err error) []*engine.Finding {
	if !p.judgedBy(engine.SyntaxRule) {
		return nil
	}
	n := p.Object.Self()
	message := err.Error()
	if at := (*yaml11.Error)(nil); errors.As(err, &at) {
		n, message = at.Node, at.Msg
	}
	if p.conceals(n) {
		message = mask.Withheld
	}
	p.report(n, nil, "kubectl cannot send this: %s", message)
	return p.findings
}

// exceedDefinition reports, once in a file, that objects are judged by a CRD in a template of which not all branches are in a world.
func (j *judge) exceedDefinition(by *objects.Definition, d *manifest.Document, o *objects.Object) {
	world := by.Document.File
	if world.Unseen == 0 || j.unseen[by] {
		return
	}
	j.see(by)
	line, column := d.Begin(o.Node)
	j.linter.Exceed(&j.out.FileReport, "template-branches", lint.Source{Pos: lint.Point(j.out.Path, line, column)},
		"the template %s, which has the CRD of %s, has %s by which objects are not validated; split the template", world.Path, o.Kind, engine.Unseen(world))
}

// see notes that a limit was met by a CRD.
func (j *judge) see(by *objects.Definition) {
	if j.unseen == nil {
		j.unseen = map[*objects.Definition]bool{}
	}
	j.unseen[by] = true
}

// withoutPlaceholders puts findings of its own in the place of those about values that have placeholders in them.
func (p *Pass) withoutPlaceholders(findings []*engine.Finding) []*engine.Finding {
	if !p.judgedBy(engine.PlaceholderRule) {
		return findings
	}
	told := map[lint.Position]bool{}
	var all []*engine.Finding
	for _, f := range findings {
		if !p.isPlaceholder(f.At.Node) && !p.identityPlaceholder(f) {
			all = append(all, f)
			continue
		}
		if !told[f.Pos] {
			told[f.Pos] = true
			one := p.report(f.At.Node, nil, "a placeholder is here, and its value is not checked; validate the rendered manifest")
			one.At.Path = f.At.Path
			all = append(all, one)
		}
	}
	return all
}

// identityPlaceholder reports whether a finding is about an apiVersion or a kind with a placeholder in it.
func (p *Pass) identityPlaceholder(f *engine.Finding) bool {
	return p.Match.Verdict != objects.Judged && f.By != engine.PlaceholderRule &&
		(p.isPlaceholder(crd.Get(p.Object.Head, "apiVersion")) || p.isPlaceholder(crd.Get(p.Object.Head, "kind")))
}
