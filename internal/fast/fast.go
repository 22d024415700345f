// Package fast has the shortcuts of the judgement on CRDs: predicates that shadow the work of other packages. None has a truth of
// its own. Each says what it equals, and which test compares the two:
//
//   - OnCreate equals apiserver.OnCreate. later.go has v1 answer for v1beta1, proven.go leaves out what was accepted before, as
//     digest.go recognizes it (TestWhole, TestWholeEach, TestWholeUpstream of package apiserver; TestProvenPlaces for each condition).
//   - RuleCosts and what proven.go knows of rules equal upstream's cel.Compile. compiled.go has the answers of its compiler,
//     compiler.go makes environments that schemas share (TestCompiled).
//   - Plain equals a conversion with nothing to tell. repairs.go foresees what repair.Schemas does (TestForesee and
//     TestForeseeEach of package conversion).
//   - MayPostpone and Settles equal OnCreate about the input of a conversion, which is accepted as the result is. postpone.go has
//     both (TestPostpone of package conversion, and its TestForesee, which converts with an early answer as well).
//
// docs/internals/architecture.md lists what the work costs more without each, and the shortcuts of other packages.
package fast

import (
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Verdict is that of package apiserver, and what was found out on the way.
type Verdict struct {
	apiserver.Verdict
	// Later is what a v1 server says of a CRD of v1beta1 that was accepted, once it is Settled: no more than that an approval
	// is missing. It is nil where v1 may reject more, and nobody asked.
	Later *apiserver.Verdict
}

// OnCreate is apiserver.OnCreate.
//
// What v1 accepts, v1beta1 accepts as well, but for what Settled looks for: both servers validate alike, and v1beta1
// tolerates more. A CRD that v1 would accept is therefore validated once, for both of them.
func OnCreate(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict {
	if version == crd.V1beta1 {
		if settled := Settled(hub); settled != nil {
			later := unlessProven(settled, crd.V1)
			if later.Panic == "" && !slices.ContainsFunc(later.Errors, func(err *field.Error) bool { return !isApproval(err) }) {
				return Verdict{Later: &later}
			}
		}
	}
	return Verdict{Verdict: unlessProven(hub, version)}
}

// Foresee is apiserver.Foresee, which validates many copies of a CRD.
func Foresee(hub *apiextensions.CustomResourceDefinition, version crd.Version, verdict Verdict) apiserver.Foresight {
	return apiserver.Foresee(hub, version, verdict.Verdict, func(hub *apiextensions.CustomResourceDefinition, version crd.Version) apiserver.Verdict {
		return OnCreate(hub, version).Verdict
	})
}
