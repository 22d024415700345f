// Package convert rewrites CustomResourceDefinition manifests between apiextensions.k8s.io/v1beta1 and v1.
//
// It makes the changes that the other API version requires and no others: comments, blank lines, key order, quoting and
// every document that is not a CRD are preserved. It keeps the API server's treatment of custom resources, or reports
// the difference; changes that need a person's decision are not made but reported.
package convert

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Note is one thing that the conversion did, or could not do, at one place of the input.
type Note struct {
	Class    policy.Class
	ID       string        // of the note, or of the lint rule that says the same: "schema-type-missing"
	Message  string        // one line
	Brief    string        // Message for people, with quotations cut; "" when that is the same
	Advised  policy.Choice // what Message advises, if it is a setting
	Document int           // index of the document in the file, from 0
	Resource string        // metadata.name of the CRD
	Path     string        // the user's own path, such as "spec.validation.openAPIV3Schema.properties[spec]"
	Pos      lint.Position
	// Lines are the input's lines, from 1, that do not come out as they went in.
	Lines []int
	// Fields are the fields of the v1 object that differ for this from what upstream's plain conversion makes.
	Fields []string
}

// A CRD is what became of one CustomResourceDefinition of a file.
type CRD struct {
	Name     string
	Document int // index of the document in the file, from 0
	Line     int // line of the CRD's first key, from 1
	State    policy.State
	Notes    []Note
	Marks    int  // x-kubernetes-preserve-unknown-fields marks that were added
	Encoded  bool // the lossless writer could not do it, and kyaml's encoder wrote this document
}

// A Result is one file after conversion.
type Result struct {
	Output []byte // equal to the input when nothing was converted
	CRDs   []CRD  // in the order of the file
	Meant  []CRD  // objects that were meant to be CRDs but are none to any server, in that order; all need a person
	Others int    // documents and list items that are neither, the broken ones included
	Broken int    // documents that do not parse, of a file that names no CRD
	// Template is the language of a template, "Helm" or "Jinja", which is passed over as a whole; "" for a manifest.
	Template string
	// TemplateWhy says why it is, where other templates of the language are converted; "" where all are passed over.
	TemplateWhy string
}

// A Filter converts the CRDs among its input to the API version that the options name, in place. It is a kio.Filter,
// for files and for KRM functions alike. It returns its input and never fails: CRDs that it cannot convert are left
// unchanged.
type Filter struct {
	Options policy.Options
	Explain lint.Explainer // nil for the words of an API server that would reject the result
	Others  int            // objects that were not CRDs

	outcomes []conversion.Outcome
	meant    []conversion.Outcome // of objects that were meant to be CRDs, but are none to a server
}

// Filter implements kio.Filter.
func (f *Filter) Filter(nodes []*yaml.RNode) ([]*yaml.RNode, error) {
	for _, n := range nodes {
		found, others := crd.Find(n.YNode())
		f.Others += others
		for _, c := range found {
			f.outcomes = append(f.outcomes, conversion.Convert(c, f.Options))
		}
		for _, c := range crd.Meant(n.YNode()) {
			f.Others--
			f.meant = append(f.meant, conversion.Misspelt(c))
		}
	}
	return nodes, nil
}

// CRDs returns what became of the CRDs that were filtered so far, in their order. Notes have no lines: a tree does not know
// the file it came from.
func (f *Filter) CRDs() []CRD {
	nowhere := manifest.Split("", nil).Documents[0]
	var all []CRD
	for _, o := range f.outcomes {
		c := f.located(o, nowhere)
		c.Line = 0
		for i := range c.Notes {
			c.Notes[i].Pos, c.Notes[i].Lines = lint.Position{}, nil
		}
		all = append(all, c)
	}
	return all
}
