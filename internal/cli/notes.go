package cli

import (
	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// pendingRule is what `convert --check` says about a CRD that is still to be converted.
var pendingRule = &lint.Rule{
	ID:       "conversion-pending",
	Summary:  "CRDs that are still to be converted",
	Severity: lint.Error,
}

// noteSeverities say how much a note of a class matters to those who read findings.
var noteSeverities = map[policy.Class]lint.Severity{
	policy.Safe: lint.Info, policy.Changes: lint.Warning, policy.Report: lint.Error,
}

// noteFindings turns what a conversion says about a file into findings, for the outputs that lint has.
func noteFindings(path string, src []byte, result *convert.Result, f *convertFlags) []*lint.Finding {
	text := manifest.Parse(path, src)
	var all []*lint.Finding
	add := func(rule *lint.Rule, severity lint.Severity, c convert.CRD, n convert.Note) {
		all = append(all, &lint.Finding{
			Rule: rule, Severity: severity, Path: n.Path, Message: n.Message, Brief: n.Brief, Document: c.Document, Resource: c.Name,
			Source: text.SourceAt(n.Pos),
		})
	}
	for _, c := range objects(result) {
		if c.State == policy.Converted && !f.writes() {
			pending := convert.Note{Pos: lint.Position{File: path, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1}, Path: "apiVersion",
				Message: "to be converted to apiextensions.k8s.io/" + string(f.options.To) + "; run crdlift convert --write"}
			if start, end, ok := apiVersionOf(text, c); ok {
				pending.Pos.Line, pending.Pos.Column = text.Position(start)
				pending.Pos.EndLine, pending.Pos.EndColumn = text.Position(end)
			}
			add(pendingRule, pendingRule.Severity, c, pending)
		}
		for _, n := range byPosition(c.Notes) {
			if n.Class == policy.Safe && !f.verbose || c.State == policy.NeedsPerson && n.Class != policy.Report {
				continue
			}
			rule := rules.ByID(n.ID)
			if rule == nil {
				rule = &lint.Rule{ID: n.ID, Summary: "what a conversion did, or could not do", Severity: noteSeverities[n.Class]}
			}
			add(rule, noteSeverities[n.Class], c, n)
		}
	}
	return all
}

// apiVersionOf is where a CRD of a file says which API it is written for.
func apiVersionOf(text *manifest.File, c convert.CRD) (start, end int, ok bool) {
	d := text.Documents[c.Document]
	found, _ := crd.Find(d.Root.YNode())
	for _, one := range found {
		if line, _ := d.Begin(one.Node); line == c.Line {
			return d.Span(one.APIVersion().Node)
		}
	}
	return 0, 0, false
}

// yamlSyntax is the rule about text that does not parse.
const yamlSyntax = "yaml-syntax"

// syntaxFindings are the documents of a file that do not parse.
func syntaxFindings(path string, err error) []*lint.Finding {
	var all []*lint.Finding
	for _, one := range separate(err) {
		f := &lint.Finding{Rule: rules.ByID(yamlSyntax), Severity: lint.Error, Message: one.Error(), Source: lint.Source{Pos: lint.Point(path, 1, 1)}}
		if syntax, ok := one.(*manifest.SyntaxError); ok {
			f.Message = "does not parse: " + syntax.Message
			f.Pos = lint.Point(path, syntax.Line, syntax.Column)
		}
		all = append(all, f)
	}
	return all
}
