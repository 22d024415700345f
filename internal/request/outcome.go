package request

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Object is a custom resource as JSON has it: whole numbers are int64, others float64.
type Object = map[string]any

// An Outcome is what becomes of a request. No text in it holds a value of the object but Cause.Detail where the cause is
// Composed, and those that WithTexts adds.
type Outcome struct {
	Causes   []Cause   // why it is rejected, sorted; none when it is accepted
	Warnings []Warning // what the server warns of, sorted
	Changes  []Change  // what becomes of parts of the object before it is validated, sorted
	Object   Object    // as it is admitted, in the version of the request; nil when it is rejected
	Err      error     // why there is no verdict: the CRD cannot be served, or upstream's code panicked

	answered
}

// Accepted reports whether the object would be stored.
func (o *Outcome) Accepted() bool { return o.Object != nil }

// Code is the HTTP status of the response to a rejected request; 0 for one that is accepted.
func (o *Outcome) Code() int {
	code := 0
	for _, cause := range o.Causes {
		if cause.Type == "" {
			return cause.Stage.code()
		}
		code = http.StatusUnprocessableEntity
	}
	return code
}

// A Stage is the part of a request's way that rejects it, in their order.
type Stage int

const (
	Decoding    Stage = iota // the answer is 400: metadata or an embedded resource is of a wrong type
	TypeMeta                 // kind and apiVersion are not those of the version
	Metadata                 // ObjectMeta
	Schema                   // the OpenAPI schema
	Scale                    // the fields that the scale subresource maps
	Embedded                 // apiVersion, kind and metadata of an embedded resource
	List                     // x-kubernetes-list-type: set and map
	Rule                     // x-kubernetes-validations
	RulesNotRun              // they were not evaluated for the other causes
	Storing                  // the answer is 500: an object to be created has a resourceVersion

	// of a server-side apply only
	Options  // its parameters; the path is empty
	Typing   // the answer is 500: a value is not of its type
	Owners   // the answer is 500: the same in a version that somebody manages fields at, or there is no such version any more
	Conflict // the answer is 409: somebody else manages the field
	Outdated // the answer is 409: the object has a uid or a resourceVersion of another one
)

// code is the HTTP status of the answer where that has no causes, or those of a conflict.
func (s Stage) code() int {
	switch s {
	case Scale, Storing, Typing, Owners:
		return http.StatusInternalServerError
	case Conflict, Outdated:
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

// A Cause is one reason for a rejection.
type Cause struct {
	Stage Stage
	Type  field.ErrorType // upstream's; empty where the answer is not 422
	Field string          // upstream's, ambiguous and at times not there: for tests, never to be shown

	Path    Path // the value that is at fault
	Missing bool // there is none at Path, but should be
	Live    bool // Path leads into the object that is there, as the version serves it

	// Schema is the schema that is broken, at SchemaPath from the version's root: properties, spec, anyOf, 0. The path of
	// the root is empty; both are nil where it is not the schema that says it. Of Schema, Keyword is what the value
	// breaks, "maxLength" for one.
	SchemaPath []string
	Schema     *apiextensions.JSONSchemaProps
	Keyword    string

	Rule    int     // the index in x-kubernetes-validations; -1 where it is no rule
	Failure Failure // of a rule

	Found  string // for the keyword type: the JSON type that is there
	Actual int64  // the length or number there, for a keyword that limits one; else -1

	Detail   string // further words; of a rule that is not met, its message; of Owners, the apiVersion; of Conflict, with whom
	Composed bool   // the rule's messageExpression made Detail, perhaps from values of the object

	upstream error // what Text tells
	found    int   // its place among the causes as upstream finds them
}

// ValidationRule is the rule that the cause is about; one that says nothing where it is about none.
func (c Cause) ValidationRule() (rule apiextensions.ValidationRule) {
	if c.Schema != nil && c.Rule >= 0 && c.Rule < len(c.Schema.XValidations) {
		rule = c.Schema.XValidations[c.Rule]
	}
	return rule
}

// Needs are the fields that the alternatives of a schema require which an object does not fit.
func (c Cause) Needs() (names []string) {
	if c.Keyword == "anyOf" || c.Keyword == "oneOf" {
		for _, s := range slices.Concat(c.Schema.AnyOf, c.Schema.OneOf) {
			names = append(names, s.Required...)
		}
	}
	return names
}

// A Failure is how a rule fails.
type Failure int

const (
	NotMet     Failure = iota // it evaluates to false
	RunTime                   // it cannot be evaluated: no such key, overflow, ...; Detail says which where it is known
	CallCost                  // it exceeds the cost of one call; rules after it did not run
	TotalCost                 // the cost of all rules exceeds that of an object; rules after it did not run
	Uncompiled                // it does not compile
)

// A Warning is what the server says although it accepts.
type Warning struct {
	Kind   WarningKind
	Path   Path
	Detail string // the server's words for Deprecated and Finalizer; of a request WithTexts, with the finalizer's name, and for Ratcheted, and the uid of OwnerAgain
	Cause  *Cause // for Ratcheted
}

// A WarningKind says what a warning is about.
type WarningKind int

const (
	Deprecated WarningKind = iota // the version is
	Finalizer                     // the name of a finalizer
	OwnerAgain                    // an owner reference that the object has twice, of which one is dropped
	Ratcheted                     // a rule is not met, in a value that the update does not change
)

// A Change is what becomes of a part of an object on its way.
type Change struct {
	Kind ChangeKind
	Path Path
}

// A ChangeKind says what becomes of it.
type ChangeKind int

const (
	Pruned          ChangeKind = iota // dropped as nothing declares it; the whole value at Path
	NullDropped                       // a null that is neither nullable nor has a default is dropped
	Defaulted                         // added, or put in the place of null
	StatusDropped                     // dropped as status is a subresource
	MetadataWiped                     // dropped as only the server sets it
	MetadataEmptied                   // dropped as it says nothing: null or empty
	NotOfRequest                      // everything but status, on an update of status, where it differs from what is stored
)

// sort puts what upstream finds in the order of its maps into one that is always the same.
func (o *Outcome) sort() {
	for i := range o.Causes {
		o.Causes[i].found = i
	}
	slices.SortStableFunc(o.Causes, Cause.compare)
	o.Causes = slices.CompactFunc(o.Causes, func(a, b Cause) bool { return a.compare(b) == 0 }) // upstream checks metadata up to three times
	slices.SortStableFunc(o.Changes, func(a, b Change) int { return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Kind, b.Kind)) })
	slices.SortStableFunc(o.Warnings, func(a, b Warning) int {
		c := cmp.Or(cmp.Compare(a.Kind, b.Kind), a.Path.Compare(b.Path))
		if c == 0 && a.Cause != nil {
			c = a.Cause.compare(*b.Cause)
		}
		return cmp.Or(c, cmp.Compare(a.Detail, b.Detail))
	})
}

func (c Cause) compare(d Cause) int {
	return cmp.Or(c.Path.Compare(d.Path), cmp.Compare(c.Stage, d.Stage), slices.Compare(c.SchemaPath, d.SchemaPath),
		compareBool(c.Live, d.Live), cmp.Compare(c.Rule, d.Rule), cmp.Compare(c.Keyword, d.Keyword), cmp.Compare(c.Type, d.Type), cmp.Compare(c.Detail, d.Detail), cmp.Compare(c.Field, d.Field))
}

// compareBool has false come first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// guard runs a function that calls upstream's code, and makes an error of a panic there. Its text may hold values, so
// that only its type is told.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the API server's code panics (%T)", p)
		}
	}()
	return do()
}

// judge runs a request, whose causes, warnings and changes it puts in order.
func (v *Version) judge(request func(out *Outcome) (Object, error)) *Outcome {
	out := &Outcome{}
	out.Err = guard(func() (err error) {
		if err = v.Err(); err == nil {
			out.Object, err = request(out)
		}
		return err
	})
	if out.Err != nil || len(out.Causes) > 0 {
		out.Object = nil
	}
	if v.deprecation != "" {
		out.Warnings = append(out.Warnings, Warning{Kind: Deprecated, Path: Keys("apiVersion"), Detail: v.deprecation})
	}
	out.sort()
	return out
}
