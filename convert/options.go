package convert

import "fmt"

// A Policy decides between keeping behaviour to the letter and writing what most maintainers would write.
type Policy string

const (
	// Exact makes only repairs after which custom resources are validated, pruned, stored and served as before.
	Exact Policy = "exact"
	// Idiomatic turns pruning on, infers missing types and loosens what a structural schema cannot say.
	Idiomatic Policy = "idiomatic"
)

// UnknownFields says what becomes of fields that a schema does not declare, where v1beta1 kept them.
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

// MissingTypes says what becomes of schema nodes without a type.
type MissingTypes string

const (
	PreserveUntyped MissingTypes = "preserve" // mark the node, which then needs no type
	Infer           MissingTypes = "infer"    // write the type that the node's other keywords imply
)

// A Version is an API version of CustomResourceDefinitions.
type Version string

const (
	V1      Version = "v1"
	V1beta1 Version = "v1beta1"
)

// OnLoss says what becomes of what v1beta1 cannot carry: defaults, CEL rules, selectable fields.
type OnLoss string

const (
	ReportLoss OnLoss = "report" // leave the document alone and report it
	DropLoss   OnLoss = "drop"   // leave it out of the result, and say so
)

// Options say what to convert to and how to decide what v1beta1 and v1 do not share. The zero value converts to v1
// under the exact policy.
type Options struct {
	To             Version       // V1 when empty
	Policy         Policy        // Exact when empty
	UnknownFields  UnknownFields // the policy's choice when empty
	MissingTypes   MissingTypes  // the policy's choice when empty
	UpgradeInPlace bool          // write an explicit preserveUnknownFields: false
	UnapprovedAPI  bool          // annotate CRDs of protected groups as unapproved
	KeepStatus     bool          // keep the status stanza
	// The rest is for v1beta1, which has no use for the above but KeepStatus.
	OnLoss           OnLoss // ReportLoss when empty
	WithVersionField bool   // write the deprecated spec.version, which servers before 1.11 want
}

// Check says what is wrong with the options: words that are none of the allowed ones.
func (o *Options) Check() error {
	if o.To != "" && o.To != V1 && o.To != V1beta1 {
		return fmt.Errorf("unknown version %q: it is %s or %s", o.To, V1, V1beta1)
	}
	if l := o.OnLoss; l != "" && l != ReportLoss && l != DropLoss {
		return fmt.Errorf("unknown choice %q for what v1beta1 cannot carry: it is %s or %s", l, ReportLoss, DropLoss)
	}
	if o.Policy != "" && o.Policy != Exact && o.Policy != Idiomatic {
		return fmt.Errorf("unknown policy %q: it is %s or %s", o.Policy, Exact, Idiomatic)
	}
	if u := o.UnknownFields; u != "" && u != Preserve && u != Root && u != Prune {
		return fmt.Errorf("unknown choice %q for unknown fields: it is %s, %s or %s", u, Preserve, Root, Prune)
	}
	if m := o.MissingTypes; m != "" && m != PreserveUntyped && m != Infer {
		return fmt.Errorf("unknown choice %q for missing types: it is %s or %s", m, PreserveUntyped, Infer)
	}
	return nil
}
