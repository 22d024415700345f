// Package upgrade says what becomes of the objects of a cluster when their CustomResourceDefinition is replaced: which
// cannot be written any more, which only as long as nothing changes in a part of them, which lose fields, and which cannot
// even be read.
//
// An API server does not look at objects when their CRD changes. It excuses later what an update leaves as it was, which is
// called ratcheting, but not everywhere. There is no theory of that here: each effect was seen in a request that
// internal/request, which calls the server's own code, has simulated.
//
// Read upgrade.go first: its terms, and which rejections are not new. stored.go has what etcd may have of an object and what a
// read shows before and after, write.go tries the writes, scope.go finds what may not change, and managed.go what managedFields keep
// from being applied.
package upgrade

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// A Class is what becomes of an object; the worst is first.
type Class int

const (
	RefusedAlways      Class = iota // every write is rejected, also one that only removes a finalizer
	RefusedStatus                   // the status cannot be written, or not as soon as something in it changes
	Unreadable                      // reads of it fail, and those of every list that it is in
	Unappliable                     // a server-side apply fails, whatever is applied
	FieldLost                       // a field is dropped
	RefusedWhenChanged              // a write is rejected as soon as something in a part of it changes
	RefusedOnCreate                 // it could not be created anew
	DefaultChanged                  // a default adds a field, or takes the place of null
	Converted                       // a webhook converts it, so that not everything is known
	Survives                        // nothing becomes of it: of no Effect
)

// An Effect is one thing that becomes of an object.
type Effect struct {
	Class
	// Version is the one that the object is written or read at or, of Unreadable, the one that it is stored in.
	Version string
	Cause   *request.Cause // why it is rejected; nil for other classes, and of RefusedOnCreate where the version is not served any more
	// Scope is the part of the object that has to stay as it is. Nil is the status as a whole for RefusedStatus, whether or not it
	// changes.
	Scope request.Path
	Path  request.Path // of FieldLost and DefaultChanged: the field
	// Status says of RefusedAlways that writes of the status are rejected as well, StatusOpen that there are such and the same status is
	// accepted.
	Status, StatusOpen bool
	// Hidden says of FieldLost that reads do not show the field any more; it is gone when the object is written. Unstored says
	// that reads still show it, and that every write drops it, as the storage version does not declare it. Of neither, only
	// writes at the version drop it, at which nobody has written before.
	Hidden, Unstored bool
	// Later says of Unappliable that managers have applied the object at other versions only, and that this is not so at one of them.
	Later bool
}

// A Prospect is what becomes of an object. No text in it holds a value of the object but that of a composed Cause.
type Prospect struct {
	Effects []Effect // the worst first; none for an object that survives
	Before  bool     // the old CRD rejects some writes as well; these are no effects
	Err     error    // why there is no prospect; its text holds no values
}

// Worst is the class of the worst effect.
func (p *Prospect) Worst() Class {
	if len(p.Effects) == 0 {
		return Survives
	}
	return p.Effects[0].Class
}

// A Replacement is that of one CRD by another.
type Replacement struct {
	was, is *request.Server
	stored  []string
	options []request.Option
}

// New is the replacement of the CRD that one server has by that of another. The objects are stored in some versions of the old
// CRD, which its status.storedVersions says; none for its storage version. The options are those of all requests.
func New(was, is *request.Server, stored []string, options ...request.Option) *Replacement {
	if len(stored) == 0 {
		stored = []string{was.Storage().Name}
	}
	return &Replacement{was, is, stored, options}
}

// Of says what becomes of an object, as a server with the old CRD serves it or as a client has sent it there. It stays as it
// is.
func (r *Replacement) Of(o request.Object) *Prospect {
	p := &prospect{Replacement: r, told: map[effectKey]bool{}, keys: keys{}}
	p.Err = p.judge(o)
	slices.SortStableFunc(p.Effects, Effect.compare)
	return &p.Prospect
}

// A prospect is one on its way.
type prospect struct {
	*Replacement
	Prospect
	told map[effectKey]bool
	keys keys // of the causes of effects
}

// effectKey is what an effect says, whatever the version is that it was seen at.
type effectKey struct {
	Class
	path string
	key
}

// add adds an effect, unless the same was seen at another version.
func (p *prospect) add(e Effect) {
	t := effectKey{Class: e.Class, path: e.Path.String()}
	if e.Cause != nil {
		t.key = keyOf(e.Cause)
		p.keys[t.key] = true
	}
	if e.Class == Unreadable {
		t.path = e.Version
	}
	if !p.told[t] {
		p.told[t] = true
		p.Effects = append(p.Effects, e)
	}
}

func (e Effect) compare(f Effect) int {
	return cmp.Or(cmp.Compare(e.Class, f.Class), e.at().Compare(f.at()))
}

// at is the part of the object that an effect is about.
func (e Effect) at() request.Path {
	if e.Cause != nil {
		return e.Cause.Path
	}
	return e.Path
}

// A key is what a cause is known by under another CRD: its rule may have another place there.
type key struct {
	stage   request.Stage
	path    string
	keyword string
	failure request.Failure
	rule    string
}

func keyOf(c *request.Cause) key {
	return key{stage: c.Stage, path: c.Path.String(), keyword: c.Keyword, failure: c.Failure, rule: c.ValidationRule().Rule}
}

// causes are those of some outcomes, what they only warn of included, each once. That rules were not run is none.
func causes(outcomes ...*request.Outcome) (all []*request.Cause) {
	for _, o := range outcomes {
		for i := range o.Causes {
			if o.Causes[i].Stage != request.RulesNotRun {
				all = append(all, &o.Causes[i])
			}
		}
		for _, w := range o.Warnings {
			if w.Kind == request.Ratcheted {
				all = append(all, w.Cause)
			}
		}
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(c *request.Cause) bool {
		again := seen[keyOf(c)]
		seen[keyOf(c)] = true
		return again
	})
}

// refusals are the causes of an outcome without its warnings.
func refusals(o *request.Outcome) []*request.Cause {
	return causes(&request.Outcome{Causes: o.Causes})
}

type keys map[key]bool

func keysOf(all []*request.Cause) keys {
	k := keys{}
	for _, c := range all {
		k[keyOf(c)] = true
	}
	return k
}

func (k keys) has(c *request.Cause) bool { return k[keyOf(c)] }
