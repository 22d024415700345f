package cli

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A convertOutcome is what became of one input. At most one of its errors is set; without one there is a result.
type convertOutcome struct {
	run.Input
	result  *convert.Result
	text    []byte // for standard output: the converted file, its diff, or its name
	changed bool
	trouble error     // the file cannot be read or written
	syntax  error     // the file does not parse; the message has the position
	leftOut lint.Role // for which the file stays as it is; "" for one that is worked on

	avoidable bool            // the idiomatic policy makes fewer marks, here or in a file before
	findings  []*lint.Finding // the notes as findings, with --output
	defined   []lint.CRD      // what they are about
	losses    []*losses.CRD   // the CRDs that were converted, with --objects
	template  *lint.Template  // of a template, which is passed over; nil for a manifest
}

// ruleOf is the rule, or the kind of note, that a note of a conversion has the id of.
func ruleOf(id string) *lint.Rule {
	return cmp.Or(rules.ByID(id), lint.Rules(rules.Notes()).ByID(id))
}

// noteFindings turns the notes of a conversion about a file into findings, for the outputs of lint.
func noteFindings(text *manifest.File, result *convert.Result, f *convertFlags) []*lint.Finding {
	var all []*lint.Finding
	add := func(severity lint.Severity, c convert.CRD, n convert.Note) {
		all = append(all, &lint.Finding{
			Rule: ruleOf(n.ID), Severity: severity, Path: n.Path, Message: n.Message, Brief: n.Brief, Document: c.Document, Resource: c.Name,
			Source: text.SourceAt(n.Pos),
		})
	}
	for _, c := range candidates(result) {
		if c.State == policy.Converted && !f.writes() {
			pending := convert.Note{ID: overview.Pending, Pos: lint.Position{File: text.Path, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1}, Path: "apiVersion",
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

// states are the words of reports for what became of a CRD.
var states = map[policy.State]lint.CRDState{
	policy.Converted: lint.CRDConverted, policy.AlreadyThere: lint.CRDAlreadyThere, policy.NeedsPerson: lint.CRDNeedsPerson,
}

// definedIn is what a report says of the CRDs of a file, as they were. Of those in a template, little is known without its actions.
func definedIn(text *manifest.File, result *convert.Result) (all []lint.CRD) {
	for _, c := range candidates(result) {
		told := lint.CRD{Name: c.Name, File: text.Path, Line: max(c.Line, 1), Document: c.Document}
		if one := crdAt(text, c); one != nil {
			told = one.Told(text.Documents[c.Document], func(text string) string { return text })
		}
		told.State = states[c.State]
		all = append(all, told)
	}
	return all
}

// crdAt is the CRD of a file that a conversion is about; nil for one that is not to be found, as in a template.
func crdAt(text *manifest.File, c convert.CRD) *crd.CRD {
	if c.Document >= len(text.Documents) {
		return nil
	}
	d := text.Documents[c.Document]
	if d.Root == nil {
		return nil
	}
	found, _ := crd.Find(d.Root.YNode())
	for _, one := range found {
		if line, _ := d.Begin(one.Node); line == c.Line {
			return one
		}
	}
	return nil
}

// apiVersionOf returns the place of a CRD's apiVersion in a file.
func apiVersionOf(text *manifest.File, c convert.CRD) (start, end int, ok bool) {
	if one := crdAt(text, c); one != nil {
		return text.Documents[c.Document].Span(one.APIVersion().Node)
	}
	return 0, 0, false
}

// yamlSyntax is the rule about text that does not parse.
const yamlSyntax = "yaml-syntax"

// syntaxFindings are the documents of a file that do not parse.
func syntaxFindings(path string, err error) []*lint.Finding {
	var all []*lint.Finding
	for _, one := range text.Separate(err) {
		f := &lint.Finding{Rule: rules.ByID(yamlSyntax), Severity: lint.Error, Message: one.Error(), Source: lint.Source{Pos: lint.Point(path, 1, 1)}}
		if syntax, ok := one.(*manifest.SyntaxError); ok {
			f.Message = "does not parse: " + syntax.Message
			f.Pos = lint.Point(path, syntax.Line, syntax.Column)
		}
		all = append(all, f)
	}
	return all
}

// candidates returns the CRDs of a file and the objects that were meant to be CRDs, in the order of the file.
func candidates(result *convert.Result) []convert.CRD {
	all := slices.Concat(result.CRDs, result.Meant)
	slices.SortStableFunc(all, func(a, b convert.CRD) int { return cmp.Or(a.Document-b.Document, a.Line-b.Line) })
	return all
}

// byPosition orders notes as a person reads the file.
func byPosition(notes []convert.Note) []convert.Note {
	return slices.SortedStableFunc(slices.Values(notes), func(a, b convert.Note) int {
		return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
}
