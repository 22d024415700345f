package conversion

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/layout"
)

// Foresee returns what keeps a CRD from being converted, and whether the result would have marks that keep unknown fields.
// An item that has its apiVersion from its list is converted as if it had its own. The CRD is not changed. The result is
// that of the API server of its version; nil where it was not asked.
//
// Of most CRDs it is plain to see what keeps them. Others are converted, on a copy.
func Foresee(c *crd.CRD, opt policy.Options, answer *fast.Verdict) (obstacles []*Note, marks bool) {
	j := &job{opt: opt.Decided(), input: c, answer: answer}
	spec := crd.Get(c.Node, "spec")
	plain, marks := fast.Plain(c, j.opt, repairPolicy(c, j.opt), answer)
	if !plain || j.tooLarge(spec, crd.Get(spec, "versions")) {
		return foresee(c, opt, answer)
	}
	j.reportVerdict(*answer.Later, c, string(crd.V1)) // about metadata, where the result has what the input has
	if d, err := c.Decode(); err == nil {
		j.checkCABundle(d.Hub)
	}
	if j.reported() {
		return j.obstacles(), false
	}
	return nil, marks
}

// foresee is Foresee by a conversion.
func foresee(c *crd.CRD, opt policy.Options, answer *fast.Verdict) (obstacles []*Note, marks bool) {
	if c.List != nil {
		c = c.Copy()
		layout.Set(c.Node, "apiVersion", layout.String(crd.Group+"/"+string(c.Version)))
		layout.Set(c.Node, "kind", layout.String(crd.Kind))
		c.List = nil
	}
	j, state := attempt(job{opt: opt.Decided(), input: c, foresees: true, answer: answer})
	if state != policy.NeedsPerson {
		return nil, j.marks > 0
	}
	return j.obstacles(), false
}

// obstacles are the notes on what needs a person.
func (j *job) obstacles() []*Note {
	return slices.DeleteFunc(slices.Clone(j.notes), func(n *Note) bool { return n.Class != policy.Report })
}
