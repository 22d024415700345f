package conversion

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/repair"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A v1beta1 manifest is validated before it is converted, and the result after that, by nearly the same code. Most results
// are the input but for what fast.Settled names and for marks on objects, which no server asks to be taken away again:
// then the verdict on the result is that on the input.

// canPostpone reports whether the verdict on the result may tell that on the input: nothing that a server of v1beta1 looks at
// is lost on the way. Its API has three ways to write what v1 writes in one, and a manifest may contradict itself in them.
func (j *job) canPostpone() bool {
	spec := &j.decoded.Hub.Spec
	return j.answer == nil && !j.reported() && j.decoded.Known && len(j.decoded.Hub.ManagedFields) == 0 &&
		len(spec.Versions) > 0 && spec.Version == spec.Versions[0].Name &&
		!slices.ContainsFunc(spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool {
			return v.Schema != nil || v.Subresources != nil || v.AdditionalPrinterColumns != nil
		}) && fast.Settled(j.decoded.Hub) != nil
}

// settles reports whether repairs are no more than those of fast.Settled, and marks without which a server that accepts
// the result accepts it, too.
func settles(repairs []*repair.Repair, input *crd.Object) bool {
	added := 0
	for _, r := range repairs {
		switch {
		case r.ID == "schema-added":
			added++
		case r.ID == "schema-type-written" && strings.HasSuffix(r.At.Path, ".openAPIV3Schema"):
		case r.ID == "schema-unknown-fields-kept":
			if embedded, _ := crd.BoolAt(r.At.Node, "x-kubernetes-embedded-resource"); embedded {
				return false // which has to have fields or a mark
			}
			if crd.StringAt(r.At.Node, "type") != "object" {
				return false // storageScalars
			}
		default:
			return false
		}
	}
	return added == 0 || added == len(input.Hub.Spec.Versions)
}

// catchUp gives the answer on the input that was not asked for before. State is what the steps came to.
func (j *job) catchUp(state policy.State) policy.State {
	if state == policy.Converted && j.settled {
		j.answer = &fast.Verdict{}
		return state
	}
	notes := j.notes
	j.notes = nil
	if j.judgeInput(); j.reported() {
		return policy.NeedsPerson
	}
	j.notes = notes
	return state
}
