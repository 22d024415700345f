package upgrade

import (
	"cmp"
	"maps"

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
		t.touch = t.write(labelled(o), o)
		if v.HasStatus() {
			t.sameStatus = t.status(o, o)
		}
	}
	return t, cmp.Or(t.touch.Err, t.anew.Err, t.sameStatus.Err, t.another.Err)
}

// nothing is the outcome of a request that is not made.
var nothing = &request.Outcome{}

// label is what a touch adds to an object.
const label = "crdlift"

// labelled is an object with one more label: a write as small as that of a finalizer's removal.
func labelled(o request.Object) request.Object {
	o = maps.Clone(o)
	meta, _ := o["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	labels, _ := meta["labels"].(map[string]any)
	labels = maps.Clone(labels)
	if meta == nil {
		meta = map[string]any{}
	}
	if labels == nil {
		labels = map[string]any{}
	}
	labels[label], meta["labels"], o["metadata"] = label, labels, meta
	return o
}

// without is an object without a member.
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
	known := append(was.all(), causes(c.was.Create(asNew(before)))...)
	always := p.always(c.is, is, was)
	p.stuckStatus(c.is, is, was, always)
	p.whenChanged(c.is, is, now, known)
	p.whenStatusChanged(c.is, is, now, known)
	for _, cause := range refusals(created) {
		if !has(known, cause) && !p.tells(cause) {
			p.add(Effect{Class: RefusedOnCreate, Version: c.is.Name, Cause: cause})
		}
	}
	return touched, nil
}

// all are the causes of all requests.
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

// always adds what refuses a touch, and returns it.
func (p *prospect) always(v *request.Version, is, was trials) []*request.Cause {
	all := refusals(is.touch)
	for _, cause := range all {
		if has(refusals(was.touch), cause) {
			p.Before = true
			continue
		}
		p.add(Effect{Class: RefusedAlways, Version: v.Name, Cause: cause, Status: is.status != nil && has(refusals(is.sameStatus), cause)})
	}
	return all
}

// stuckStatus adds what refuses each update of the status, besides what refuses every write.
func (p *prospect) stuckStatus(v *request.Version, is, was trials, always []*request.Cause) {
	if is.status == nil {
		return
	}
	for _, cause := range refusals(is.sameStatus) {
		if !has(always, cause) && !(was.status != nil && has(refusals(was.sameStatus), cause)) {
			p.add(Effect{Class: RefusedStatus, Version: v.Name, Cause: cause})
		}
	}
}

// whenChanged adds what refuses a write as soon as something changes.
func (p *prospect) whenChanged(v *request.Version, is trials, now request.Object, known []*request.Cause) {
	for _, cause := range causes(is.anew, is.touch) {
		if has(refusals(is.touch), cause) {
			continue
		}
		if has(known, cause) {
			p.Before = true
			continue
		}
		scope, found := scopeOf(is.write, now, cause)
		if !found || isName(scope) {
			continue
		}
		p.add(Effect{Class: classOf(now, scope), Version: v.Name, Cause: cause, Scope: scope})
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

// isName reports whether a path is that of what cannot change.
func isName(at request.Path) bool { return len(at) == 0 || isHead(at[0].Key) }

// whenStatusChanged adds what refuses an update of the status as soon as something in it changes.
func (p *prospect) whenStatusChanged(v *request.Version, is trials, now request.Object, known []*request.Cause) {
	if is.status == nil {
		return
	}
	for _, cause := range causes(is.another, is.sameStatus) {
		if has(refusals(is.sameStatus), cause) {
			continue
		}
		if has(known, cause) {
			p.Before = true
			continue
		}
		if scope, found := scopeOf(is.status, now, cause); found && isStatus(scope) {
			p.add(Effect{Class: classOf(now, scope), Version: v.Name, Cause: cause, Scope: scope})
		}
	}
}
