package convert

import (
	"errors"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
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
	f := manifest.Parse(path, src)
	var syntax []error
	for _, d := range f.Documents {
		if d.Err != nil {
			syntax = append(syntax, d.Err)
		}
	}
	if len(syntax) > 0 && manifest.IsHelmTemplate(src) {
		res.Helm = true
		return res, nil
	}
	if len(syntax) > 0 && !crd.MayHold(src) {
		res.Others, res.Broken = len(syntax), len(syntax)
		syntax = nil
	}
	var edits []manifest.Edit
	var before []*crd.CRD
	parsed := map[string]*yaml.Node{} // documents of the output
	for _, d := range f.Documents {
		if d.Root != nil {
			read := crd.Clone(d.Root.YNode())
			d.Keep(read)
			found, _ := crd.Find(read)
			before = append(before, found...)
			edits = append(edits, convertDocument(d, read, opt, res)...)
			if text, root := d.Proven(); root != nil {
				parsed[string(text)] = root
			}
		}
	}
	res.Output = manifest.Apply(src, edits)
	if len(edits) > 0 {
		if err := verifyAll(path, before, parseOutput(res.Output, parsed), res); err != nil {
			return &Result{Output: src, CRDs: res.CRDs, Others: res.Others, Broken: res.Broken}, err
		}
	}
	return res, errors.Join(syntax...)
}

// parseOutput is crd.Parse for an output of which documents are parsed already, by their texts.
func parseOutput(src []byte, parsed map[string]*yaml.Node) []*crd.CRD {
	var all []*crd.CRD
	for _, d := range manifest.Split("", src).Documents {
		root := parsed[string(d.Text())]
		if root == nil {
			if d.Root == nil {
				d = d.Parsed()
			}
			root = d.Root.YNode()
		}
		found, _ := crd.Find(root)
		all = append(all, found...)
	}
	return all
}

// convertDocument runs the filter over one document and turns its outcome into edits and notes with positions. A
// document with several CRDs (a List) is written when all that can be done is done. Before is a copy of its tree.
func convertDocument(d *manifest.Document, before *yaml.Node, opt Options, res *Result) []manifest.Edit {
	filter := &Filter{Options: opt}
	// not through kio.Pipeline: it writes an empty metadata.annotations into every node that has none
	if _, err := filter.Filter([]*yaml.RNode{d.Root}); err != nil {
		panic(err) // it never returns one
	}
	res.Others += filter.Others
	edits, encoded, err := d.Edits()
	if err != nil {
		*d.Root.YNode() = *crd.Clone(before)
	}
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
		return nil
	}
	return edits
}

// unwritable reports a document that the writer could not rewrite.
func unwritable(o outcome, err error) note {
	message := "cannot be rewritten: " + err.Error()
	if !errors.Is(err, manifest.ErrCommentsLost) {
		message = "cannot be rewritten, which is a fault of crdlift worth reporting: " + err.Error()
	}
	return note{class: Report, rule: "conversion-not-written", at: crd.Place{Node: o.at}, message: message}
}
