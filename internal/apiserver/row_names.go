package apiserver

// A Row names one error of upstream's validation on create or update. docs/errors.md lists them with their messages.
type Row string

// Unknown is the Row of an error that no row of the table matches.
const Unknown Row = ""

// Metadata.
const (
	NameMissing              Row = "NameMissing"
	NameMismatch             Row = "NameMismatch"
	NameInvalid              Row = "NameInvalid"
	GenerateNameInvalid      Row = "GenerateNameInvalid"
	NamespaceSet             Row = "NamespaceSet"
	GenerationInvalid        Row = "GenerationInvalid"
	LabelsInvalid            Row = "LabelsInvalid"
	AnnotationsInvalid       Row = "AnnotationsInvalid"
	AnnotationsTooLong       Row = "AnnotationsTooLong"
	OwnerReferenceIncomplete Row = "OwnerReferenceIncomplete"
	OwnerReferenceDisallowed Row = "OwnerReferenceDisallowed"
	FinalizerInvalid         Row = "FinalizerInvalid"
	FinalizerAdded           Row = "FinalizerAdded"
	ManagedFieldsInvalid     Row = "ManagedFieldsInvalid"
	ClusterNameInvalid       Row = "ClusterNameInvalid"
	ResourceVersionInvalid   Row = "ResourceVersionInvalid"
	MetadataChanged          Row = "MetadataChanged"
	MetadataInvalid          Row = "MetadataInvalid"
	NameNotGenerated         Row = "NameNotGenerated"
	ApprovalInvalid          Row = "ApprovalInvalid"
	ApprovalMissing          Row = "ApprovalMissing"
)

// Group, scope and names.
const (
	GroupMissing         Row = "GroupMissing"
	GroupInvalid         Row = "GroupInvalid"
	GroupWithoutDot      Row = "GroupWithoutDot"
	ScopeMissing         Row = "ScopeMissing"
	ScopeUnknown         Row = "ScopeUnknown"
	PluralMissing        Row = "PluralMissing"
	SingularMissing      Row = "SingularMissing"
	KindMissing          Row = "KindMissing"
	ListKindMissing      Row = "ListKindMissing"
	PluralInvalid        Row = "PluralInvalid"
	SingularInvalid      Row = "SingularInvalid"
	KindInvalid          Row = "KindInvalid"
	ListKindInvalid      Row = "ListKindInvalid"
	ShortNameInvalid     Row = "ShortNameInvalid"
	ListKindIsKind       Row = "ListKindIsKind"
	CategoryInvalid      Row = "CategoryInvalid"
	AcceptedNamesInvalid Row = "AcceptedNamesInvalid"
	KindOrScopeChanged   Row = "KindOrScopeChanged"
	GroupOrPluralChanged Row = "GroupOrPluralChanged"
)

// Versions.
const (
	VersionNameInvalid                 Row = "VersionNameInvalid"
	VersionNameDuplicate               Row = "VersionNameDuplicate"
	StorageVersionCount                Row = "StorageVersionCount"
	TopLevelVersionInvalid             Row = "TopLevelVersionInvalid"
	TopLevelVersionMismatch            Row = "TopLevelVersionMismatch"
	DeprecationWarningUnexpected       Row = "DeprecationWarningUnexpected"
	DeprecationWarningTooLong          Row = "DeprecationWarningTooLong"
	DeprecationWarningEmpty            Row = "DeprecationWarningEmpty"
	DeprecationWarningNotPrintable     Row = "DeprecationWarningNotPrintable"
	DeprecationWarningControlCharacter Row = "DeprecationWarningControlCharacter"
	DeprecationWarningNotUTF8          Row = "DeprecationWarningNotUTF8"
	StoredVersionsEmpty                Row = "StoredVersionsEmpty"
	StoredVersionsWithoutStorage       Row = "StoredVersionsWithoutStorage"
	StoredVersionRemoved               Row = "StoredVersionRemoved"
	ValidationTwice                    Row = "ValidationTwice"
	SubresourcesTwice                  Row = "SubresourcesTwice"
	ColumnsTwice                       Row = "ColumnsTwice"
	SchemasIdentical                   Row = "SchemasIdentical"
	SubresourcesIdentical              Row = "SubresourcesIdentical"
	ColumnsIdentical                   Row = "ColumnsIdentical"
	SchemaMissing                      Row = "SchemaMissing"
	SchemaMissingForPruning            Row = "SchemaMissingForPruning"
	PreserveUnknownFieldsTrue          Row = "PreserveUnknownFieldsTrue"
	DefaultWithoutPruning              Row = "DefaultWithoutPruning"
)

// Conversion.
const (
	WebhookWithoutPruning      Row = "WebhookWithoutPruning"
	StrategyMissing            Row = "StrategyMissing"
	StrategyUnknown            Row = "StrategyUnknown"
	ClientConfigMissing        Row = "ClientConfigMissing"
	ClientConfigTarget         Row = "ClientConfigTarget"
	ClientConfigUnexpected     Row = "ClientConfigUnexpected"
	ReviewVersionsUnexpected   Row = "ReviewVersionsUnexpected"
	ReviewVersionsMissing      Row = "ReviewVersionsMissing"
	ReviewVersionDuplicate     Row = "ReviewVersionDuplicate"
	ReviewVersionInvalid       Row = "ReviewVersionInvalid"
	ReviewVersionsUnrecognized Row = "ReviewVersionsUnrecognized"
	URLUnreadable              Row = "URLUnreadable"
	URLNotHTTPS                Row = "URLNotHTTPS"
	URLWithoutHost             Row = "URLWithoutHost"
	URLWithUser                Row = "URLWithUser"
	URLWithFragment            Row = "URLWithFragment"
	URLWithQuery               Row = "URLWithQuery"
	ServiceNameMissing         Row = "ServiceNameMissing"
	ServiceNamespaceMissing    Row = "ServiceNamespaceMissing"
	ServicePortInvalid         Row = "ServicePortInvalid"
	ServicePathSlashes         Row = "ServicePathSlashes"
	ServicePathRelative        Row = "ServicePathRelative"
	ServicePathSegmentEmpty    Row = "ServicePathSegmentEmpty"
	ServicePathSegmentInvalid  Row = "ServicePathSegmentInvalid"
	CABundleInvalid            Row = "CABundleInvalid"
)

// Printer columns and subresources.
const (
	ColumnNameMissing         Row = "ColumnNameMissing"
	ColumnTypeMissing         Row = "ColumnTypeMissing"
	ColumnTypeUnknown         Row = "ColumnTypeUnknown"
	ColumnFormatUnknown       Row = "ColumnFormatUnknown"
	ColumnPathMissing         Row = "ColumnPathMissing"
	ColumnPathInvalid         Row = "ColumnPathInvalid"
	ColumnPathNotDotted       Row = "ColumnPathNotDotted"
	SpecReplicasPathMissing   Row = "SpecReplicasPathMissing"
	SpecReplicasPathInvalid   Row = "SpecReplicasPathInvalid"
	StatusReplicasPathMissing Row = "StatusReplicasPathMissing"
	StatusReplicasPathInvalid Row = "StatusReplicasPathInvalid"
	LabelSelectorPathInvalid  Row = "LabelSelectorPathInvalid"
	StatusRootType            Row = "StatusRootType"
	StatusRootFields          Row = "StatusRootFields"
)

// Selectable fields.
const (
	SelectablePathMissing                 Row = "SelectablePathMissing"
	SelectablePathInvalid                 Row = "SelectablePathInvalid"
	SelectablePathInMetadata              Row = "SelectablePathInMetadata"
	SelectableTypeInvalid                 Row = "SelectableTypeInvalid"
	SelectablePathDuplicate               Row = "SelectablePathDuplicate"
	SelectableFieldsTooMany               Row = "SelectableFieldsTooMany"
	SelectableFieldsWithoutSchema         Row = "SelectableFieldsWithoutSchema"
	TopLevelSelectableFieldsWithoutSchema Row = "TopLevelSelectableFieldsWithoutSchema"
)

// Schemas.
const (
	VersionSchemaUnsupported             Row = "VersionSchemaUnsupported"
	TypeUnknown                          Row = "TypeUnknown"
	TypeNull                             Row = "TypeNull"
	IDSet                                Row = "IDSet"
	AdditionalItemsSet                   Row = "AdditionalItemsSet"
	PatternPropertiesSet                 Row = "PatternPropertiesSet"
	DefinitionsSet                       Row = "DefinitionsSet"
	DependenciesSet                      Row = "DependenciesSet"
	RefSet                               Row = "RefSet"
	ItemsArray                           Row = "ItemsArray"
	UniqueItems                          Row = "UniqueItems"
	AdditionalPropertiesBesideProperties Row = "AdditionalPropertiesBesideProperties"
	RootNullable                         Row = "RootNullable"
	PreserveUnknownFalse                 Row = "PreserveUnknownFalse"
	EmbeddedInMetadata                   Row = "EmbeddedInMetadata"
	SchemaUnsupported                    Row = "SchemaUnsupported"
	ValidatorNotBuilt                    Row = "ValidatorNotBuilt"
)

// Lists and maps.
const (
	MapTypeOfOtherType     Row = "MapTypeOfOtherType"
	MapTypeUnknown         Row = "MapTypeUnknown"
	ListTypeOfOtherType    Row = "ListTypeOfOtherType"
	ListTypeUnknown        Row = "ListTypeUnknown"
	SetOfListsNotAtomic    Row = "SetOfListsNotAtomic"
	SetOfObjectsNotAtomic  Row = "SetOfObjectsNotAtomic"
	MapKeysOfOtherListType Row = "MapKeysOfOtherListType"
	MapKeysMissing         Row = "MapKeysMissing"
	MapItemsMissing        Row = "MapItemsMissing"
	MapItemsArray          Row = "MapItemsArray"
	MapItemsOfOtherType    Row = "MapItemsOfOtherType"
	MapKeyNotScalar        Row = "MapKeyNotScalar"
	MapKeyUndeclared       Row = "MapKeyUndeclared"
	MapKeyDuplicate        Row = "MapKeyDuplicate"
	MapItemsNullable       Row = "MapItemsNullable"
	MapKeyOptional         Row = "MapKeyOptional"
	MapKeyNullable         Row = "MapKeyNullable"
)

// Structural schemas.
const (
	ItemsMissing                 Row = "ItemsMissing"
	RootAdditionalProperties     Row = "RootAdditionalProperties"
	EmbeddedAdditionalProperties Row = "EmbeddedAdditionalProperties"
	EmbeddedOfOtherType          Row = "EmbeddedOfOtherType"
	EmbeddedPropertiesMissing    Row = "EmbeddedPropertiesMissing"
	RootTypeMissing              Row = "RootTypeMissing"
	RootTypeNotObject            Row = "RootTypeNotObject"
	ItemsTypeMissing             Row = "ItemsTypeMissing"
	FieldTypeMissing             Row = "FieldTypeMissing"
	TypeMetaNotString            Row = "TypeMetaNotString"
	MetadataNotObject            Row = "MetadataNotObject"
	MetadataRestricted           Row = "MetadataRestricted"
	IntOrStringPreserving        Row = "IntOrStringPreserving"
	IntOrStringEmbedded          Row = "IntOrStringEmbedded"
	PatternInvalid               Row = "PatternInvalid"
)

// Junctors.
const (
	JunctorType                 Row = "JunctorType"
	JunctorAdditionalProperties Row = "JunctorAdditionalProperties"
	JunctorDefault              Row = "JunctorDefault"
	JunctorTitle                Row = "JunctorTitle"
	JunctorDescription          Row = "JunctorDescription"
	JunctorNullable             Row = "JunctorNullable"
	JunctorPreserveUnknown      Row = "JunctorPreserveUnknown"
	JunctorEmbedded             Row = "JunctorEmbedded"
	JunctorIntOrString          Row = "JunctorIntOrString"
	JunctorListMapKeys          Row = "JunctorListMapKeys"
	JunctorListType             Row = "JunctorListType"
	JunctorMapType              Row = "JunctorMapType"
	JunctorRules                Row = "JunctorRules"
	JunctorMetadata             Row = "JunctorMetadata"
	JunctorUndeclared           Row = "JunctorUndeclared"
)

// Defaults and their places.
const (
	DefaultInV1beta1        Row = "DefaultInV1beta1"
	DefaultOfMetadata       Row = "DefaultOfMetadata"
	DefaultOfMetadataValues Row = "DefaultOfMetadataValues"
)

// Values of defaults.
const (
	DefaultUnknownFields      Row = "DefaultUnknownFields"
	DefaultMetadataInvalid    Row = "DefaultMetadataInvalid"
	DefaultTypeMetaUnreadable Row = "DefaultTypeMetaUnreadable"
	DefaultTypeMetaInvalid    Row = "DefaultTypeMetaInvalid"
	DefaultObjectMetaInvalid  Row = "DefaultObjectMetaInvalid"
	DefaultOfOtherType        Row = "DefaultOfOtherType"
	DefaultFieldMissing       Row = "DefaultFieldMissing"
	DefaultNotInEnum          Row = "DefaultNotInEnum"
	DefaultTooLong            Row = "DefaultTooLong"
	DefaultTooMany            Row = "DefaultTooMany"
	DefaultInvalid            Row = "DefaultInvalid"
	DefaultViolatesRule       Row = "DefaultViolatesRule"
	DefaultRuleFails          Row = "DefaultRuleFails"
	DefaultNotValidated       Row = "DefaultNotValidated"
)

// CEL rules.
const (
	RuleMissing            Row = "RuleMissing"
	MessageBlank           Row = "MessageBlank"
	MessageWithLineBreak   Row = "MessageWithLineBreak"
	MessageMissing         Row = "MessageMissing"
	MessageExpressionBlank Row = "MessageExpressionBlank"
	ReasonUnknown          Row = "ReasonUnknown"
	FieldPathBlank         Row = "FieldPathBlank"
	FieldPathWithLineBreak Row = "FieldPathWithLineBreak"
	FieldPathInvalid       Row = "FieldPathInvalid"
)

// CEL rules as they are compiled.
const (
	RuleInvalid                Row = "RuleInvalid"
	MessageExpressionInvalid   Row = "MessageExpressionInvalid"
	RuleTooCostly              Row = "RuleTooCostly"
	MessageExpressionTooCostly Row = "MessageExpressionTooCostly"
	RuleShareTooCostly         Row = "RuleShareTooCostly"
	RulesTooCostly             Row = "RulesTooCostly"
	OldSelfUncorrelatable      Row = "OldSelfUncorrelatable"
	OptionalOldSelfUnused      Row = "OptionalOldSelfUnused"
	RuleInternalError          Row = "RuleInternalError"
)
