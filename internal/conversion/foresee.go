package conversion

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
)

// Foresee returns what keeps a CRD from being converted, and whether the result would have marks that keep unknown fields.
// An item that has its apiVersion from its list is converted as if it had its own. The CRD is not changed. The answer is
// that of the API server of its version; nil where it was not asked.
//
// Of most CRDs it is plain to see that nothing keeps them. Others are converted, on a copy.
func Foresee(c *crd.CRD, opt policy.Options, answer *apiserver.Verdict) (obstacles []*Note, marks bool) {
	if j, marks, ok := glance(c, opt, answer); ok {
		if j.reported() {
			return j.obstacles(), false
		}
		return nil, marks
	}
	return foresee(c, opt, answer)
}

// foresee is Foresee by a conversion.
func foresee(c *crd.CRD, opt policy.Options, answer *apiserver.Verdict) (obstacles []*Note, marks bool) {
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

// glance is foresee for a CRD of which its server's answer tells what a v1 server says of the result: the conversion brings
// about nothing that could be refused, and none of its steps reports anything. It is not ok for all others.
func glance(c *crd.CRD, opt policy.Options, answer *apiserver.Verdict) (j *job, marks, ok bool) {
	j = &job{opt: opt.Decided(), input: c, answer: answer}
	switch {
	case c.Version != crd.V1beta1 || c.List != nil || j.opt.To != policy.V1:
		return j, false, false
	case answer == nil || answer.Later == nil || len(answer.Later.Errors) > 0 && j.opt.UnapprovedAPI:
		return j, false, false
	}
	d, err := c.Decode()
	if err != nil || !d.Known || len(c.YttValues()) > 0 {
		return j, false, false
	}
	spec := crd.Get(c.Node, "spec")
	versions := crd.Get(spec, "versions")
	for _, f := range layout.PerVersion {
		if crd.HasValue(spec, f.V1beta1) && inSomeVersion(versions, f) {
			return j, false, false
		}
	}
	only, marks := repair.Foresee(d.Hub, repairPolicy(c, j.opt))
	if !only || j.tooLarge(spec, versions) {
		return j, false, false
	}
	j.reportVerdict(*answer.Later, c, string(crd.V1)) // about metadata, where the result has what the input has
	j.checkCABundle(d.Hub)
	return j, marks, true
}
