// Package policy defines the vocabulary of a conversion between apiextensions.k8s.io/v1beta1 and v1: its options with
// their defaults, and the names of its results. The command line, .crdlift.yaml and functionConfigs all read this one
// set.
//
// Options come first; settings.go lists them with their names in each of those places.
package policy

import (
	"cmp"
)

// A Target is an API version of CustomResourceDefinitions to convert to.
type Target string

const (
	V1      Target = "v1"
	V1beta1 Target = "v1beta1"
)

// A Policy decides between keeping behaviour to the letter and writing what most maintainers would write.
type Policy string

const (
	// Exact makes only repairs after which custom resources are validated, pruned, stored and served as before.
	Exact Policy = "exact"
	// Idiomatic turns pruning on, infers missing types and drops constraints that a structural schema cannot have.
	Idiomatic Policy = "idiomatic"
)

// UnknownFields decides about fields that a schema does not declare, where v1beta1 kept them.
type UnknownFields string

const (
	// Preserve marks every object, so that every unknown field stays.
	Preserve UnknownFields = "preserve"
	// Root marks the root: unknown fields stay there, those of nested objects are pruned.
	Root UnknownFields = "root"
	// Prune marks only objects that declare nothing and would be emptied: all other unknown fields are hidden when an
	// object is read, and gone when it is written.
	Prune UnknownFields = "prune"
)

// MissingTypes decides about schema nodes without a type.
type MissingTypes string

const (
	PreserveUntyped MissingTypes = "preserve" // mark the node, which then needs no type
	Infer           MissingTypes = "infer"    // write the type that the node's other keywords imply
)

// OnLoss decides about what v1beta1 cannot migrate: defaults, CEL rules, selectable fields.
type OnLoss string

const (
	ReportLoss OnLoss = "report" // leave the document alone and report it
	DropLoss   OnLoss = "drop"   // leave it out of the result, and say so
)

// Options tell a conversion what to convert to and how to decide what v1beta1 and v1 do not share. The zero value
// converts to v1 under the exact policy.
type Options struct {
	To             Target        `json:"to,omitempty"`             // V1 when empty
	Policy         Policy        `json:"policy,omitempty"`         // Exact when empty
	UnknownFields  UnknownFields `json:"unknownFields,omitempty"`  // the policy's choice when empty
	MissingTypes   MissingTypes  `json:"missingTypes,omitempty"`   // the policy's choice when empty
	UnapprovedAPI  bool          `json:"unapprovedAPI,omitempty"`  // annotate CRDs of protected groups as unapproved
	UpgradeInPlace bool          `json:"upgradeInPlace,omitempty"` // write an explicit preserveUnknownFields: false
	KeepStatus     bool          `json:"keepStatus,omitempty"`     // keep the status stanza
	// The rest is for v1beta1, which has no use for the above but KeepStatus.
	OnLoss           OnLoss `json:"onLoss,omitempty"`           // ReportLoss when empty
	WithVersionField bool   `json:"withVersionField,omitempty"` // write the deprecated spec.version, which servers before 1.11 want
}

// Decided returns the options with a word for each that is empty.
func (o Options) Decided() Options {
	o.To = cmp.Or(o.To, V1)
	o.Policy = cmp.Or(o.Policy, Exact)
	o.OnLoss = cmp.Or(o.OnLoss, ReportLoss)
	unknown, missing := Preserve, PreserveUntyped
	if o.Policy == Idiomatic {
		unknown, missing = Prune, Infer
	}
	o.UnknownFields = cmp.Or(o.UnknownFields, unknown)
	o.MissingTypes = cmp.Or(o.MissingTypes, missing)
	return o
}

// A Class tells how much a change matters.
type Class string

const (
	Safe    Class = "SAFE"    // custom resources are validated, pruned, stored and served as before
	Changes Class = "CHANGES" // the result can be created, but something differs; the message describes it
	Report  Class = "REPORT"  // a person must decide; the document was left alone
)

// A State is what became of one CRD.
type State string

const (
	Converted    State = "converted"      // rewritten
	AlreadyThere State = "already there"  // nothing to do
	NeedsPerson  State = "needs a person" // left alone; its Report notes say why
)
