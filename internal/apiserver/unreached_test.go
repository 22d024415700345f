package apiserver_test

import "github.com/crdlift/crdlift/internal/apiserver"

// Why v0.21.14 does not answer with some errors.
const (
	theUpdate = "only an update raises it"
	theStatus = "the status is reset on create"
	forV1     = "validation knows that the request is of v1beta1, and leaves it to v1"
	cleared   = "rest.BeforeCreate clears the field"
	defaulted = "SetDefaults fills the field"
	noField   = "1.21 has no field for it"
	noWay     = "no input leads there, in any version"
	typed     = "1.21 reports it as DefaultInvalid"
)

// unreached are the rows that v0.21.14 never answers a create through v1beta1 with. VersionSchemaUnsupported counts as
// reached: it reads like SchemaUnsupported, and its cause, selectableFields, came after 1.21.
var unreached = map[apiserver.Row]string{
	apiserver.NamespaceSet:                          cleared,
	apiserver.GenerationInvalid:                     theUpdate,
	apiserver.FinalizerAdded:                        theUpdate,
	apiserver.ClusterNameInvalid:                    cleared,
	apiserver.ResourceVersionInvalid:                theUpdate,
	apiserver.MetadataChanged:                       theUpdate,
	apiserver.MetadataInvalid:                       noWay,
	apiserver.NameNotGenerated:                      noWay,
	apiserver.ApprovalInvalid:                       forV1,
	apiserver.ApprovalMissing:                       forV1,
	apiserver.ScopeMissing:                          defaulted,
	apiserver.AcceptedNamesInvalid:                  theStatus,
	apiserver.KindOrScopeChanged:                    theUpdate,
	apiserver.GroupOrPluralChanged:                  theUpdate,
	apiserver.DeprecationWarningControlCharacter:    noWay,
	apiserver.DeprecationWarningNotUTF8:             noWay,
	apiserver.StoredVersionRemoved:                  theUpdate,
	apiserver.SchemaMissing:                         forV1,
	apiserver.PreserveUnknownFieldsTrue:             forV1,
	apiserver.DefaultWithoutPruning:                 theUpdate,
	apiserver.ReviewVersionsMissing:                 defaulted,
	apiserver.CABundleInvalid:                       theUpdate,
	apiserver.ColumnPathNotDotted:                   noWay,
	apiserver.SelectablePathMissing:                 noField,
	apiserver.SelectablePathInvalid:                 noField,
	apiserver.SelectablePathInMetadata:              noField,
	apiserver.SelectableTypeInvalid:                 noField,
	apiserver.SelectablePathDuplicate:               noField,
	apiserver.SelectableFieldsTooMany:               noField,
	apiserver.SelectableFieldsWithoutSchema:         noField,
	apiserver.TopLevelSelectableFieldsWithoutSchema: noField,
	apiserver.TypeUnknown:                           forV1,
	apiserver.ValidatorNotBuilt:                     noWay,
	apiserver.JunctorRules:                          noField,
	apiserver.DefaultTooLong:                        typed,
	apiserver.DefaultTooMany:                        typed,
	apiserver.DefaultViolatesRule:                   noField,
	apiserver.DefaultRuleFails:                      noField,
	apiserver.DefaultNotValidated:                   noWay,
	apiserver.RuleMissing:                           noField,
	apiserver.MessageBlank:                          noField,
	apiserver.MessageWithLineBreak:                  noField,
	apiserver.MessageMissing:                        noField,
	apiserver.MessageExpressionBlank:                noField,
	apiserver.ReasonUnknown:                         noField,
	apiserver.FieldPathBlank:                        noField,
	apiserver.FieldPathWithLineBreak:                noField,
	apiserver.FieldPathInvalid:                      noField,
	apiserver.RuleInvalid:                           noField,
	apiserver.MessageExpressionInvalid:              noField,
	apiserver.RuleTooCostly:                         noField,
	apiserver.MessageExpressionTooCostly:            noField,
	apiserver.RuleShareTooCostly:                    noField,
	apiserver.RulesTooCostly:                        noField,
	apiserver.OldSelfUncorrelatable:                 noField,
	apiserver.OptionalOldSelfUnused:                 noField,
	apiserver.RuleInternalError:                     noField,
}
