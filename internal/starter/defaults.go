package starter

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// first adds the case of the base, with the defaults that it gets.
func (w *writer) first(which Which) {
	c := w.newCase("minimal")
	if out := w.v.Create(w.base); which != RulesOnly {
		if c.Want.Stored = w.given(out); len(c.Want.Stored) > 0 {
			c.Name = "defaults"
		}
	}
	w.sends(w.base)
	w.append(c)
}

// given are the defaults that an object is given and that no case shows yet.
func (w *writer) given(out *request.Outcome) (stored []suite.Setting) {
	for _, c := range out.Changes {
		value, has := c.Path.In(out.Object)
		if c.Kind == request.Defaulted && has && !slices.ContainsFunc(w.defaulted, func(at request.Path) bool { return at.Leads(c.Path) }) {
			stored = append(stored, suite.Setting{Path: c.Path, Value: value})
			w.defaulted = append(w.defaulted, c.Path)
		}
	}
	return stored
}

// defaults adds a case that shows the defaults of an object, unless one shows that of the constraint.
func (w *writer) defaults(t *target) {
	shown := func() bool {
		return slices.ContainsFunc(w.defaulted, func(at request.Path) bool { return at.Leads(t.place) })
	}
	if t.status || shown() || len(t.node) == 0 {
		return
	}
	for _, o := range t.around(t.node[:len(t.node)-1]) {
		o = clone(o)
		t.place.Remove(o)
		before := w.defaulted
		stored := w.given(t.send(o))
		if !shown() {
			w.defaulted = before
			continue
		}
		one := w.newCase(w.name("defaults of " + t.place[:len(t.place)-1].Field()))
		one.Change, one.Want.Stored = suite.Difference(w.base, o), stored
		w.sends(o)
		w.append(one)
		return
	}
}
