package lint

import (
	"maps"
	"slices"
)

// An Object identifies a custom resource.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"` // "" where the manifest has none
	Name       string `json:"name,omitempty"`
}

// ID is the kind with the namespace and the name: "Database prod/orders".
func (o *Object) ID() string {
	if label := o.Label(); label != "" {
		return o.Kind + " " + label
	}
	return o.Kind
}

// Label is the namespace and the name: "prod/orders".
func (o *Object) Label() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}

// The verdicts on objects.
const (
	Accepted = "accepted"
	Refused  = "refused"
	Unjudged = "unjudged" // no CRD that can be used defines it as it is
)

// The verdicts on objects in runs that say what becomes of them when their CRD is replaced, the worst first. That of an object is
// the first that fits.
const (
	Stuck              = "stuck"                // no write of it is accepted
	StatusRefused      = "status-refused"       // no write of its status is, or none that changes it
	Unreadable         = "unreadable"           // nor can it be read
	Unappliable        = "unappliable"          // server-side apply of it fails, whatever is applied
	LosesFields        = "loses-fields"         // the next write drops some
	RefusedWhenChanged = "refused-when-changed" // a write that changes a part of it is rejected
	RefusedOnCreate    = "refused-on-create"    // it could not be created anew
	GetsDefaults       = "gets-defaults"        // it has other defaults
	ConvertedByWebhook = "converted-by-webhook" // and else survives, as far as is known
	Survives           = "survives"
)

// Foreseen are these verdicts, the worst first.
func Foreseen() []string {
	return []string{Stuck, StatusRefused, Unreadable, Unappliable, LosesFields, RefusedWhenChanged, RefusedOnCreate, GetsDefaults, ConvertedByWebhook, Survives}
}

// A JudgedObject is what became of one object.
type JudgedObject struct {
	*Object
	File    string
	Line    int
	Verdict string
	// Uncompared is why the object is not compared with how it was, although there may be such a one; "" for any other.
	Uncompared string
}

// AlikeObjects are the objects of a file, a version and a kind that the same became of.
type AlikeObjects struct {
	APIVersion, Kind, File, Verdict, Uncompared string
	Line                                        int // of the first
	Count                                       int
}

// Objects are the custom resources of a run that checks them. They are counted, so that memory does not grow with their number.
type Objects struct {
	Alike []AlikeObjects // in the order of the first of each; without those that were passed over
	// Counted are, by the gravest of these, the objects whose findings are all counted by others like them and not ignored.
	Counted map[Severity]int
	Unread  int            // items of lists among text that does not parse; what they are is not known
	Listed  []JudgedObject // each of them, in their order, for a run that is asked to list them
	// Those that were passed over: Kubernetes' own, patches and other parts, and, by kind, those that no CRD is known of.
	BuiltIn, Partial int
	WithoutCRD       map[string]int
	LeftOut          int             // those of tests and older releases, which were passed over as well
	Files            []string        // of this machine that CRDs were read from, besides those of the report; as positions name them
	Audit            bool            // a dump of a cluster was looked at, and not only what becomes of requests
	Upgrade          bool            // the run says what becomes of the objects when their CRD is replaced
	Dumps            map[string]bool // the files that are, or may be, what a cluster has
	// Applied are the objects of a cluster that somebody applies, for a run that asks what others write into them. Managed reports
	// whether there are any of which managers of fields are known.
	Applied []AppliedObject
	Managed bool
}

// An AppliedObject is an object of a cluster that somebody applies, and what no manifest of it can have: others write that.
type AppliedObject struct {
	*Object
	Drift []Drift
}

// A Drift is something to be ignored, as a field of ignoreDifferences of Argo CD has it; for no field an item of a list, in words.
type Drift struct{ Field, Text string }

// Judged counts an object.
func (o *Objects) Judged(one JudgedObject) {
	o.count(AlikeObjects{one.APIVersion, one.Kind, one.File, one.Verdict, one.Uncompared, one.Line, 1})
}

// count counts objects. A report has one file after the other, and few kinds of objects in each: those that are alike are near
// the end.
func (o *Objects) count(more AlikeObjects) {
	for i := len(o.Alike) - 1; i >= 0 && o.Alike[i].File == more.File; i-- {
		key := o.Alike[i]
		key.Line, key.Count = more.Line, more.Count
		if key == more {
			o.Alike[i].Count += more.Count
			return
		}
	}
	o.Alike = append(o.Alike, more)
}

// Add adds other counts.
func (o *Objects) Add(other *Objects) {
	for _, alike := range other.Alike {
		o.count(alike)
	}
	o.Listed = append(o.Listed, other.Listed...)
	o.Applied = append(o.Applied, other.Applied...)
	o.Managed = o.Managed || other.Managed
	o.Unread += other.Unread
	for severity, n := range other.Counted {
		o.CountFlawed(severity, n)
	}
	for kind, n := range other.WithoutCRD {
		o.Lack(kind, n)
	}
	o.BuiltIn += other.BuiltIn
	o.Partial += other.Partial
	o.LeftOut += other.LeftOut
}

// CountFlawed counts objects of which there are no findings but counted ones.
func (o *Objects) CountFlawed(gravest Severity, n int) {
	if o.Counted == nil {
		o.Counted = map[Severity]int{}
	}
	o.Counted[gravest] += n
}

// Found reports whether there are any; nil has none.
func (o *Objects) Found() bool {
	return o != nil && (len(o.Alike) > 0 || o.PassedOver() > 0)
}

// Lack counts objects of a kind without a CRD.
func (o *Objects) Lack(kind string, n int) {
	if o.WithoutCRD == nil {
		o.WithoutCRD = map[string]int{}
	}
	o.WithoutCRD[kind] += n
}

// Missing are the kinds without a CRD, in the order of their names.
func (o *Objects) Missing() []string { return slices.Sorted(maps.Keys(o.WithoutCRD)) }

// Count is the number of objects of a verdict.
func (o *Objects) Count(verdict string) (n int) {
	for _, alike := range o.Alike {
		if alike.Verdict == verdict {
			n += alike.Count
		}
	}
	return n
}

// Len is the number of objects.
func (o *Objects) Len() (n int) {
	for _, alike := range o.Alike {
		n += alike.Count
	}
	return n
}

// Uncompared is the number of objects that are not compared with how they were.
func (o *Objects) Uncompared() (n int) {
	for _, alike := range o.Alike {
		if alike.Uncompared != "" {
			n += alike.Count
		}
	}
	return n
}

// PassedOver is the number of objects that were not.
func (o *Objects) PassedOver() int {
	n := o.BuiltIn + o.Partial + o.LeftOut
	for _, of := range o.WithoutCRD {
		n += of
	}
	return n
}

// An As is the form in which a preview shows objects.
type As struct {
	Written bool   // as they are written, with the defaults that a server adds
	Clear   bool   // with all values, for whoever has the file open
	Served  bool   // as a read shows them, rather than as they are stored
	Version string // of the read; "" for the one that the object is written in
}

// A Preview is a file as it is, and as an API server would have its objects.
type Preview struct {
	ShownChange
	Objects int       // how many are shown as a server would have them
	Left    []LeftOut // the objects that are shown as they are
	Added   int       // the number of defaults that are added to what is written
}

// LeftOut is a number of objects of which a preview does not show what becomes of them.
type LeftOut struct {
	Why     string
	Objects int
}

// ShownChange is what may be shown of a file before and after a change.
type ShownChange struct {
	Before, After []byte
	Changed       bool // the file is another one; perhaps only where something is hidden
	Masked        bool // something is hidden, so that the difference cannot be applied
}
