package objectpass

import (
	"iter"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/upgrade"
	"github.com/crdlift/crdlift/lint"
)

// A Check is what a rule does with custom resources.
type Check struct {
	Run func(*Pass) // looks at one custom resource; keeps no state, cannot fail
	// Mismatch is true for a rule that looks at the custom resources that cannot be judged, as their CRD is missing, say, and
	// at no others.
	Mismatch bool
	// Upgrade is true for a rule that looks at what becomes of custom resources when their CRD is replaced, in runs that ask for
	// that, and at nothing else.
	Upgrade bool
	// Both is true for a rule that looks at custom resources in runs of either kind.
	Both bool
	// Audit is true for a rule about what a dump of a cluster says, in runs that ask for that.
	Audit bool
	// OncePerMessage is true for a rule whose findings of a run with the same message become the first, which counts the others.
	OncePerMessage bool
	// Differ is true for the rule that tells what only some of several CRDs of a kind say of a custom resource.
	Differ bool
	// OncePerCRD is true for a rule that reports something of a CRD at its custom resources: at the first of a run.
	OncePerCRD bool
	// Samples looks at all custom resources of a run together, once each has been judged alone.
	Samples func(*SampleSet)
}

// Asks reports whether a run may have findings of the rule: one over objects whose CRDs are replaced, or one that checks them.
func (c *Check) Asks(replaced bool) bool {
	return !c.Audit && (c.Mismatch || c.Differ || c.Both || c.Upgrade == replaced)
}

// Across reports whether the rule looks at all custom resources of a run together.
func (c *Check) Across() bool { return c.Samples != nil }

// OfCluster reports whether the rule is about what a dump of a cluster says.
func (c *Check) OfCluster() bool { return c.Audit }

// checks are what the rules about custom resources do.
func checks(l *engine.Linter) iter.Seq2[*engine.Rule, *Check] {
	return func(yield func(*engine.Rule, *Check) bool) {
		for _, r := range l.Rules {
			if c, is := r.Object.(*Check); is && !yield(r, c) {
				return
			}
		}
	}
}

// checkOf is what the rule of an id does; nil for one that has nothing to do with custom resources.
func checkOf(l *engine.Linter, id string) *Check {
	for r, check := range checks(l) {
		if r.ID == id {
			return check
		}
	}
	return nil
}

// A Pass is one rule's view of one custom resource, and receives its findings. What is reachable from it is shared by
// the rules of a run and must not be changed.
type Pass struct {
	Config *lint.Config // for the object's file: overrides are in it
	*subject
	rule     *engine.Rule
	value    *lint.Rule
	severity lint.Severity
}

// A subject is the data of one custom resource that all rules share.
type subject struct {
	*judge
	document *manifest.Document
	Object   *objects.Object
	Match    objects.Match // the CRD that defines it
	identity *lint.Object
	tree     request.Object // nil for an object that is not judged
	size     int            // in bytes of JSON
	old      request.Object // nil where there is none to compare with
	// uncompared is why the object is not compared with how it was; "" where it is, or is new.
	uncompared string
	answer     answer
	// application is what server-side apply makes of it; nil where that is not the way, or comes to the same.
	application *application
	prospect    *upgrade.Prospect   // of an object whose CRD is replaced; nil for any other
	replaced    *objects.Definition // that which another takes the place of; nil for none
	version     string              // of the CRD, by which the object is judged
	engine.Memory
	findings []*engine.Finding
	verdict  string              // by this CRD
	variants int                 // the number of its CRDs
	partly   bool                // under one of its CRDs, not all is said that there is to say
	mask     *mask.Mask          // of what must not be shown
	hidden   func() []lines.Span // the same in the document; nil where no source lines are shown
}

// A SampleSet is a rule's view of the CRDs that objects are checked by, once all objects of a run have been checked.
type SampleSet struct {
	Definitions []*objects.Definition // one for each kind, in the order of their paths and texts

	*Audit // nil in a run that does not look at a dump

	linter *engine.Linter
	rule   *engine.Rule
	has    map[lint.Object]bool // by apiVersion and kind
	groups map[string]bool
	judged map[*objects.Definition]int // objects by CRDs that a server rejects and keeps
	found  map[string][]*lint.Finding  // by file
}

// A judge judges the custom resources of a file, and has what Report wants to know of them.
type judge struct {
	linter  *engine.Linter
	objects *Objects
	out     *engine.FileReport

	discretion discretion // about values of the file's objects
	drafts     drafts
	previewed  *lint.Preview
	refused    map[*objects.Definition]int  // the number of objects by those that a server rejects and keeps
	unseen     map[*objects.Definition]bool // those in templates of which not all branches are known

	facts *audit.Facts             // in a run that asks for them
	alike map[lint.Likeness]*likes // of a report that is joined of those on pieces
	once  repetitions              // of the same
}

// An answer is what an API server makes of a request.
type answer struct {
	operation Operation
	outcome   *request.Outcome
}

// drafts collects the preview of a file.
type drafts struct {
	edits   []rewrite.Edit
	changed map[int]bool     // documents
	shown   lint.ShownChange // of a file whose values are hidden
	left    map[string]int
	added   int // defaults
	made    int // objects of which it is shown what they become
}

// A discretion is what a file's findings must not show.
type discretion struct {
	values    Values
	dump      bool // the file is the output of a cluster, or could be
	anonymous bool
}

// likes are findings that say the same of many objects.
type likes struct {
	first *lint.Finding
	kept  int
}

// repetitions is what the rules that report something of a CRD once have said.
type repetitions map[struct{ rule, resource, message string }]bool

// Objects are what custom resources are checked by: the Kind of runs that check those.
type Objects struct {
	Catalogue *objects.Catalogue
	// Against has the CRDs that those of Catalogue replace. The run says what becomes of objects then, and does not judge a
	// request. Nil for a run that judges one.
	Against *older.Side
	Files   []string  // of this machine that it was read from, besides those that are judged
	On      Operation // the request that is judged; "" to choose it by what is known of an object
	// Old finds an object in the file at a path as it was before the change; nil where it is new or, with the reason, where that is
	// not known. Nil when there is nothing to compare with.
	Old func(o *objects.Object, path string) (was request.Object, why string)
	// OldCRD finds the CRD as it was before the change; nil where there is none. Nil when there is nothing to compare with.
	OldCRD func(is *objects.Definition) *objects.Definition
	// IsPatch reports whether the file at a path has parts of objects, as a kustomization says. Nil for never.
	IsPatch func(path string) bool
	// Role is what the objects of the file at a path are to its repository; "" for those that are judged whatever they are. Nil
	// where all are.
	Role func(path string) lint.Role
	// Mutating are further webhooks, those of files that the run does not look at. It is called where one may matter; nil for none.
	Mutating func() []*objects.Webhook
	MaxSize  int  // of an object as JSON, in bytes; 0 for the API server's own limit
	List     bool // list each object in the reports, rather than only count it
	Drift    bool // find what others write into objects that somebody applies

	Preview   *lint.As               // make a preview of every file, in which its objects have this form; nil for none
	Values    Values                 // which of the objects' values may be shown; "" is AutoValues
	Anonymous bool                   // names and namespaces of objects are not shown
	Stream    func(path string) bool // whether a path is that of a stream, which may come from a cluster. Nil for never

	Audit *Audit // what to look for in a dump of a cluster; nil for a run over anything else

	Incomplete bool // there are files with CRDs that could not be read
}

// Values says which values of objects may be shown.
type Values string

const (
	AutoValues   Values = "auto"   // of dumps none, of other files all but secrets
	AlwaysValues Values = "always" // all of them
	NeverValues  Values = "never"  // none
)

// An Operation is a request of a client that writes an object.
type Operation string

const (
	OnCreate Operation = "create"
	OnUpdate Operation = "update"
	OnStatus Operation = "status"
	OnScale  Operation = "scale"
	OnAll    Operation = "all" // each of them, up to the first that is rejected
)
