// Package objectpass runs rules over the custom resources of files: it has an API server judge each of them, or say what becomes of
// it when its CRD is replaced, and keeps what must not be shown of it out of findings, excerpts and previews. Files, fixes and
// reports are those of the engine.
package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// Objects are what custom resources are judged by.
type Objects struct {
	Rules     []*Rule
	Catalogue *objects.Catalogue
	// Against has the CRDs that those of Catalogue replace. The run says what becomes of objects then, and does not judge a
	// request. Nil for a run that judges one.
	Against *older.Side
	Files   []string  // of this machine that it was read from, besides those that are judged
	On      Operation // the request that is judged; "" to choose it by what is known of an object
	// Old finds an object in the file at a path as it was before the change; nil where it is new or, with the reason, where that is not known. Nil when there is nothing to
	// compare with.
	Old func(o *objects.Object, path string) (was request.Object, why string)
	// IsPatch reports whether the file at a path has parts of objects, as a kustomization says. Nil for never.
	IsPatch func(path string) bool
	MaxSize int  // of an object as JSON, in bytes; 0 for the API server's own limit
	List    bool // list each object in the reports, rather than only count it

	Preview   *lint.As               // make a preview of every file, in which its objects have this form; nil for none
	Values    Values                 // which of the objects' values may be shown; "" is AutoValues
	Anonymous bool                   // names and namespaces of objects are not shown
	Stream    func(path string) bool // whether a path is that of a stream, which may come from a cluster. Nil for never

	Incomplete bool // there are files with CRDs that could not be read
}

// DefaultMaxSize is how large an API server lets a request be, in bytes (limitedReadBody of
// k8s.io/apiserver/pkg/endpoints/handlers).
const DefaultMaxSize = limit.Request

// Split returns the documents of a file, which are looked for more than once.
func (o *Objects) Split(path string, text []byte, _ *template.MaskedTemplate, _ bool) *manifest.File {
	if !objects.MayHold(text) {
		return nil
	}
	return manifest.Split(path, text)
}

// MayHold reports whether a text could hold custom resources.
func (o *Objects) MayHold(text []byte) bool { return objects.MayHold(text) }

// Runs reports whether the run has a rule.
func (o *Objects) Runs(rule *lint.Rule) bool {
	return rule.Object && slices.ContainsFunc(o.Rules, func(r *Rule) bool { return r.ID == rule.ID && (r.Mismatch || o.asks(r)) })
}

// asks reports whether a rule asks what the run does: what the server says, or what becomes of objects.
func (o *Objects) asks(r *Rule) bool { return r.Upgrade == (o.Against != nil) }

// match is what is known of an object in the file at a path.
func (o *Objects) match(of *objects.Object, path string) objects.Match {
	if o.IsPatch != nil && o.IsPatch(path) {
		return objects.Match{Verdict: objects.Partial}
	}
	m := o.Catalogue.Match(of, path)
	if old := o.Against; old != nil {
		return old.Replacing(m, of, path)
	}
	return m
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
	OnAll    Operation = "all" // each of them, up to the first that is refused
)

// A Linter runs rules over custom resources. Its methods may be called from several goroutines.
type Linter struct {
	*engine.Linter
	objects *Objects
}

// New returns one for a run with some options.
func New(l *engine.Linter, o *Objects) *Linter {
	l.Kind = o
	return &Linter{l, o}
}
