package convert

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// File converts every CRD of one file to the API version that the options name. The path is only used in messages.
// Documents that are not CRDs come out as they went in, as do CRDs that a person has to look at; their notes say why.
//
// The error is non-nil when a document of the file is neither YAML nor JSON, unless the file names no CRD at all; the
// result still holds the others.
func File(path string, src []byte, opt policy.Options) (*Result, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	if language := manifest.TemplateOf(path, src); language != manifest.NoTemplate {
		return &Result{Output: src, Template: string(language)}, nil
	}
	res := &Result{Output: src}
	var syntax []error
	var edits []manifest.Edit
	var texts [][]byte // of the output's documents
	file := manifest.Split(path, src)
	for _, d := range file.Documents {
		if d.Root == nil {
			d = d.Parsed() // the last one's trees can go
		}
		if d.Err != nil {
			syntax = append(syntax, d.Err)
		}
		text := d.Text()
		if d.Root != nil {
			if made := convertDocument(d, opt, res); len(made) > 0 {
				edits = append(edits, made...)
				text, _ = d.Proven()
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

// settle makes the edits, if what is known of the documents by themselves holds for the file: each has the text that was
// proven for it, and the others are what they were. Otherwise nothing is converted.
func (res *Result) settle(file *manifest.File, edits []manifest.Edit, texts [][]byte) {
	if len(edits) == 0 {
		return
	}
	output := manifest.Apply(file.Source, edits)
	after, err := checkNeighbours(file, output, res.CRDs)
	if err == nil && !slices.EqualFunc(after, texts, hasText) {
		err = errors.New("a document has another text than was proven")
	}
	if err == nil {
		res.Output = output
		return
	}
	for i, c := range res.CRDs {
		res.CRDs[i].refuse(Note{Class: Report, Rule: notWritten, Message: fault + err.Error(),
			Document: c.Document, Resource: c.Name, Line: c.Line, Column: 1, EndLine: c.Line, EndColumn: 1})
	}
}

// hasText reports whether a document has a text. A document that has become JSON does not hold the line end behind it.
func hasText(d *manifest.Document, text []byte) bool {
	return bytes.Equal(bytes.TrimSpace(d.Text()), bytes.TrimSpace(text))
}

// convertDocument runs the filter over one document and turns its outcome into edits, which are proven, and notes with
// positions. A document with several CRDs (a List) is written when all that can be done is done.
func convertDocument(d *manifest.Document, opt policy.Options, res *Result) []manifest.Edit {
	filter := &Filter{Options: opt}
	root := d.Root.YNode()
	d.Keep(crd.Shell(root)) // the filter works on copies of CRDs
	// not through kio.Pipeline: it writes an empty metadata.annotations into every node that has none
	if _, err := filter.Filter([]*yaml.RNode{d.Root}); err != nil {
		panic(err) // it never returns one
	}
	res.Others += filter.Others
	edits, encoded, err := d.Edits()
	var crds []CRD
	for _, o := range filter.outcomes {
		if encoded != "" && o.state == Converted {
			o.notes = append(o.notes, reencoded(o, encoded))
		}
		c := o.located(d)
		c.Encoded = encoded != "" && o.state == Converted
		crds = append(crds, c)
	}
	for _, o := range filter.meant {
		res.Meant = append(res.Meant, o.located(d))
	}
	if err == nil && len(edits) > 0 {
		err = proveText(d, root, crds)
	}
	if err != nil {
		if name := dangling(root, nil); name != "" {
			err = danglingError(name)
		}
		for i, o := range filter.outcomes {
			crds[i].refuse(unwritable(o.at, err).located(d, o.name))
		}
		edits = nil // as it was
	}
	res.CRDs = append(res.CRDs, crds...)
	return edits
}

// located is the outcome with the positions in its document.
func (o outcome) located(d *manifest.Document) CRD {
	c := CRD{Name: o.name, Document: d.Index, State: o.state, Marks: o.marks}
	c.Line, _, _, _ = positions(d, o.at)
	for _, n := range o.notes {
		c.Notes = append(c.Notes, n.located(d, o.name))
	}
	return c
}

// proveText proves the text that was made of a document: it reads like the tree, which is proven, or means the same.
func proveText(d *manifest.Document, root *yaml.Node, crds []CRD) error {
	text, written := d.Proven()
	if written != nil && yaml11.Alike(root, written) {
		return nil
	}
	_, err := verifyAll(d.Text(), text, crds)
	return err
}

// refuse leaves a CRD alone that was converted, for the reason that the note has.
func (c *CRD) refuse(why Note) {
	if c.State == Converted {
		*c = CRD{Name: c.Name, Document: c.Document, Line: c.Line, State: NeedsPerson, Notes: []Note{why}}
	}
}

// notWritten is the rule of what cannot be written.
const notWritten = "conversion-not-written"

// fault begins what no manifest should bring about.
const fault = "cannot be rewritten, which is a fault of crdlift worth reporting: "

// A danglingError is an alias of an object that was not converted, for a node of one that was.
type danglingError string

func (e danglingError) Error() string {
	return fmt.Sprintf("an alias of another object in this document stands for %q, which the conversion removes; write out what it stands for", string(e))
}

// unwritable reports a document that the writer could not rewrite.
func unwritable(at *yaml.Node, err error) note {
	message := text.Sprintf(fault+"%s", text.Reason(err.Error()))
	var dangles danglingError
	if errors.Is(err, manifest.ErrCommentsLost) || errors.Is(err, manifest.ErrOddForm) || errors.As(err, &dangles) {
		message = text.Sprintf("cannot be rewritten: %v", err)
	}
	n := note{class: Report, rule: notWritten, at: crd.Place{Node: at}}
	n.say(message)
	return n
}

// reencoded tells of a document that had to be written anew, and why.
func reencoded(o outcome, why string) note {
	return note{class: Changes, rule: "conversion-reencoded", at: crd.Place{Node: o.at},
		message: "the document was written anew: its comments stay, its blank lines, indentation and quoting may not; crdlift cannot change it in place, since " + why}
}
