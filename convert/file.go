package convert

import (
	"bytes"
	"errors"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// File converts every CRD of one file to the API version that the options name. The path is only used in messages.
// Documents that are not CRDs come out as they went in, as do CRDs that a person has to look at; their notes say why.
//
// The error is non-nil when a document of the file is neither YAML nor JSON, unless the file names no CRD at all; the
// result still holds the others.
func File(path string, src []byte, opt Options) (*Result, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	res := &Result{Output: src}
	var syntax []error
	var edits []manifest.Edit
	var texts [][]byte // of the output's documents
	proven := true
	for _, d := range manifest.Split(path, src).Documents {
		if d.Root == nil {
			d = d.Parsed() // the last one's trees can go
		}
		if d.Err != nil {
			syntax = append(syntax, d.Err)
		}
		text := d.Text()
		if d.Root != nil {
			made, alike := convertDocument(d, opt, res)
			if len(made) > 0 {
				text, _ = d.Proven()
			}
			edits, proven = append(edits, made...), proven && alike
		}
		texts = append(texts, text)
	}
	if len(syntax) > 0 && manifest.IsHelmTemplate(src) {
		return &Result{Output: src, Helm: true}, nil
	}
	if len(syntax) > 0 && !crd.MayHold(src) {
		res.Others, res.Broken = res.Others+len(syntax), len(syntax)
		syntax = nil
	}
	res.Output = manifest.Apply(src, edits)
	if len(edits) > 0 && !(proven && consistsOf(res.Output, texts)) {
		if err := Verify(path, src, res); err != nil {
			return &Result{Output: src, CRDs: res.CRDs, Others: res.Others, Broken: res.Broken}, err
		}
	}
	return res, errors.Join(syntax...)
}

// consistsOf says whether these are the texts of the output's documents: what is known of them is known of the output.
func consistsOf(output []byte, texts [][]byte) bool {
	return slices.EqualFunc(manifest.Split("", output).Documents, texts, func(d *manifest.Document, text []byte) bool {
		return bytes.Equal(d.Text(), text)
	})
}

// convertDocument runs the filter over one document and turns its outcome into edits and notes with positions. A
// document with several CRDs (a List) is written when all that can be done is done. The second result says whether the
// edits are proven: whether the text that they make reads like the tree that Verify has nothing against.
func convertDocument(d *manifest.Document, opt Options, res *Result) (edits []manifest.Edit, proven bool) {
	filter := &Filter{Options: opt}
	root := d.Root.YNode()
	d.Keep(crd.Shell(root)) // the filter works on copies of CRDs
	// not through kio.Pipeline: it writes an empty metadata.annotations into every node that has none
	if _, err := filter.Filter([]*yaml.RNode{d.Root}); err != nil {
		panic(err) // it never returns one
	}
	res.Others += filter.Others
	edits, encoded, err := d.Edits()
	for _, o := range filter.outcomes {
		c := CRD{Name: o.name, Document: d.Index, State: o.state, Marks: o.marks, Encoded: encoded && o.state == Converted}
		c.Line, _, _, _ = positions(d, o.at)
		if err != nil && o.state == Converted {
			c.State = NeedsPerson
			o.notes = []note{unwritable(o, err)}
		}
		for _, n := range o.notes {
			c.Notes = append(c.Notes, n.located(d, o.name))
		}
		res.CRDs = append(res.CRDs, c)
	}
	if err != nil {
		return nil, true // as it was
	}
	converted := func(o outcome) bool { return o.state == Converted }
	if !slices.ContainsFunc(filter.outcomes, converted) {
		return edits, true
	}
	unproven := func(o outcome) bool { return converted(o) && !o.proven }
	_, written := d.Proven()
	return edits, written != nil && !slices.ContainsFunc(filter.outcomes, unproven) && yaml11.Alike(root, written)
}

// unwritable reports a document that the writer could not rewrite.
func unwritable(o outcome, err error) note {
	message := "cannot be rewritten: " + err.Error()
	if !errors.Is(err, manifest.ErrCommentsLost) {
		message = "cannot be rewritten, which is a fault of crdlift worth reporting: " + err.Error()
	}
	return note{class: Report, rule: "conversion-not-written", at: crd.Place{Node: o.at}, message: message}
}
