// Package carry carries custom resources to another version of their CRD: what an object is to be at that version, and the changes of
// its manifest that make it so. Nothing is carried that was not proven in the server's terms: what the API server shows at the version
// after the changed manifest is applied is what it shows there today.
//
// It follows the request path of an API server, which internal/request has, and asks a conversion webhook by internal/review. It does
// not know admission webhooks.
//
// Read carry.go first: the terms. way.go says which objects go where. values.go has the steps for the values of one object, by strategy
// None; loss.go those by a webhook, which webhook.go asks: trace.go finds out where values go, fill.go takes out what the webhook adds by
// itself. placeholder.go is about values that are not known. document.go has the steps for a document.
package carry

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// Object is a custom resource as JSON has it: whole numbers are int64, others float64.
type Object = request.Object

// Options are what a user asks for.
type Options struct {
	To              string     // "v1", "example.com/v1", or ToStorage for the storage version of each kind
	From, Kinds     []string   // only objects of these versions and kinds; none for all
	AllowLoss       []string   // fields that may go: "spec.legacy", "spec.parts[*].old"
	References      References // "" is WriteReferences
	KeepAnnotations bool       // what a webhook keeps in annotations for the way back is written
}

// ToStorage is the word for the storage version of each kind.
const ToStorage = "storage"

// References say what becomes of references to objects at their old version.
type References string

// The words for References.
const (
	WriteReferences  References = "write"
	ReportReferences References = "report"
	IgnoreReferences References = "ignore"
)

// An Asker has objects converted by a webhook; *review.Client is one.
type Asker interface {
	Convert(ctx context.Context, reviewVersion, to string, objects ...Object) *review.Answer
}

// A Carrier migrates the objects of the kinds that a catalogue has. It is used by several goroutines once its fields are set.
type Carrier struct {
	Options
	Context   context.Context
	Catalogue *objects.Catalogue
	// Ask returns what asks the conversion webhook of a CRD. It is called once for each CRD that needs one. The error is why nothing
	// does: the objects are left alone then, and reported by Unasked.
	Ask     func(*objects.Definition) (Asker, error)
	IsPatch func(path string) bool // whether the file at a path has parts of objects, as a kustomization says; nil for never

	ways  ways // by kind and version
	known knownVersions
}

// A Note is something to say of an object, or of another part of a document. No note has a value of the object in it.
type Note struct {
	Rule string       // the id of a rule: "migrate-lost", but also "object-unknown-field"
	Path request.Path // in the object, as it is written; of a value that is not there, Node is what would have it
	Node *yaml.Node   // the place, in the tree of the document as it was read; nil for a place in a text
	// Start and End are the bytes of the place in the file; set for every note of a Result.
	Start, End int
	Cause      *request.Cause  // why the object is rejected; nil for notes that are not about that
	Version    string          // of the path, which rejects the object if there is a cause; "" is the one that it is written at
	Message    text.Text       // what to say; of a rejection, only what is to be said besides the cause
	Object     *objects.Object // that it is about; nil for none
	Warn       bool            // it is at most a warning here
}

// A Trace says where a value of a migrated object comes from.
type Trace struct {
	From, To request.Path // in the object as it is written, and as it becomes
	Computed bool         // the values differ: only the comments go with it
}

// A Carried is an object with its values at the other version.
type Carried struct {
	// Object is what is to be written at the target version; nil for one that is left as it is, of which Notes say why.
	Object Object
	// Traces are those of the leaves of Object that do not stand at the path that they stood at, and those that stand there with
	// another value. What is equal at the same path has none.
	Traces  []Trace
	LeftOut []request.Path // that the webhook fills in by itself, and that are not written; in Object's version
	Notes   []Note
	// Untraced counts values of an object with very many that a webhook leaves where they are, so that nothing else was asked of them.
	Untraced int
}

// A State is what became of an object.
type State int

// The states.
const (
	Passed    State = iota // not asked for, or at the target version already
	Moved                  // carried
	Refused                // left as it is, as a person has to decide; there is a note
	NoTarget               // its CRD does not have the target version
	NoCRD                  // no CRD defines it
	Elsewhere              // the kind is in another group, which is not a version
)

// An Item is an object of a document with what became of it.
type Item struct {
	*objects.Object
	Definition *objects.Definition // nil for none
	State      State
	To         string // the version that it is at afterwards
	Part       bool   // a patch
}

// A Result is what becomes of a document.
type Result struct {
	Edits []rewrite.Edit // of the file, in order; none for a document that stays as it is
	Notes []Note
	Items []Item
	// References counts references to carried kinds that were written, Comments the schema comments, and LeftAlone the objects of a
	// template whose apiVersion an action prints.
	References, Comments, LeftAlone int
}
