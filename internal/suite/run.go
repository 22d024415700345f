package suite

import (
	"context"
	"fmt"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/request"
)

// A Runner runs suites. It may be used by several goroutines.
type Runner struct {
	// Find finds the CRD of a suite, or that of a kind where the suite does not say where it is; or says why there is none.
	Find func(s *Suite, apiVersion, kind string) (d *objects.Definition, why string)
	// Earlier finds the CRD at a place that before names.
	Earlier func(s *Suite, where, kind string) (d *objects.Definition, why string)

	lock    sync.Mutex
	servers memory.Memory[serverKey, madeServer] // a few: they have compiled rules
	sources memory.Memory[*objects.Definition, []byte]
}

// The field managers of applies: of the case and what it applies to, and of the status that is there.
const (
	applier    = "kubectl"
	controller = "controller"
)

// Run runs the cases of a suite that want allows, by their names; nil for all. A case that others follow runs for them as well. The
// results are in the order of the suite.
func (r *Runner) Run(s *Suite, want func(name string) bool) (all []*Result) {
	ordered.Each(context.Background(), runtime.GOMAXPROCS(0), s.Cases, func(c *Case) []*Result { return r.chain(s, c, nil, nil) },
		func(some []*Result) { all = append(all, some...) })
	return slices.DeleteFunc(all, func(res *Result) bool { return want != nil && !want(s.Name+"/"+res.Case.Name) })
}

// chain runs a case, and those that follow it.
func (r *Runner) chain(s *Suite, c *Case, there request.Object, failed *Case) []*Result {
	begin := time.Now()
	one := &run{Runner: r, Result: &Result{Suite: s, Case: c}}
	var stored request.Object
	switch {
	case c.Skip != "":
	case failed != nil:
		one.fail(Failure{Kind: OldRejected, At: c.At, Text: fmt.Sprintf("the case that it follows, %q, did not store anything", failed.Name)})
	default:
		stored = one.run(there)
	}
	one.Took = time.Since(begin)
	all := []*Result{one.Result}
	if stored == nil {
		failed = c
	}
	for _, next := range c.Then {
		all = append(all, r.chain(s, next, stored, failed)...)
	}
	return all
}

// A run is that of one case.
type run struct {
	*Runner
	*Result
	server *request.Server
}

func (r *run) fail(f Failure) { r.Failures = append(r.Failures, f) }

// run sends the requests of the case and compares the answers. It returns what is stored then; nil where the last request is refused.
func (r *run) run(there request.Object) (stored request.Object) {
	c := r.Case
	head := c.head(there)
	apiVersion, _ := head["apiVersion"].(string)
	kind, _ := head["kind"].(string)
	d, why := r.Find(r.Suite, apiVersion, kind)
	if d == nil {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: why})
		return nil
	}
	r.Result.Definition, r.Version = d, r.Suite.Version
	if r.Version == "" {
		r.Version = path.Base(apiVersion)
	}
	r.server, why = r.serverOf(d, r.alone())
	if why == "" && r.server.Version(r.Version) == nil {
		why = fmt.Sprintf("%s has no version %s; its versions are %s", d.Name, r.Version, strings.Join(r.server.Versions(), ", "))
	}
	if why == "" && r.server.Version(r.Version).Err() != nil {
		why = r.server.Version(r.Version).Err().Error()
	}
	if why != "" {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: why})
		return nil
	}
	if c.Old != nil {
		if there = r.setUp(); there == nil {
			return nil
		}
	}
	object, nowhere := c.made(there)
	if nowhere != nil {
		r.fail(Failure{Kind: Unreachable, At: nowhere.At, Path: nowhere.Path, Wanted: nowhere.isSet(c)})
		return nil
	}
	stored = there
	for i, step := range c.steps(object) {
		x := r.send(r.server.Version(r.Version), step, stored)
		if x == nil {
			return nil
		}
		last := i == len(c.Steps)
		if !r.judge(x, last) {
			return nil
		}
		stored = r.store(x)
	}
	r.look(stored)
	return stored
}

// head is the object that says which kind the case is about.
func (c *Case) head(there request.Object) request.Object {
	for _, o := range []request.Object{c.Change.Object, there, c.Base} {
		if o != nil {
			return o
		}
	}
	if c.Old != nil {
		return c.Old.Object
	}
	return nil
}

// made is the object that the case sends.
func (c *Case) made(there request.Object) (request.Object, *Setting) {
	switch {
	case c.Request == Scale:
		return c.Change.from(request.Object{})
	case there == nil:
		return c.Change.from(c.Base)
	case c.Request == Apply && c.Old != nil: // it is the manifest that changes
		written, nowhere := c.Old.from(c.Base)
		if nowhere != nil {
			return nil, nowhere
		}
		delete(written, "status")
		return c.Change.from(written)
	}
	return c.Change.from(there)
}

func (s *Setting) isSet(c *Case) bool {
	return slices.ContainsFunc(c.Change.Set, func(other Setting) bool { return other.At == s.At }) ||
		c.Old != nil && slices.ContainsFunc(c.Old.Set, func(other Setting) bool { return other.At == s.At })
}

func (c *Case) steps(object request.Object) []Step {
	return append([]Step{{Request: c.Request, Object: object}}, c.Steps...)
}

// keptServers is how many servers are kept: suites of a CRD mostly come together.
const keptServers = 4

// A madeServer is a server, or why there is none.
type madeServer struct {
	server *request.Server
	why    string
}

// A serverKey is a CRD and, where there is to be no other, a version of it.
type serverKey struct {
	*objects.Definition
	alone string
}

// serverOf is a server that has the CRD, even one that it would not create. Alone is the version that there is, "" for all.
func (r *Runner) serverOf(d *objects.Definition, alone string) (*request.Server, string) {
	if why := d.Unread(); why != "" {
		return nil, why
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.servers.Limit = keptServers
	one := r.servers.Of(serverKey{d, alone}, func() (one madeServer) {
		hub := d.Hub
		if alone != "" {
			hub = only(hub, alone)
		}
		server, err := request.New(hub)
		if one.server = server; err != nil {
			one.why = "the CRD cannot be used: " + err.Error()
		}
		return one
	})
	return one.server, one.why
}

// setUp makes what is there before, and returns it; nil where it is refused.
func (r *run) setUp() request.Object {
	c := r.Case
	written, nowhere := c.Old.from(c.Base)
	if nowhere != nil {
		r.fail(Failure{Kind: Unreachable, At: nowhere.At, Path: nowhere.Path, Wanted: nowhere.isSet(c)})
		return nil
	}
	server, err := r.before()
	if err != nil {
		r.fail(Failure{Kind: Unrun, At: c.Before.At, Text: err.Error()})
		return nil
	}
	v := server.Version(r.Version)
	first := Create
	if c.Request == Apply {
		first = Apply
	}
	steps := []Step{{Request: first, Object: written}}
	if status, has := written["status"]; has && v.HasStatus() && status != nil {
		steps = append(steps, Step{Request: Status, Object: written})
	}
	var stored request.Object
	for _, step := range steps {
		x := r.send(v, step, stored)
		if x == nil {
			return nil
		}
		if x.Setup = true; !x.Outcome.Accepted() {
			r.refuseOld(x)
			return nil
		}
		stored = r.store(x)
	}
	if server == r.server || r.converts() {
		return stored
	}
	served, err := r.server.Version(r.Version).Serve(stored)
	if err != nil {
		r.fail(Failure{Kind: OldRejected, At: c.OldAt, Text: err.Error()})
		return nil
	}
	return served
}

// refuseOld says that what is to be there before is refused.
func (r *run) refuseOld(x *Exchange) {
	rest := r.undeclared(x, x.Outcome.Causes, r.Case.Old.Set)
	if len(rest) > 0 {
		r.fail(Failure{Kind: OldRejected, At: r.Case.OldAt, Exchange: x, Causes: rest})
	}
}

// converts reports whether a webhook makes what is stored of what is sent, so that nothing is known of it.
func (r *run) converts() bool {
	return r.server.Converts(r.server.Version(r.Version), r.server.Storage())
}

// send makes a request. There is what is there, as it is served.
func (r *run) send(v *request.Version, step Step, there request.Object) *Exchange {
	c := r.Case
	x := Exchange{Request: step.Request, Sent: step.Object, Old: there, Version: v, Minor: c.Minor, Validation: c.Validation}
	if x.Request != Scale {
		x.Sent = complete(x.Sent, v.Namespaced())
	}
	if why := x.ask(); why != "" {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: why})
		return nil
	}
	r.Exchanges = append(r.Exchanges, x)
	return &r.Exchanges[len(r.Exchanges)-1]
}

// Ask makes the request again, to another server or the same, and returns the answer; nil where the server has no such request.
func (x Exchange) Ask(of *request.Version) *request.Outcome {
	x.Version = of
	if x.ask() != "" {
		return nil
	}
	return x.Outcome
}

// ask makes the request. It says why it cannot be made, where it cannot.
func (x *Exchange) ask() (why string) {
	v, release, texts := x.Version, request.ToRelease(x.Minor), request.WithTexts()
	var managed []request.Option
	if x.Old != nil && request.ManagersOf(x.Old) != nil {
		managed = append(managed, request.ManagedBy(controller))
	}
	options := append(managed, release, texts)
	switch {
	case x.Request == Status && !v.HasStatus():
		return fmt.Sprintf("version %s has no status subresource", v.Name)
	case x.Request == Scale && !v.HasScale():
		return fmt.Sprintf("version %s has no scale subresource", v.Name)
	case x.Request == Create:
		x.Outcome = v.Create(x.Sent, options...)
	case x.Request == Update:
		x.Outcome = v.Update(x.Sent, x.Old, options...)
	case x.Request == Status:
		x.Outcome = v.UpdateStatus(x.Sent, x.Old, options...)
	case x.Request == Apply:
		x.Outcome = v.Apply(x.Sent, x.Old, request.Applier{Manager: applier}, release, texts)
	default:
		n, is := x.Sent["replicas"].(int64)
		if !is || len(x.Sent) != 1 || n < math.MinInt32 || n > math.MaxInt32 {
			return "a scale request sets replicas, a number, and nothing else: set: {replicas: 3}"
		}
		x.Outcome = v.UpdateScale(x.Old, int32(n), options...)
	}
	if x.Outcome.Err != nil {
		return x.Outcome.Err.Error()
	}
	x.refuseUnknown()
	return ""
}

// UnknownField is the keyword of a cause that no schema declares a field.
const UnknownField = "unknown-field"

// refuseUnknown refuses fields that no schema declares, where the request is to be strict. The server does so before it looks at
// anything else; a server-side apply has refused them already.
func (x *Exchange) refuseUnknown() {
	if x.Validation != Strict || x.Request == Scale || x.Request == Apply {
		return
	}
	var causes []request.Cause
	for _, change := range x.Outcome.Changes {
		if change.Kind == request.Pruned {
			causes = append(causes, request.Cause{Stage: request.Decoding, Path: change.Path, Keyword: UnknownField, Rule: -1, Actual: -1})
		}
	}
	if len(causes) > 0 {
		x.Outcome = &request.Outcome{Causes: causes, Changes: x.Outcome.Changes}
	}
}

// store is what is stored of an object that was taken, as a read at the version shows it.
func (r *run) store(x *Exchange) request.Object {
	if r.converts() {
		return x.Outcome.Object
	}
	stored, err := x.Version.Store(x.Outcome.Object)
	if err != nil {
		return x.Outcome.Object
	}
	if served, err := x.Version.Serve(stored); err == nil {
		return served
	}
	return x.Outcome.Object
}
