// Package suite reads and runs the tests of CRDs: files that say which custom resources an API server has to take, which it has to
// reject and why, and what it stores of them. It states what became of each case; others say it in words, and find the CRDs.
//
// Read this file first. read.go and case.go read our own format, run.go sends the requests of a case, and match.go compares what is expected
// with what is answered.
package suite

import (
	"cmp"
	"time"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
)

// A Suite is the tests of one CRD, as they stand in a document.
type Suite struct {
	Name     string // that of its file without the ending, or its own
	Document *manifest.Document
	Node     *yaml.Node

	CRD   string     // where the CRD is, as it is written; "" where its kind says which
	CRDAt *yaml.Node // nil where CRD is ""

	Version string // of the CRD; "" for that of each object
	Cases   []*Case
	Wrong   []Problem // why it cannot be run as it is written

	OpenShift *OpenShift // nil for a suite in our own format
	base      string     // the name without that of the CRD, for one of several
}

// All are its cases, each with those that follow it after it.
func (s *Suite) All() []*Case { return withFollowing(s.Cases) }

// Base is the name of the suite, and that of all that it stands for where it runs by several CRDs.
func (s *Suite) Base() string { return cmp.Or(s.base, s.Name) }

func withFollowing(cases []*Case) (all []*Case) {
	for _, c := range cases {
		all = append(append(all, c), withFollowing(c.Then)...)
	}
	return all
}

// A Problem is something in a suite that cannot be meant so.
type Problem struct {
	At      *yaml.Node
	Message string
	Unknown bool // it is about a key that the format does not have; the rest of a suite of openshift/api is run all the same
	Warning bool // it is read as what is meant
}

// A Validation is what is said of fields that the CRD does not declare. See the API's fieldValidation.
type Validation string

const (
	Strict Validation = "strict" // they are errors; the default
	Warn   Validation = "warn"
	Ignore Validation = "ignore"
)

// A Request is one that a client makes.
type Request string

const (
	Create Request = "create"
	Update Request = "update"
	Status Request = "status"
	Scale  Request = "scale"
	Apply  Request = "apply"
)

// A Case is one request and what is expected of it. Of a table, each value is a case.
type Case struct {
	Name  string     // "name", of a table "name/accept/1"; of what follows another case, that one's name and its own
	At    *yaml.Node // where it stands: the name or, of a table, the value
	Skip  string     // why it is not run
	plain string     // the name in the suite, where Name has a release, too

	Comment string // lines above it, where it is written anew

	Request    Request
	Validation Validation
	Minor      int // judged as by Kubernetes 1.Minor; 0 for the newest

	Base   request.Object // that Change, and Old, change; nil where each has an object of its own
	Change Change         // what is sent, made from Old where there is one
	Old    *Change        // what is there before; nil where there is nothing
	OldAt  *yaml.Node
	Before Before // how the CRD was when Old was written

	// Steps are further requests after the first, which have to be accepted, but for the last: of a format that makes several.
	Steps []Step

	Want Want
	Then []*Case // on what this one stored
}

// A Step is a request of a case that makes several.
type Step struct {
	Request Request
	Object  request.Object
}

// A Change makes an object from another one.
type Change struct {
	Object request.Object // instead of the other; nil for none
	Set    []Setting      // in the order of their paths
	Unset  []Setting
}

// A Setting sets a value at a path, or removes it.
type Setting struct {
	Path  request.Path
	Value any
	At    *yaml.Node // of the path
}

// Before is how a CRD was earlier.
type Before struct {
	At      *yaml.Node
	CRD     string       // where it was, as for a suite; "" for the same CRD but for Without
	Without []Constraint // what it did not have
	Patches []byte       // a JSON patch that makes it of the CRD as its file has it; nil for none
}

// A Constraint is a keyword of a schema, or a rule.
type Constraint struct {
	Path    request.Path // of the value; an index stands for all items
	Keyword string
	Rule    string // part of the expression or the message
	Value   any    // that it had, where it is not absent
	Had     bool   // it had a value
	At      *yaml.Node
}

// Want is what is expected.
type Want struct {
	Rejected []Expected // nil where it is to be accepted
	At       *yaml.Node // of the whole: rejected, stored and so on, or of the case
	Also     bool       // there may be other causes
	Unnamed  bool       // Rejected is any cause, as none is named

	Stored   []Setting
	Absent   []Setting
	Exactly  request.Object // but for metadata; nil for any
	Metadata bool           // Exactly has the labels, annotations, finalizers and owners, too
	ExactAt  *yaml.Node
	Warns    []string
	WarnsAt  *yaml.Node // nil where nothing is said of warnings
	// WholeText are texts of which the server's whole error has to have each, in words of any release.
	WholeText string
}

// Expected is a cause that a case names.
type Expected struct {
	At    *yaml.Node
	Path  request.Path // nil for anywhere; empty for the object itself
	Below bool         // or below Path
	By    string       // the keyword; "" for any
	Text  string       // part of the message
	Rule  string       // part of the expression
}

// A Result is what became of a case.
type Result struct {
	Suite      *Suite
	Case       *Case
	Definition *objects.Definition // nil where there is no CRD
	Version    string
	Exchanges  []Exchange     // in their order; the last is what the case is about
	Looks      []request.Path // the values of the stored object that were compared, with all that is in them, and were as expected
	Failures   []Failure      // none for a case that passed
	Took       time.Duration
}

// Passed reports whether a case was run and is as expected.
func (r *Result) Passed() bool { return r.Case.Skip == "" && len(r.Failures) == 0 }

// An Exchange is a request and its outcome.
type Exchange struct {
	Request Request
	Sent    request.Object // for Scale, the number of replicas
	Old     request.Object // as it is served; nil where there is none
	Version *request.Version
	Outcome *request.Outcome
	Stored  request.Object // what a read at the version shows afterwards; nil where the request is rejected
	Setup   bool           // it makes what the case is about
	// Named are, for each cause that the case names, the indexes of those of Outcome.Causes that it fits; for a case that takes any
	// rejection, one with all of them. Nil where the request is expected to be accepted.
	Named [][]int
	// Minor and Validation are the case's.
	Minor      int
	Validation Validation
}

// A Kind says how a case fails.
type Kind string

// They are the ids of the rules that tell it.
const (
	Rejected    Kind = "test-rejected"      // is not to be
	Accepted    Kind = "test-accepted"      // is not to be
	WrongCause  Kind = "test-cause"         // no cause is the one that is expected
	MoreCauses  Kind = "test-cause-more"    // than are named
	NotStored   Kind = "test-stored"        // as expected
	Unwarned    Kind = "test-warning"       // a warning is not there, or one that must not be
	OldRejected Kind = "test-old-rejected"  // what is there before cannot be
	Undeclared  Kind = "test-field-unknown" // a field that the CRD does not have
	Unreachable Kind = "suite-path"         // a path that leads nowhere
	Unrun       Kind = "suite-invalid"      // the case cannot be run
)

// A Failure is one thing that is not as a case expects.
type Failure struct {
	Kind Kind
	At   *yaml.Node

	Exchange *Exchange       // that it is about; nil where none was made
	Causes   []request.Cause // of it: what rejects it, or what is not named
	Expected *Expected       // that no cause is
	Path     request.Path    // of Stored, Undeclared and Unreachable
	Want     any             // stored there, where Wanted
	Wanted   bool            // of Unreachable: to be set, and not unset
	Got      any             // stored there, where Found
	Found    bool
	Stored   request.Object // all of what is, where it has to be exactly another
	Text     string         // a warning, or why a case cannot be run
}
