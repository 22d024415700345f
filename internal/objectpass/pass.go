package objectpass

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Pass is one rule's view of one custom resource, and receives its findings. What is reachable from it is shared by
// the rules of a run and must not be changed.
type Pass struct {
	Object *objects.Object
	Match  objects.Match // the CRD that defines it
	Config *lint.Config  // for the object's file: overrides are in it
	*subject
	rule     *Rule        // nil for one of the engine
	facts    *engine.Rule // the same, as findings know it
	value    *lint.Rule
	severity lint.Severity
}

// An subject is the data of one custom resource that all rules share.
type subject struct {
	*judge
	document *manifest.Document
	object   *objects.Object
	match    objects.Match
	identity *lint.Object
	tree     request.Object // nil for an object that is not judged
	size     int            // in bytes of JSON
	old      request.Object // nil where there is none to compare with
	// uncompared is why the object is not compared with how it was; "" where it is, or is new.
	uncompared string
	answer     answer
	prospect   *upgrade.Prospect // of an object whose CRD is replaced; nil for any other
	version    string            // of the CRD, by which the object is judged
	engine.Memory
	findings []*engine.Finding
	mask     *mask.Mask          // of what must not be shown
	hidden   func() []lines.Span // the same in the document; nil where no source lines are shown
}

// Rule is the rule that runs.
func (p *Pass) Rule() *Rule { return p.rule }

// Has reports whether there is a rule of that id, switched on or not.
func (p *Pass) Has(id string) bool {
	return slices.ContainsFunc(p.objects.Rules, func(r *Rule) bool { return r.ID == id })
}

// File is the file as the user named it. Its other documents may not be parsed.
func (p *Pass) File() *manifest.File { return p.document.File }

// Document is the document that holds the object, alone or as an item of a list.
func (p *Pass) Document() *manifest.Document { return p.document }

// Tree is the object as kubectl sends it; nil for one that is not judged.
func (p *Pass) Tree() request.Object { return p.tree }

// Size is the object's size as JSON, in bytes, and MaxSize the largest that is accepted.
func (p *Pass) Size() int    { return p.size }
func (p *Pass) MaxSize() int { return cmp.Or(p.objects.MaxSize, DefaultMaxSize) }

// Old is the object as it was, and is served now; nil where it is not known.
func (p *Pass) Old() request.Object { return p.old }

// Outcome is what becomes of the request that was judged; of an object that is not judged, nothing.
func (p *Pass) Outcome() *request.Outcome { return p.answer.outcome }

// Operation is the request that was judged.
func (p *Pass) Operation() Operation { return p.answer.operation }

// Definition is the object's CRD; nil where none is known.
func (p *Pass) Definition() *objects.Definition { return p.Match.Definition }

// Schema is the schema of the value at a path of the object, in its CRD; where none describes it, that of the nearest value
// above, of which rest is the path from there. It is nil where the version has no schema.
func (p *Pass) Schema(at request.Path) (s *crd.Schema, rest request.Path) {
	return p.Match.Definition.Schema(p.version, at)
}

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

// ReportCausef reports why the object is refused, with the place in the CRD that says so.
func (p *Pass) ReportCausef(c *request.Cause, format string, args ...any) *engine.Finding {
	f := p.report(p.nodeOf(c), c.Path, format, args...)
	if pos, ok := p.Match.Definition.Constraint(p.version, c); ok {
		f.Relate(pos, objects.ConstraintMessage(c.Keyword))
	}
	return f
}

// Incomplete reports whether there are files with CRDs that could not be read: a CRD that is not known may be in them.
func (p *Pass) Incomplete() bool { return p.objects.Incomplete }

// report makes a finding at a node of the object. Its arguments lose what is hidden of that.
func (p *Pass) report(n *yaml.Node, at request.Path, format string, args ...any) *engine.Finding {
	if p.value == nil {
		value := p.facts.Value()
		if p.rule != nil {
			value = p.rule.Value()
		}
		p.value = &value
	}
	f := &engine.Finding{At: crd.Place{Node: n, Path: p.mask.Path(at).String()}, By: p.facts, Index: p.object.Index, Finding: &lint.Finding{
		Rule: p.value, Severity: p.severity, Document: p.document.Index, Object: p.identity, Operation: string(p.answer.operation),
		Source: p.document.File.SourceAt(p.PositionOf(n)),
	}}
	if d := p.Match.Definition; d != nil {
		f.Resource = d.Name
		f.Versions = []string{p.object.Version}
	}
	f.Say(text.Sprintf(format, p.mask.Args(args)...))
	p.findings = append(p.findings, f)
	return f
}

// DropFixes removes the fixes from the findings of the current rule.
func (p *Pass) DropFixes() { engine.DropFixes(p.findings, p.facts) }

// nodeAt is what to point at for a path.
func (p *Pass) nodeAt(at request.Path) *yaml.Node {
	place, missing := p.Object.Locate(at)
	switch {
	case missing == len(at):
		return p.Object.Self()
	case missing > 0:
		return place.Entry()
	}
	return place.Node()
}

// nodeOf is what to point at for a cause: for one about the object as a whole, its kind, or its spec where that is all that
// the rule speaks about.
func (p *Pass) nodeOf(c *request.Cause) *yaml.Node {
	if spec := (request.Path{{Key: "spec", Index: -1}}); len(c.Path) == 0 && p.Match.Definition.OnlyOfSpec(p.version, c) {
		return p.nodeAt(spec)
	}
	if c.Stage == request.List {
		if n := p.placeholderOf(c.Path); n != nil {
			return n
		}
	}
	return p.nodeAt(c.Path)
}

// placeholderOf is the first value with a placeholder in it among those that an item of a list is known by: its keys in one of
// type map, and else all of it. It is nil where none has one.
func (p *Pass) placeholderOf(item request.Path) *yaml.Node {
	known := []request.Path{item}
	if s, _ := p.Schema(item[:len(item)-1]); crd.StringAt(s.Node, "x-kubernetes-list-type") == "map" {
		known = nil
		for _, key := range crd.Items(s.Get("x-kubernetes-list-map-keys")) {
			known = append(known, item.To(request.Key(crd.StringAt(key))))
		}
	}
	for _, at := range known {
		place, missing := p.Object.Locate(at)
		if missing > 0 {
			continue
		}
		if all := layout.EveryNode(place.Value); slices.ContainsFunc(all, p.isPlaceholder) {
			return all[slices.IndexFunc(all, p.isPlaceholder)]
		}
	}
	return nil
}

// PositionOf is the position to show for a node, or for where the object begins.
func (s *subject) PositionOf(n *yaml.Node) lint.Position {
	start, end, ok := s.document.Span(n)
	if !ok {
		start, end, ok = s.document.Span(crd.FirstKey(s.object.Node))
	}
	if !ok {
		start, end = s.document.Start, s.document.Start
	}
	return s.document.File.Range(start, end)
}
