package fast

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A v1beta1 manifest is validated before it is converted, and the result after that, by nearly the same code. Most results
// are the input but for what Settled names and for marks on objects, which no server asks to be taken away again:
// then the verdict on the result is that on the input.

// MayPostpone reports whether the verdict on the result of a conversion may tell that on the input: nothing that a server of v1beta1
// looks at is lost on the way. Its API has three ways to write what v1 writes in one, and a manifest may contradict itself in them.
func MayPostpone(input *crd.Object) bool {
	spec := &input.Hub.Spec
	return input.Known && len(input.Hub.ManagedFields) == 0 && len(spec.Versions) > 0 && spec.Version == spec.Versions[0].Name &&
		!slices.ContainsFunc(spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool {
			return v.Schema != nil || v.Subresources != nil || v.AdditionalPrinterColumns != nil
		}) && Settled(input.Hub) != nil
}

// Settles reports whether repairs are no more than those of Settled, and marks without which a server that accepts
// the result accepts it, too.
func Settles(repairs []*repair.Repair, input *crd.Object) bool {
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
