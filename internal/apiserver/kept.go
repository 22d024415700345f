package apiserver

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kept are the errors for which a server would not take a new v1 CRD, one for each place, if it may have the CRD already: an older
// server has taken it, and this one goes on to serve it with all that is in it. It is empty where no server can have it. An update
// that leaves a CRD as it is tells what is kept (validationOptions in ValidateCustomResourceDefinitionUpdate): rules that only
// compile as stored expressions, costs of a rule, defaults that are not pruned, and what v1beta1 has let through.
func Kept(hub *apiextensions.CustomResourceDefinition, onCreate Verdict) (kept field.ErrorList) {
	again := OnUpdate(hub, hub, crd.V1)
	if onCreate.Panic != "" || again.Panic != "" {
		return nil
	}
	still := map[string]bool{}
	for _, err := range again.Errors {
		still[err.Error()] = true
	}
	preserves := hub.Spec.PreserveUnknownFields != nil && *hub.Spec.PreserveUnknownFields
	told := map[string]bool{}
	for _, err := range onCreate.Errors {
		r := rowOf(err)
		if !r.isCost() && (still[err.Error()] || r.neverTaken(preserves)) {
			return nil
		}
		if !told[err.Field] && r.name != RulesTooCostly { // the rules that it is about have errors of their own
			kept = append(kept, err)
		}
		told[err.Field] = true
	}
	return kept
}

// isCost reports whether an error is about what rules may cost. Servers have come to other estimates over time, and look at none
// when they serve a CRD. That of all rules together an update does not forgive, either.
func (r row) isCost() bool { return r.rule == "cel-cost-exceeded" }

// neverTaken reports whether no server has taken a CRD with such an error, although an update does not look for it: names cannot
// change, and those who keep unknown fields, which only v1beta1 let them do, may have schemas that are missing or not structural.
func (r row) neverTaken(preserves bool) bool {
	switch {
	case r.section == inMetadata:
		return r.name != ApprovalMissing && r.name != ApprovalInvalid
	case slices.Contains(ownMistakes, r.name):
		return true
	case r.section == inStructure, r.section == inJunctors, r.name.isUnsupported(), r.name == SchemaMissing, r.name == SchemaMissingForPruning:
		return !preserves
	}
	return false
}

// schemaSections are about schemas that v1beta1 takes and v1 rejects, but for the rows of ownMistakes.
var schemaSections = []section{inSchemas, inLists, inStructure, inJunctors}

// ownMistakes are the rows about schemas that are most often slips, which lint is there for.
var ownMistakes = []Row{TypeUnknown, TypeNull}

// inheritedRows are the rows of other sections that a manifest has when only its apiVersion was changed to v1.
var inheritedRows = []Row{
	ApprovalInvalid, ApprovalMissing,
	SchemaMissing, SchemaMissingForPruning,
	WebhookWithoutPruning, ClientConfigMissing, ReviewVersionsMissing,
	StatusRootType, StatusRootFields,
	SelectableFieldsWithoutSchema, TopLevelSelectableFieldsWithoutSchema,
}

// Inherited reports whether a v1 manifest may have an error of upstream's validation because it was made from one of
// v1beta1, rather than by a mistake that has nothing to do with v1beta1.
func Inherited(err *field.Error) bool { return rowOf(err).inherited() }

func (r row) inherited() bool {
	return slices.Contains(inheritedRows, r.name) || slices.Contains(schemaSections, r.section) && !slices.Contains(ownMistakes, r.name)
}
