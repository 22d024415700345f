// Package convert rewrites CustomResourceDefinition manifests between apiextensions.k8s.io/v1beta1 and v1.
//
// It changes what the other API version needs changed and nothing else: comments, blank lines, key order, quoting
// and every document that is not a CRD come out as they went in. It keeps what the API server does with custom
// resources, or says what it changes; what needs a person's decision is left alone and reported.
package convert

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

// A Class says how much a Note matters.
type Class string

const (
	Safe    Class = "SAFE"    // custom resources are validated, pruned, stored and served as before
	Changes Class = "CHANGES" // the result can be created, but something differs; the message says what
	Report  Class = "REPORT"  // a person must decide; the document was left alone
)

// A Note is one thing the conversion did, or could not do, at one place of the input.
type Note struct {
	Class    Class
	Rule     string // rule id of the catalogue, such as "schema-type-missing"
	Message  string // one line
	Document int    // index of the document in the file, from 0
	Resource string // metadata.name of the CRD
	Path     string // the user's own path, such as "spec.validation.openAPIV3Schema.properties[spec]"
	// Line and Column are where it stands in the input, from 1, columns in Unicode code points; the end is exclusive.
	Line, Column, EndLine, EndColumn int
	// Lines are the input's lines, from 1, that do not come out as they went in.
	Lines []int
	// Fields are the fields of the v1 object that differ for this from what upstream's plain conversion makes.
	Fields []string
}

// A State says what became of one CRD.
type State string

const (
	Converted    State = "converted"      // rewritten
	AlreadyThere State = "already there"  // nothing to do
	NeedsPerson  State = "needs a person" // left alone; its Report notes say why
)

// A CRD is what became of one CustomResourceDefinition of a file.
type CRD struct {
	Name     string
	Document int // index of the document in the file, from 0
	Line     int // line of the CRD's first key, from 1
	State    State
	Notes    []Note
	Marks    int  // x-kubernetes-preserve-unknown-fields marks that were added
	Encoded  bool // the lossless writer could not do it, and kyaml's encoder wrote this document
}

// A Result is one file after conversion.
type Result struct {
	Output []byte // equal to the input when nothing was converted
	CRDs   []CRD  // in the order of the file
	Others int    // documents and list items that are not CRDs, the broken ones included
	Broken int    // documents that do not parse, of a file that names no CRD
	Helm   bool   // a Helm template, passed over as a whole
}
