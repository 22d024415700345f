package upgrade

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// A send is a request that writes an object in the place of another one.
type send func(o, old request.Object) *request.Outcome

// trials are the requests for one object under one CRD.
type trials struct {
	write  send
	status send // nil without a status subresource

	touch, anew         *request.Outcome // with a change of the metadata only; in the place of one of which nothing is known
	sameStatus, another *request.Outcome // a status update that changes nothing; one from no status
}

// try sends an object to a version.
func (r *Replacement) try(v *request.Version, o request.Object) (t trials, err error) {
	t.write = func(o, old request.Object) *request.Outcome { return v.Update(o, old, r.options...) }
	t.anew = t.write(o, nil)
	t.touch, t.sameStatus, t.another = t.anew, nothing, nothing
	if v.HasStatus() {
		t.status = func(o, old request.Object) *request.Outcome { return v.UpdateStatus(o, old, r.options...) }
		t.another = t.status(o, without(o, "status"))
	}
	if v.Compares() || len(causes(t.anew, t.another)) > 0 { // else there is nothing to excuse
		t.touch = t.write(request.Labelled(o), o)
		if v.HasStatus() {
			t.sameStatus = t.status(o, o)
		}
	}
	return t, cmp.Or(t.touch.Err, t.anew.Err, t.sameStatus.Err, t.another.Err)
}

// nothing is the outcome of a request that is not made.
var nothing = &request.Outcome{}

// label is what is added to a part of an object for it to differ.
const label = "crdlift"

func without(o request.Object, name string) request.Object {
	o = maps.Clone(o)
	delete(o, name)
	return o
}

// write tries the writes of an object, and reports whether a touch is accepted.
func (p *prospect) write(c crossing, before, now request.Object) (touched bool, err error) {
	is, err := p.try(c.is, now)
	if err != nil {
		return false, err
	}
	created := c.is.Create(asNew(now))
	if created.Err != nil {
		return false, created.Err
	}
	if touched = is.touch.Accepted(); len(is.all())+len(causes(created)) == 0 {
		return touched, nil
	}
	was, err := p.try(c.was, before)
	if err != nil {
		return false, err
	}
	known := keysOf(append(was.all(), causes(c.was.Create(asNew(before)))...))
	always := p.always(c.is, is, was)
	p.stuckStatus(c.is, is, was, always)
	p.whenChanged(c.is, excuses{is.write, now, is.touch, is.anew}, excuses{was.write, before, was.touch, was.anew}, known, isBody)
	if is.status != nil {
		p.whenChanged(c.is, excuses{is.status, now, is.sameStatus, is.another}, was.statusExcuses(before), known, isStatus)
	}
	for _, cause := range refusals(created) {
		if !known.has(cause) && !p.keys.has(cause) {
			p.add(Effect{Class: RefusedOnCreate, Version: c.is.Name, Cause: cause})
		}
	}
	return touched, nil
}

func (t trials) all() []*request.Cause { return causes(t.touch, t.anew, t.sameStatus, t.another) }

// asNew is an object as a client would create it anew: without a status, and without the one field of the server's that a create
// does not wipe.
func asNew(o request.Object) request.Object {
	o = without(o, "status")
	if meta, ok := o["metadata"].(map[string]any); ok {
		o["metadata"] = without(meta, "resourceVersion")
	}
	return o
}

// always adds what rejects a touch, and returns it.
func (p *prospect) always(v *request.Version, is, was trials) keys {
	all, known, stuck := refusals(is.touch), keysOf(refusals(was.touch)), keysOf(refusals(is.sameStatus))
	for _, cause := range all {
		if known.has(cause) {
			p.Before = true
			continue
		}
		p.add(Effect{
			Class: RefusedAlways, Version: v.Name, Cause: cause,
			Status: stuck.has(cause), StatusOpen: is.sameStatus.Accepted(),
		})
	}
	return keysOf(all)
}

// stuckStatus adds what rejects each update of the status, besides what rejects every write.
func (p *prospect) stuckStatus(v *request.Version, is, was trials, always keys) {
	known := keysOf(refusals(was.sameStatus))
	for _, cause := range refusals(is.sameStatus) {
		if !always.has(cause) && !known.has(cause) {
			p.add(Effect{Class: RefusedStatus, Version: v.Name, Cause: cause})
		}
	}
}

// excuses are what a server excuses of an object in one kind of request: what it says to one that changes nothing is less than
// what it says to one in the place of something unknown.
type excuses struct {
	send
	object          request.Object
	same, ofUnknown *request.Outcome
}

// statusExcuses are those of writes of the status: of the whole object where that is no subresource.
func (t trials) statusExcuses(o request.Object) excuses {
	if t.status == nil {
		return excuses{t.write, o, t.touch, t.anew}
	}
	return excuses{t.status, o, t.sameStatus, t.another}
}

// whenChanged adds what rejects a request as soon as something changes in a part of the object that the request is about. What
// the old CRD rejects as well is no news, unless it is excused for a smaller part only.
func (p *prospect) whenChanged(v *request.Version, is, was excuses, known keys, about func(request.Path) bool) {
	same := keysOf(refusals(is.same))
	all := slices.DeleteFunc(causes(is.ofUnknown, is.same), same.has)
	before := was.scopesOf(slices.DeleteFunc(slices.Clone(all), func(c *request.Cause) bool { return !known.has(c) }))
	scopes := is.scopesOf(all)
	for _, cause := range all {
		scope := scopes[cause]
		if known.has(cause) && (!scope.found || len(before[cause].part) <= len(scope.part)) {
			p.Before = true
			continue
		}
		if scope.found && about(scope.part) {
			p.add(Effect{Class: classOf(is.object, scope.part), Version: v.Name, Cause: cause, Scope: scope.part})
		}
	}
}

// classOf is the class of an effect on what holds a part: a controller goes on writing its status, and nothing else in a part of
// that. A value that is wrong alone is one that the controller corrects when it writes another.
func classOf(o request.Object, scope request.Path) Class {
	value, _ := scope.In(o)
	switch value.(type) {
	case map[string]any, []any:
		if isStatus(scope) {
			return RefusedStatus
		}
	}
	return RefusedWhenChanged
}

func isStatus(at request.Path) bool { return len(at) > 0 && at[0].Key == "status" }

// isBody reports whether a path is that of what clients change: not the object itself, and none of its head.
func isBody(at request.Path) bool { return len(at) > 0 && !isHead(at[0].Key) }
