package convert

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Filter converts the CRDs among its input to the API version that the options name, in place. It is a kio.Filter,
// for files and for KRM functions alike. It returns its input and never fails: CRDs that it cannot convert are left
// unchanged.
type Filter struct {
	Options policy.Options
	Explain lint.Explainer // nil for the words of an API server that would refuse the result
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
