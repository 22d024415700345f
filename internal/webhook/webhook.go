// Package webhook tests the conversion between the versions of a CRD: it has custom resources converted there and back as an
// API server does when clients read and write them, and says what a client would see of it: which answers the server rejects,
// and what gets lost.
//
// Read webhook.go first: what a test is given and what comes out; then tester.go, the order of things. ask.go asks the
// webhook, way.go takes objects the ways they take in a server. trial.go has the terms of judging one object, and after it
// roundtrip.go and editing.go judge what becomes of an object, by the comparison of compare.go, and removal.go what clients have
// taken out of it; stable.go, large.go and garbage.go have the trials of other kinds, and case.go tries objects again. settle.go
// leaves out what only follows from something else, and minimize.go makes the objects of findings small. cure.go gives fields
// that only code can read values which the webhook takes, and meaning.go says what makes a difference.
package webhook

import (
	"time"

	"github.com/crdlift/crdlift/internal/request"
)

// Object is a custom resource as JSON has it.
type Object = request.Object

// A Pair is a conversion from one version to another.
type Pair struct{ From, To string }

// String is the pair as messages show it.
func (p Pair) String() string { return p.From + " → " + p.To }

// A Property is what a conversion has to keep to.
type Property int

// The properties, in the order in which they are tested.
const (
	PairMissing    Property = iota // each version can be converted to each other
	Contract                       // the API server accepts every answer
	Failed                         // objects that their schema accepts are converted
	Undeclared                     // the schema of the version declares all that the answer has
	MetadataLost                   // labels and annotations stay
	DataLost                       // what is stored survives a read and a write at another version
	StatusLost                     // the same of status
	Preserved                      // the same of unknown fields that both versions keep
	WriteLost                      // what is written at a version is what is read there afterwards
	EditLost                       // a field that is changed or removed at a version stays so
	NotWritable                    // what is read at a version can be written there
	Invalid                        // what is converted is valid at the version
	NotDefaulted                   // what is converted has the version's defaults
	NotStable                      // the same request has the same answer
	NoopWrites                     // a read and a write without a change store the same bytes
	NotIdempotent                  // the second round trip changes nothing
	Order                          // objects of a list are converted as they are alone
	PathsDiffer                    // the way by the storage version gives what the direct one gives
	Scale                          // the scale subresource shows the same at all versions
	Partial                        // objects that are not complete have an answer
	Unvalidated                    // objects that the schema rejects have an answer
	ReviewVersion                  // each ConversionReview version that the CRD lists is answered
	SameVersion                    // an object at the desired version is not changed
	Garbage                        // requests that make no sense do not stop the webhook
	Concurrent                     // several requests at once are answered like one after the other
	AnnotationSize                 // large objects are converted
	Slow                           // answers come in time
)

// A Finding is what a conversion does not keep to: one for each property, pair and field.
type Finding struct {
	Property Property
	Pair     Pair           // what is converted first; a round trip comes back
	Version  string         // the version that Path is of
	Versions []string       // that it is about, where that is more than the pair
	Path     request.Path   // the value in Object that it is about; empty for the object as a whole
	Size     int            // of the smallest objects that show it, in KiB; 0 where that does not matter
	Missing  bool           // there is no such value, or the finding would be gone
	Also     []request.Path // other values with the same error
	Detail   string         // further words: the API server's error, what is rejected
	Cause    *request.Cause // why an object is rejected; nil where it is not about a rejection
	Back     bool           // it shows after the way back only, where that is not so of all findings of its property
	Change   Change         // what became of the value at Path
	Was, Is  any            // the value before and after; nil for none

	Grade       Grade  // how much it counts, where that depends on the case
	Object      Object // the smallest that shows it; nil where it takes none
	Edit        *Edit  // of a client, after which it shows; nil where it takes none
	Shown, Seen int    // of Seen objects that have the value, Shown show it; 0 where they are not counted
	Replay      string // the command that shows it again, of whoever keeps Object; "" for none
}

// A Grade is how much a finding counts at most.
type Grade int

// The grades.
const (
	AsUsual Grade = iota // as findings of its property do
	Minor                // a warning
	Remark               // an info
)

// An Edit is a change that a client makes to an object as it reads it.
type Edit struct {
	Path    request.Path
	Value   any  // what is written; of a removal, a value with which it is tried a second time
	Removed bool // nothing is there any more
	Stored  bool // the client edits at the storage version, once another one has written the object at the other version
}

// A Change is what became of a value.
type Change int

// The kinds of changes.
const (
	Unchanged Change = iota
	Lost             // it is gone
	Changed          // there is another one
	Added            // there was none
	Reordered        // the items of a list are in another order
)

// A Result is what a test found.
type Result struct {
	Findings []Finding
	Versions []string  // that were tested
	Pairs    []Pair    // that were tested
	Objects  int       // that were tried: made or given
	Requests int       // to the webhook
	Notes    []string  // what could not be tested, and why
	Refused  []Refusal // what was given and is not tried
	// Latencies of the requests for one object: the median, and what 99 of 100 do not exceed.
	Median, P99 time.Duration
	Elapsed     time.Duration // in all
	Waiting     time.Duration // for the webhook, of that
}

// A Refusal is why an object that was given is not tried.
type Refusal struct {
	What    string         // "the sample small"
	Version string         // that rejects it
	Cause   *request.Cause // the first; nil where there is none to tell
}

// Options are what a test is asked for.
type Options struct {
	Samples   []Object // objects to begin with
	Count     int      // objects to make for each version
	Seed      uint64
	Pairs     []Pair         // only these; nil for all that an API server may ask for
	Skip      map[Group]bool // what is left out
	Objective bool           // latencies above the API server's objectives are findings
	Replay    []Case
	Progress  func(done, all int) // nil for none
}

// A Group is a part of a test that can be left out.
type Group string

// The groups.
const (
	Pairs       Group = "pairs"
	RoundTrip   Group = "round-trip"
	Edits       Group = "edits"
	PartialOf   Group = "partial"
	GarbageOf   Group = "garbage"
	Concurrency Group = "concurrent"
	Large       Group = "large"
)

// Groups are all of them.
func Groups() []Group {
	return []Group{Pairs, RoundTrip, Edits, PartialOf, GarbageOf, Concurrency, Large}
}

// A Case is an object with the property that it shows to be broken.
type Case struct {
	Name     string
	Property Property
	Pair     Pair
	Object   Object
	Edit     *Edit // nil for a case without one
}
