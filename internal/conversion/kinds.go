package conversion

import "github.com/crdlift/crdlift/convert/policy"

// A Kind is what notes of one id are about. Notes that pass on an API server's rejection have the id of the rule about it
// instead.
type Kind struct {
	ID      string
	Class   policy.Class // of most of them
	Summary string       // what such a note is about, without an article: "fields without a value that were removed"
}

// Kinds are the kinds of notes, in the order of the catalogue: the layout, what servers fill in, the schema, and what is
// left alone. Each has a page in rules/testdata/conversion-notes.
var Kinds = []Kind{
	{"api-version-changed", policy.Safe, "the apiVersion that the manifest has now"},
	{"version-field-removed", policy.Safe, "a `spec.version` that was removed"},
	{"version-became-versions", policy.Safe, "a `spec.version` that became the only entry of `versions`"},
	{"moved-into-versions", policy.Safe, "fields of `spec` that moved into every version"},
	{"moved-to-top-level", policy.Safe, "fields of the versions that moved to `spec`"},
	{"version-field-added", policy.Safe, "a `spec.version` that was written for old servers"},
	{"column-path-renamed", policy.Safe, "printer columns whose path has another spelling"},
	{"webhook-client-config-moved", policy.Safe, "the client configuration of a conversion webhook that moved"},
	{"review-versions-moved", policy.Safe, "`conversionReviewVersions` that moved"},
	{"default-written-out", policy.Safe, "defaults of v1beta1 that are written out"},
	{"empty-field-removed", policy.Safe, "fields without a value that were removed"},
	{"duplicate-key-removed", policy.Safe, "repeated keys of which the last one stays"},
	{"unknown-field-removed", policy.Safe, "fields that CustomResourceDefinitions do not have, which were removed"},
	{"field-respelled", policy.Safe, "fields of schemas that are spelled as servers spell them"},
	{"aliases-written-out", policy.Safe, "YAML aliases that were replaced by what they stand for"},
	{"server-field-removed", policy.Safe, "fields that only the server writes, which were removed"},
	{"preserve-unknown-fields-removed", policy.Safe, "a `preserveUnknownFields` that is implied in v1"},
	{"preserve-unknown-fields-written-out", policy.Safe, "a `preserveUnknownFields: false` that was written"},
	{"unknown-fields-pruned", policy.Changes, "custom resources whose unknown fields are pruned from now on"},
	{"annotated-as-unapproved", policy.Changes, "CRDs of protected groups that were annotated as unapproved"},
	{"left-out-for-v1beta1", policy.Changes, "what was left out because v1beta1 has no field for it"},
	{"list-map-key-required", policy.Changes, "keys of list maps that lost their default and are required instead"},
	{"schema-added", policy.Safe, "versions that got a schema"},
	{"schema-type-written", policy.Safe, "schemas that got the only type they can have"},
	{"schema-type-inferred", policy.Changes, "schemas whose type was inferred from their keywords"},
	{"schema-untyped-marked", policy.Safe, "schemas without a type that may stay so"},
	{"schema-null-kept", policy.Safe, "schemas that still accept null"},
	{"schema-unknown-fields-kept", policy.Safe, "objects that were marked to keep their unknown fields"},
	{"schema-free-form-marked", policy.Safe, "an `additionalProperties: true` that became a mark"},
	{"schema-items-marked", policy.Safe, "lists whose items may be anything"},
	{"schema-int-or-string-marked", policy.Safe, "values that are an integer or a string"},
	{"schema-declared-outside-junctor", policy.Safe, "fields that were only described inside allOf, anyOf, oneOf or not"},
	{"schema-junctor-cleared", policy.Safe, "keywords without an effect that were removed from allOf, anyOf, oneOf or not"},
	{"schema-junctor-loosened", policy.Changes, "keywords of allOf, anyOf, oneOf or not that were removed, so that more is accepted"},
	{"schema-metadata-freed", policy.Safe, "restrictions of `metadata` that were removed"},
	{"schema-keyword-removed", policy.Safe, "keywords that servers do not have"},
	{Uncombined, policy.Safe, "templates whose conditions have too many combinations to try all of them"},
	{"conversion-reencoded", policy.Changes, "documents whose text was written from scratch"},
	{"conversion-not-written", policy.Report, "documents that cannot be rewritten"},
	{"conversion-of-a-list", policy.Report, "items of a typed list"},
	{InBranch, policy.Report, "CRDs in one branch of a template"},
	{"conversion-of-a-part", policy.Report, "parts of CRDs, such as patches"},
	{"conversion-pending", policy.Report, "CRDs that are still to be converted"},
}
