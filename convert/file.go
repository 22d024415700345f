package convert

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// File converts every CRD of one file to the API version that the options name. The path is only used in messages.
// Documents that are not CRDs come out as they went in, as do CRDs that a person has to look at; their notes say why.
//
// The error is non-nil when a document of the file is neither YAML nor JSON, unless the file names no CRD at all; the
// result still holds the others.
//
// Where an API server would reject the result, a note has the server's words; Explained has better ones.
func File(path string, src []byte, opt policy.Options) (*Result, error) {
	return Explained(path, src, opt, nil)
}

// Explained is File with the words of rules in the place of those with which an API server would reject the result.
func Explained(path string, src []byte, opt policy.Options, explain lint.Explainer) (*Result, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	opened := manifest.Recognise(path, src)
	if crd.MayHold(src) {
		opened = manifest.Open(path, path, src)
	}
	switch {
	case opened.Unread != template.None:
		return &Result{Output: src, Template: string(opened.Unread), TemplateWhy: opened.Why}, nil
	case opened.Template != nil:
		return templateFile(path, opened, opt, explain), nil
	}
	res := &Result{Output: src}
	var syntax []error
	var edits []rewrite.Edit
	var texts [][]byte // of the output's documents
	file := opened.Manifest(path, src)
	for _, d := range file.Documents {
		if d.Root == nil {
			d = d.Parsed() // the last one's trees can go
		}
		if d.Err != nil {
			syntax = append(syntax, d.Err)
		}
		text := d.Text()
		if d.Root != nil {
			if made := convertDocument(d, opt, explain, res); made != nil {
				edits = append(edits, made.Edits...)
				text = made.Text
			}
		}
		texts = append(texts, text)
	}
	if len(syntax) > 0 && !crd.MayHold(src) {
		res.Others, res.Broken = res.Others+len(syntax), len(syntax)
		syntax = nil
	}
	res.settle(file, edits, texts)
	return res, errors.Join(syntax...)
}

// settle makes the edits, if the proofs of the single documents hold in the file: each has the text that was proven for
// it, and the others are unchanged. Otherwise nothing is converted.
func (res *Result) settle(file *manifest.File, edits []rewrite.Edit, texts [][]byte) {
	if len(edits) == 0 {
		return
	}
	output := rewrite.Apply(file.Source, edits)
	after, err := checkNeighbours(file, output, res.CRDs)
	if err == nil && !slices.EqualFunc(after, texts, hasText) {
		err = errors.New("a document has another text than the one that crdlift checked; convert it by hand")
	}
	if err == nil {
		res.Output = output
		return
	}
	for i, c := range res.CRDs {
		res.CRDs[i].refuse(Note{Class: policy.Report, ID: conversion.NotWritten, Message: conversion.Fault + err.Error(), Document: c.Document, Resource: c.Name,
			Pos: lint.Position{File: file.Path, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1}})
	}
}

// hasText reports whether a document has a text. A document that has become JSON does not hold the line end after it.
func hasText(d *manifest.Document, text []byte) bool {
	return bytes.Equal(bytes.TrimSpace(d.Text()), bytes.TrimSpace(text))
}

// convertDocument runs the filter over one document and turns its outcome into a proven text, nil if nothing changes, and
// notes with positions. A document with several CRDs (a List) is written when all that can be done is done.
func convertDocument(d *manifest.Document, opt policy.Options, explain lint.Explainer, res *Result) *rewrite.Result {
	filter := &Filter{Options: opt, Explain: explain}
	root := d.Root.YNode()
	if d.File.Mask == nil {
		d.Keep(crd.Shell(root)) // the filter works on copies of CRDs
	} else {
		d.Keep(crd.Clone(root)) // in which names are changed
	}
	given := assume(d)
	// not through kio.Pipeline: it writes an empty metadata.annotations into every node that has none
	if _, err := filter.Filter([]*yaml.RNode{d.Root}); err != nil {
		panic(err) // it never returns one
	}
	res.Others += filter.Others
	given()
	made, err := rewrite.Of(d).Write(root)
	if err == nil && d.File.Mask != nil && made.Encoded != "" {
		err = fmt.Errorf("%w: in a template, %s", rewrite.ErrOddForm, made.Encoded)
	}
	var crds []CRD
	for _, o := range filter.outcomes {
		c := filter.located(o, d)
		if err == nil && made.Encoded != "" && o.State == policy.Converted {
			c.Encoded = true
			c.Notes = append(c.Notes, reencoded(c, position(d, o.CRD.Node), made.Encoded))
		}
		crds = append(crds, c)
	}
	for _, o := range filter.meant {
		res.Meant = append(res.Meant, filter.located(o, d))
	}
	if err == nil && len(made.Edits) > 0 {
		err = proveText(d, root, made, crds)
	}
	if err != nil {
		if dangles := conversion.Dangling(root); dangles != nil {
			err = dangles
		}
		for i, o := range filter.outcomes {
			crds[i].refuse(locatedNote(conversion.Unwritable(o.CRD.Node, err), d, o.CRD.Name()))
		}
	}
	res.CRDs = append(res.CRDs, crds...)
	if err != nil || len(made.Edits) == 0 {
		return nil // as it was
	}
	return made
}

// located is the outcome with the positions in its document, and with rejections explained.
func (f *Filter) located(o conversion.Outcome, d *manifest.Document) CRD {
	c := CRD{Name: o.CRD.Name(), Document: d.Index, State: o.State, Marks: o.Marks, Line: position(d, o.CRD.Node).Line}
	var explained []*lint.Finding
	if rules, ok := f.Explain.(conversion.Explainer); ok {
		explained = rules.Explain(d, &o, f.Options)
	}
	for _, n := range o.Notes {
		c.Notes = append(c.Notes, locatedNote(n, d, c.Name))
	}
	for _, said := range explained {
		c.Notes = append(c.Notes, Note{Class: policy.Report, ID: said.Rule.ID, Message: said.Message, Brief: said.Brief, Advised: said.Advised, Document: c.Document, Resource: c.Name,
			Path: said.Path, Pos: said.Pos})
	}
	return c
}

// locatedNote is a note with its position in the document.
func locatedNote(n *conversion.Note, d *manifest.Document, resource string) Note {
	out := Note{Class: n.Class, ID: n.ID, Message: n.Message, Brief: n.Brief, Advised: n.Advised, Document: d.Index, Resource: resource, Path: n.At.Path,
		Pos: position(d, n.At.Node), Fields: n.Fields}
	seen := map[int]bool{}
	for _, t := range n.Touched {
		start, end, ok := d.Span(t)
		if !ok {
			continue
		}
		first, _ := d.File.Position(start)
		last, _ := d.File.Position(end)
		if t.Kind != yaml.ScalarNode && t.Style&yaml.FlowStyle == 0 {
			last = first
		}
		for line := first; line <= last; line++ {
			seen[line] = true
		}
	}
	out.Lines = slices.Sorted(maps.Keys(seen))
	return out
}

// position returns the position of a node; the beginning of the document for one that is not in it.
func position(d *manifest.Document, n *yaml.Node) lint.Position {
	start, end, ok := d.Span(n)
	if !ok {
		start, end = d.Start, d.Start
	}
	pos := lint.Position{File: d.File.Path}
	pos.Line, pos.Column = d.File.Position(start)
	pos.EndLine, pos.EndColumn = d.File.Position(end)
	return pos
}

// proveText proves the text that was made of a document: it reads like the tree, which is proven, or means the same.
func proveText(d *manifest.Document, root *yaml.Node, made *rewrite.Result, crds []CRD) error {
	if yaml11.Alike(root, made.Root) {
		return nil
	}
	return verify(d.Text(), made.Text, crds)
}

// refuse leaves a CRD alone that was converted, for the reason that the note has.
func (c *CRD) refuse(why Note) {
	if c.State == policy.Converted {
		*c = CRD{Name: c.Name, Document: c.Document, Line: c.Line, State: policy.NeedsPerson, Notes: []Note{why}}
	}
}

// verify proves from their texts that the CRDs which were converted are right.
func verify(input, output []byte, crds []CRD) error {
	before, after := crd.Parse(input), crd.Parse(output)
	if len(before) != len(crds) || len(after) != len(crds) {
		return fmt.Errorf("%d CRDs became %d", len(before), len(after))
	}
	for i, c := range crds {
		if c.State != policy.Converted {
			continue
		}
		if err := conversion.Prove(before[i], after[i], fieldsOf(c.Notes)); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// fieldsOf collects the fields that notes name.
func fieldsOf(notes []Note) (fields []string) {
	for _, n := range notes {
		fields = append(fields, n.Fields...)
	}
	return fields
}

// checkNeighbours proves that no document has changed but those that hold something converted, and returns them all.
func checkNeighbours(input *manifest.File, output []byte, crds []CRD) ([]*manifest.Document, error) {
	converted := map[int]bool{}
	for _, c := range crds {
		converted[c.Document] = converted[c.Document] || c.State == policy.Converted
	}
	return rewrite.CheckNeighbours(input, output, func(index int) bool { return converted[index] })
}

// reencoded returns the note on a document that had to be written anew, with the reason.
func reencoded(c CRD, at lint.Position, why string) Note {
	return Note{Class: policy.Changes, ID: "conversion-reencoded", Document: c.Document, Resource: c.Name, Pos: at,
		Message: "the document was written again; its comments stay, but blank lines, indentation and quoting may change, as " + why}
}
