package engine

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Objects are what custom resources are judged by.
type Objects struct {
	Catalogue *objects.Catalogue
	// Against has the CRDs that those of Catalogue replace. The run says what becomes of objects then, and does not judge a
	// request. Nil for a run that judges one.
	Against *older.Side
	Files   []string  // of this machine that it was read from, besides those that are judged
	On      Operation // the request that is judged; "" to choose it by what is known of an object
	// Old finds an object in the file at a path as it was before the change; nil where it is new or, with the reason, where that is not known. Nil when there is nothing to
	// compare with.
	Old func(o *objects.Object, path string) (was request.Object, why string)
	// IsPatch reports whether the file at a path has parts of objects, as a kustomization says. Nil for never.
	IsPatch func(path string) bool
	MaxSize int  // of an object as JSON, in bytes; 0 for the API server's own limit
	List    bool // list each object in the reports, rather than only count it

	Preview   *lint.As               // make a preview of every file, in which its objects have this form; nil for none
	Values    Values                 // which of the objects' values may be shown; "" is AutoValues
	Anonymous bool                   // names and namespaces of objects are not shown
	Stream    func(path string) bool // whether a path is that of a stream, which may come from a cluster. Nil for never

	Incomplete bool // there are files with CRDs that could not be read
}

// DefaultMaxSize is how large an API server lets a request be, in bytes (limitedReadBody of
// k8s.io/apiserver/pkg/endpoints/handlers).
const DefaultMaxSize = limit.Request

// mayHold reports whether a text could hold what the run judges.
func (l *Linter) mayHold(src []byte) bool {
	if l.Objects != nil {
		return objects.MayHold(src)
	}
	return crd.MayHold(src)
}

// customResources judges the custom resources of a document.
func (l *Linter) customResources(d *manifest.Document, config *lint.Config, out *FileReport) {
	found, others, deep := objects.FindWithin(d.Root.YNode())
	out.Others += others + len(deep)
	if objects.Swollen(d.Root.YNode()) {
		line, column := d.Begin(d.Root.YNode())
		out.found = append(out.found, syntaxFinding(d, config, line, column, "kubectl cannot send this list, so that its objects are not judged: "+
			"document contains excessive aliasing; write items out instead of repeating them by aliases")...)
	}
	if len(deep) > 0 {
		line, column := d.Begin(deep[0])
		l.exceed(&out.FileReport, "list-depth", lint.Source{Pos: lint.Point(out.Path, line, column)},
			"lists are nested more than %d levels deep here, so their objects are not judged; nest them less deeply", limit.Lists)
	}
	if out.Objects == nil {
		out.Objects = &lint.Objects{}
	}
	var subjects []*objectSubject
	for _, o := range found {
		m := l.match(o, out.Path)
		if m.Definition != nil {
			l.exceedDefinition(m.Definition, d, o, out)
		}
		out.countObject(o, m)
		if m.Verdict == objects.BuiltIn || m.Verdict == objects.Partial {
			continue
		}
		s := &objectSubject{linter: l, document: d, object: o, match: m, version: o.Version, memo: map[any]any{}}
		s.identity, s.mask = out.discretion.identity(o), out.discretion.maskOf(o, m)
		if !out.discretion.all() {
			s.hidden = sync.OnceValue(func() []lines.Span { return s.mask.Spans(d) })
			d.File.Hide(s.hidden)
		}
		l.customResource(s, config, out)
		subjects = append(subjects, s)
	}
	l.preview(d, subjects, out)
	l.readObjectComments(d, subjects, config, out)
	d.File.Done()
}

// match is what is known of an object in the file at a path.
func (l *Linter) match(o *objects.Object, path string) objects.Match {
	if l.Objects.IsPatch != nil && l.Objects.IsPatch(path) {
		return objects.Match{Verdict: objects.Partial}
	}
	m := l.Objects.Catalogue.Match(o, path)
	if old := l.Objects.Against; old != nil {
		return old.Replacing(m, o, path)
	}
	return m
}

// readObjectComments notes the ignores in the comments of a document with objects.
func (l *Linter) readObjectComments(d *manifest.Document, subjects []*objectSubject, config *lint.Config, out *FileReport) {
	if len(subjects) == 0 {
		return
	}
	resources, partly := map[string]bool{}, false
	for _, s := range subjects {
		partly = partly || !s.isSettled()
		if s.match.Definition != nil {
			resources[s.match.Definition.Name] = true
		}
	}
	resource := ""
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		out.judged = append(out.judged, suppress.Subject{Document: d.Index, Resource: name, Partly: partly})
		if len(resources) == 1 {
			resource = name
		}
	}
	if len(resources) == 0 {
		out.judged = append(out.judged, suppress.Subject{Document: d.Index, Partly: partly})
	}
	l.readIgnores(d, resource, config, out)
}

// customResource runs the rules over a custom resource.
func (l *Linter) customResource(s *objectSubject, config *lint.Config, out *FileReport) {
	pass := &ObjectPass{Object: s.object, Match: s.match, Config: config, objectSubject: s}
	if s.match.Verdict == objects.Judged {
		if err := s.look(); err != nil {
			s.match.Verdict = objects.NotJudged
			out.found = append(out.found, pass.discreet(pass.unreadable(err))...)
			out.addVerdict(pass)
			return
		}
		pass.Match = s.match
		s.mask.Outcome(s.answer.outcome)
	}
	for _, r := range l.Rules {
		if !s.isFor(r) {
			continue
		}
		if severity := r.severity(config); severity > lint.Off {
			own := *pass
			own.rule, own.severity = r, severity
			runObjectRule(&own)
		}
	}
	out.addVerdict(pass)
	findings := pass.withoutPlaceholders(once(dropFollowing(s.findings)))
	if l.Edits && !out.discretion.all() { // an edit has text of the file
		makeEdits(s.document, l.fixable(findings), out)
	}
	out.found = append(out.found, pass.discreet(findings)...)
}

// look finds out what becomes of the object.
func (s *objectSubject) look() error {
	if s.linter.Objects.Against != nil {
		return s.foresee()
	}
	return s.judge()
}

// isFor reports whether a rule looks at the object.
func (s *objectSubject) isFor(r *Rule) bool {
	if r.Mismatch || s.match.Verdict != objects.Judged {
		return r.Object != nil && r.Mismatch && s.match.Verdict != objects.Judged
	}
	return r.Object != nil && r.asks(s.linter.Objects)
}

// asks reports whether a rule asks what a run about custom resources does: what the server says, or what becomes of them.
func (r *Rule) asks(run *Objects) bool { return r.Upgrade == (run.Against != nil) }

// runObjectRule runs a rule; one that panics must not take the others down with it. The panic may have values of the
// object, and is not shown.
func runObjectRule(p *ObjectPass) {
	defer func() {
		if recover() != nil {
			p.Reportf(nil, "crdlift's rule %s failed on this, please report it", p.rule.ID)
		}
	}()
	p.rule.Object(p)
}

// unreadable reports that an object cannot be sent.
func (p *ObjectPass) unreadable(err error) []*Finding {
	if !p.judgedBy(SyntaxRule) {
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

// judgedBy makes the pass one of a rule of the engine. It is false when the rule is off.
func (p *ObjectPass) judgedBy(r *Rule) bool {
	p.rule, p.value, p.severity = r, nil, r.severity(p.Config)
	return p.severity != lint.Off
}

// withoutPlaceholders puts findings of its own in the place of those about values that have placeholders in them.
func (p *ObjectPass) withoutPlaceholders(findings []*Finding) []*Finding {
	if !p.judgedBy(PlaceholderRule) {
		return findings
	}
	told := map[lint.Position]bool{}
	var all []*Finding
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

// isPlaceholder reports whether a value, or a key, has a placeholder in it.
func (p *ObjectPass) isPlaceholder(n *yaml.Node) bool {
	value := crd.Deref(n)
	if value == nil || crd.PlaceholderInObject(value.Value) == "" {
		return false
	}
	return crd.PlaceholderInKey(value.Value) != "" || !p.isKey(n)
}

// isKey reports whether a node is a key of the object.
func (p *ObjectPass) isKey(n *yaml.Node) bool {
	type keys struct{}
	return Memo(p, keys{}, func() map[*yaml.Node]bool {
		all := map[*yaml.Node]bool{}
		addKeys(p.Object.Node, all, map[*yaml.Node]bool{})
		return all
	})[n]
}

// addKeys adds the keys below a node, also in what aliases bring in.
func addKeys(n *yaml.Node, all, been map[*yaml.Node]bool) {
	n = crd.Deref(n)
	if n.Kind == yaml.ScalarNode || been[n] {
		return
	}
	been[n] = true
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			all[child] = true
		}
		addKeys(child, all, been)
	}
}

// identityPlaceholder reports whether a finding is about an apiVersion or a kind with a placeholder in it.
func (p *ObjectPass) identityPlaceholder(f *Finding) bool {
	return p.Match.Verdict != objects.Judged && f.rule != PlaceholderRule &&
		(p.isPlaceholder(crd.Get(p.Object.Head, "apiVersion")) || p.isPlaceholder(crd.Get(p.Object.Head, "kind")))
}

// toldOnce is what the rules that report something of a CRD once have said.
type toldOnce map[struct{ rule, resource, message string }]bool

// again reports whether such a rule of a run has said this before, and notes it.
func (s toldOnce) again(rules []*Rule, f *lint.Finding) bool {
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == f.Rule.ID })
	if i < 0 || !rules[i].OncePerCRD {
		return false
	}
	one := struct{ rule, resource, message string }{f.Rule.ID, f.Resource, f.Message}
	again := s[one]
	s[one] = true
	return again
}

// dropRepeated leaves the first finding of a run where the rule reports something of a CRD.
func dropRepeated(rules []*Rule, files []*FileReport) {
	once := toldOnce{}
	for _, f := range files {
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return once.again(rules, f) })
	}
}
