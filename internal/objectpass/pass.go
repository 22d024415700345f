package objectpass

import (
	"cmp"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Rule is the rule that runs.
func (p *Pass) Rule() *engine.Rule { return p.rule }

// Has reports whether there is a rule of that id, switched on or not.
func (p *Pass) Has(id string) bool {
	return slices.ContainsFunc(p.linter.Rules, func(r *engine.Rule) bool { return r.ID == id })
}

// File is the file as the user named it. Its other documents may not be parsed.
func (p *Pass) File() *manifest.File { return p.document.File }

// Document is the document that holds the object, alone or as an item of a list.
func (p *Pass) Document() *manifest.Document { return p.document }

// Tree is the object as kubectl sends it; nil for one that is not checked.
func (p *Pass) Tree() request.Object { return p.tree }

// Size is the object's size as JSON, in bytes, and MaxSize the largest that is accepted.
func (p *Pass) Size() int    { return p.size }
func (p *Pass) MaxSize() int { return cmp.Or(p.objects.MaxSize, DefaultMaxSize) }

// Old is the object as it was, and is served now; nil where it is not known.
func (p *Pass) Old() request.Object { return p.old }

// Outcome is what becomes of the request that was checked; of an object that is not checked, nothing.
func (p *Pass) Outcome() *request.Outcome { return p.answer.outcome }

// Operation is the request that was checked.
func (p *Pass) Operation() Operation { return p.answer.operation }

// Definition is the object's CRD; nil where none is known.
func (p *Pass) Definition() *objects.Definition { return p.Match.Definition }

// Report reports something at a path of the object: at the scalar that it leads to or, where that is a mapping or a list, at
// the key that it belongs to. What is not there is reported at what would have it. The finding can be completed.
func (p *Pass) Report(at request.Path, message string) *engine.Finding {
	return p.Reportf(at, "%s", message)
}

// Reportf is Report with a format. What outputs for people may cut of a message, values of the user's, are arguments of type
// text.Text. No message has values of the object: they may be secrets.
func (p *Pass) Reportf(at request.Path, format string, args ...any) *engine.Finding {
	return p.report(p.nodeAt(at), at, format, args...)
}

// ReportKeyf is Reportf for an entry as a whole, at its key.
func (p *Pass) ReportKeyf(at request.Path, format string, args ...any) *engine.Finding {
	place, missing := p.Object.Locate(at)
	n := place.Entry()
	if missing == len(at) {
		n = p.Object.Self()
	}
	return p.report(n, at, format, args...)
}

// ReportNodef is Reportf for a node that no path of the object as it is sent leads to, such as a key that is there twice.
func (p *Pass) ReportNodef(at crd.Place, format string, args ...any) *engine.Finding {
	f := p.report(at.Node, nil, format, args...)
	f.At.Path = at.Path
	return f
}

// ReportCausef reports why the object is rejected, with the place in the CRD that says so.
func (p *Pass) ReportCausef(c *request.Cause, format string, args ...any) *engine.Finding {
	f := p.report(p.nodeOf(c), c.Path, format, args...)
	if pos, ok := p.Match.Definition.Constraint(p.version, c); ok {
		f.Relate(pos, objects.ConstraintMessage(c.Keyword))
	}
	if w := p.mender(c); w != nil {
		who := "a webhook"
		if w.Name != "" {
			who = "the webhook " + w.Name
		}
		f.AtMost(lint.Info)
		f.Add(fmt.Sprintf(", unless %s in %s sets it (admission comes before validation)", who, w.At.File))
		f.Relate(w.At, "the webhook is here")
	}
	return f
}

// Incomplete reports whether there are files with CRDs that could not be read: a CRD that is not known may be in them.
func (p *Pass) Incomplete() bool { return p.objects.Incomplete }

// report makes a finding at a node of the object. Its arguments lose what is hidden of that.
func (p *Pass) report(n *yaml.Node, at request.Path, format string, args ...any) *engine.Finding {
	if p.value == nil {
		p.value = p.rule.Value()
	}
	f := &engine.Finding{At: crd.Place{Node: n, Path: p.mask.Path(at).String()}, By: p.rule, Index: p.Object.Index, Finding: &lint.Finding{
		Rule: p.value, Severity: p.severity, Document: p.document.Index, Object: p.identity, Operation: string(p.answer.operation),
		Source: p.document.File.SourceAt(p.PositionOf(n)),
	}}
	if d := p.Match.Definition; d != nil {
		f.Resource = d.Name
		f.Versions = []string{p.Object.Version}
	}
	f.Say(text.Sprintf(format, p.mask.Args(args)...))
	p.findings = append(p.findings, f)
	return f
}

// judgedBy makes the pass one of a rule of the engine. It is false when the rule is off.
func (p *Pass) judgedBy(r *engine.Rule) bool {
	p.rule, p.value, p.severity = r, nil, r.SeverityIn(p.Config)
	return p.severity != lint.Off
}
