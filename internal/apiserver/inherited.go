package apiserver

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// schemaSections are about schemas that v1beta1 takes and v1 refuses, but for the rows of ownMistakes.
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
