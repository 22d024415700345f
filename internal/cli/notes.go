package cli

import (
	"cmp"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// pendingID is the id of what `convert --check` says about a CRD that is still to be converted.
const pendingID = "conversion-pending"

// ruleOf is the rule, or the kind of note, that a note of a conversion has the id of.
func ruleOf(id string) *lint.Rule {
	return cmp.Or(rules.ByID(id), lint.Rules(rules.Notes()).ByID(id))
}

// noteFindings turns the notes of a conversion about a file into findings, for the outputs of lint.
func noteFindings(path string, src []byte, result *convert.Result, f *convertFlags) []*lint.Finding {
	text := manifest.Parse(path, src)
	var all []*lint.Finding
	add := func(severity lint.Severity, c convert.CRD, n convert.Note) {
		all = append(all, &lint.Finding{
			Rule: ruleOf(n.ID), Severity: severity, Path: n.Path, Message: n.Message, Brief: n.Brief, Document: c.Document, Resource: c.Name,
			Source: text.SourceAt(n.Pos),
		})
	}
	for _, c := range objects(result) {
		if c.State == policy.Converted && !f.writes() {
			pending := convert.Note{ID: pendingID, Pos: lint.Position{File: path, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1}, Path: "apiVersion",
				Message: "to be converted to apiextensions.k8s.io/" + string(f.options.To) + "; run crdlift convert --write"}
			if start, end, ok := apiVersionOf(text, c); ok {
				pending.Pos.Line, pending.Pos.Column = text.Position(start)
				pending.Pos.EndLine, pending.Pos.EndColumn = text.Position(end)
			}
			add(lint.Error, c, pending)
		}
		for _, n := range byPosition(c.Notes) {
			if n.Class == policy.Safe && !f.verbose || c.State == policy.NeedsPerson && n.Class != policy.Report {
				continue
			}
			add(rules.NoteSeverity(n.Class), c, n)
		}
	}
	return all
}

// apiVersionOf returns the place of a CRD's apiVersion in a file.
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
