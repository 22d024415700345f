package suite

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
)

// A Runner runs suites. It may be used by several goroutines.
type Runner struct {
	// Find finds the CRD of a suite, or that of a kind where the suite does not say where it is; or says why there is none.
	Find func(s *Suite, apiVersion, kind string) (d *objects.Definition, why string)
	// Earlier finds the CRD at a place that before names.
	Earlier func(s *Suite, where, kind string) (d *objects.Definition, why string)
	// Minors are the releases of Kubernetes, 1.minor, that cases run on which do not say that themselves; none for the newest.
	Minors []int

	lock    sync.Mutex
	servers memory.Memory[serverKey, madeServer] // a few: they have compiled rules
	sources memory.Memory[*objects.Definition, []byte]
}

// The field managers of applies and of other requests, and what the server alone says of an object.
const (
	applier    = "kubectl"
	controller = "controller"
	created    = "2020-01-01T00:00:00Z"
	uid        = "00000000-0000-4000-8000-000000000000"
)

// Run runs the cases of a suite that want allows, by their names; nil for all. A case that others follow runs for them as well. The
// results are in the order of the suite.
func (r *Runner) Run(s *Suite, want func(name string) bool) (all []*Result) {
	ordered.Each(context.Background(), runtime.GOMAXPROCS(0), r.onReleases(s.Cases), func(c *Case) []*Result { return r.chain(s, c, state{}, nil) },
		func(some []*Result) { all = append(all, some...) })
	return slices.DeleteFunc(all, func(res *Result) bool { return want != nil && !want(s.Name+"/"+cmp.Or(res.Case.plain, res.Case.Name)) })
}

// chain runs a case, and those that follow it.
func (r *Runner) chain(s *Suite, c *Case, there state, failed *Case) []*Result {
	begin := time.Now()
	one := &run{Runner: r, Result: &Result{Suite: s, Case: c}}
	var stored state
	switch {
	case c.Skip != "":
	case failed != nil:
		one.fail(Failure{Kind: OldRejected, At: c.At, Text: fmt.Sprintf("the case before it, %q, stored nothing; correct that case first", failed.Name)})
	default:
		stored = one.run(there)
	}
	one.Took = time.Since(begin)
	all := []*Result{one.Result}
	if stored.kept == nil {
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

// run sends the requests of the case and compares the answers. It returns what is there then; nothing where the last request is rejected.
func (r *run) run(there state) (stored state) {
	c := r.Case
	head := c.head(there.shown)
	apiVersion, _ := head["apiVersion"].(string)
	kind, _ := head["kind"].(string)
	if apiVersion == "" || kind == "" {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: "the object lacks apiVersion or kind, so its CRD is unknown; write both"})
		return state{}
	}
	d, why := r.Find(r.Suite, apiVersion, kind)
	if d == nil {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: why})
		return state{}
	}
	r.Result.Definition, r.Version = d, r.Suite.Version
	if r.Version == "" {
		r.Version = path.Base(apiVersion)
	}
	r.server, why = r.serverOf(d, r.alone())
	if why == "" && r.server.Version(r.Version) == nil {
		why = fmt.Sprintf("%s has no version %s; use %s", d.Name, r.Version, text.Or(r.server.Versions()))
	}
	if why == "" && r.server.Version(r.Version).Err() != nil {
		why = r.server.Version(r.Version).Err().Error()
	}
	if why != "" {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: why})
		return state{}
	}
	if c.Old != nil {
		if there = r.setUp(); there.kept == nil {
			return state{}
		}
	}
	object, failure := c.made(there)
	if failure != nil {
		r.fail(*failure)
		return state{}
	}
	for i, step := range c.steps(object) {
		var x *Exchange
		if x, there = r.send(r.server, step, there); x == nil || !r.judge(x, i == len(c.Steps)) {
			return state{}
		}
	}
	r.look(there.shown)
	return there
}

// applies reports whether the case applies an object, or one that follows it does. Only an apply depends on whose the fields are.
func (c *Case) applies() bool {
	return c.Request == Apply || slices.ContainsFunc(c.Then, (*Case).applies)
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

// made is the object that the case sends. An apply sends the manifest again, and not what became of it.
func (c *Case) made(there state) (request.Object, *Failure) {
	switch {
	case c.Request == Scale:
		return c.Change.from(request.Object{})
	case there.kept == nil:
		return c.Change.from(c.Base)
	case c.Request == Apply:
		return c.Change.from(there.manifest)
	}
	return c.Change.from(there.shown)
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
		hub := d.Whole()
		if alone != "" {
			hub = only(hub, alone)
		}
		server, err := request.New(hub)
		if one.server = server; err != nil {
			one.why = "the CRD cannot be used (" + err.Error() + "); run 'crdlift lint' on the CRD"
		}
		return one
	})
	return one.server, one.why
}

// setUp makes what is there before; nothing where it is rejected.
func (r *run) setUp() (there state) {
	c := r.Case
	written, failure := c.Old.from(c.Base)
	if failure != nil {
		r.fail(*failure)
		return state{}
	}
	server, err := r.before()
	if err != nil {
		r.fail(Failure{Kind: Unrun, At: c.Before.At, Text: err.Error()})
		return state{}
	}
	first := Create
	if c.Request == Apply {
		first = Apply
	}
	steps := []Step{{Request: first, Object: written}}
	if status, has := written["status"]; has && r.versionOf(server, written).HasStatus() && status != nil {
		steps = append(steps, Step{Request: Status, Object: written})
	}
	for _, step := range steps {
		var x *Exchange
		if x, there = r.send(server, step, there); x == nil {
			return state{}
		}
		if x.Setup = true; !x.Outcome.Accepted() {
			r.refuseOld(x)
			return state{}
		}
	}
	if there.shown, err = read(r.server, r.versionOf(r.server, written), there.kept); err != nil {
		r.fail(Failure{Kind: OldRejected, At: c.OldAt, Text: err.Error()})
		return state{}
	}
	return there
}

// refuseOld says that what is to be there before is rejected.
func (r *run) refuseOld(x *Exchange) {
	rest := r.undeclared(x, x.Outcome.Causes, r.Case.Old.Set)
	if len(rest) > 0 {
		r.fail(Failure{Kind: OldRejected, At: r.Case.OldAt, Exchange: x, Causes: rest})
	}
}

// versionOf is the version that an object is sent to: its own, where the suite names none and the CRD has it, else that of the case.
func (r *run) versionOf(server *request.Server, o request.Object) *request.Version {
	if apiVersion, _ := o["apiVersion"].(string); r.Suite.Version == "" {
		if v := server.Version(path.Base(apiVersion)); v != nil && v.Err() == nil {
			return v
		}
	}
	return server.Version(r.Version)
}

// send makes a request about what is there, and returns what is there afterwards.
func (r *run) send(server *request.Server, step Step, there state) (*Exchange, state) {
	c, of := r.Case, step.Object
	if step.Request == Scale {
		of = there.shown
	}
	v := r.versionOf(server, of)
	r.Version = v.Name
	x := Exchange{Request: step.Request, Sent: step.Object, Version: v, Minor: c.Minor, Validation: c.Validation}
	if x.Request != Scale {
		x.Sent = complete(x.Sent, v.Namespaced())
	}
	err := error(nil)
	if there.kept != nil {
		x.Old, err = read(server, v, there.kept)
	}
	if err == nil {
		err = x.ask(c.applies())
	}
	if err == nil && x.Outcome.Accepted() {
		there.kept, there.shown, err = write(server, &x)
		if x.Stored = there.shown; x.Request == Create || x.Request == Apply {
			there.manifest = x.Sent
		}
	}
	if err != nil {
		r.fail(Failure{Kind: Unrun, At: c.At, Text: err.Error()})
		return nil, state{}
	}
	r.Exchanges = append(r.Exchanges, x)
	return &r.Exchanges[len(r.Exchanges)-1], there
}
