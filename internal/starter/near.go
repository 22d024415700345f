package starter

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/suite"
)

// around are accepted objects with a value at a node, those that are most like the base first. They are not to be changed.
func (t *target) around(node sample.Path) (all []request.Object) {
	if known, ok := t.known[node.String()]; ok {
		return slices.Clone(known)
	}
	defer func() { t.known[node.String()] = slices.Clone(all) }()
	place := sample.Concrete(node)
	add := func(o request.Object) {
		if _, has := place.In(o); has && t.takes(o) && !slices.ContainsFunc(all, func(other request.Object) bool { return suite.Equal(o, other) }) {
			all = append(all, o)
		}
	}
	add(clone(t.base))
	if full, ok := t.g.At(node); ok {
		full["metadata"] = runtime.DeepCopyJSONValue(t.named)
		add(graft(t.base, full, place))
		add(full)
	}
	return all
}

// graft is the base with as much of another object as has the value at a place.
func graft(base, full request.Object, place request.Path) request.Object {
	o := clone(base)
	for i, step := range place {
		if _, has := place[:i+1].In(o); has {
			continue
		}
		at := place[:i+1]
		if step.IsIndex() {
			at = place[:i]
		}
		if value, has := at.In(full); has {
			at.Set(o, runtime.DeepCopyJSONValue(value))
		}
		break
	}
	return o
}

// shrink takes back what is not needed of the changes that make an object of an accepted one.
func (t *target) shrink(bad, good request.Object) request.Object {
	for again := true; again; {
		again = false
		c := suite.Difference(good, bad)
		for i := range size(c) {
			if less := without(bad, good, c, i); size(c) > 1 && t.only(less) {
				bad, again = less, true
				break
			}
		}
	}
	return bad
}

// near is an accepted object that differs from one that is not in as few paths as possible, at most in two; nil where none is found.
func (t *target) near(bad, good request.Object) request.Object {
	c := suite.Difference(good, bad)
	if size(c) == 1 {
		return good
	}
	for i := range size(c) {
		if o := without(bad, good, c, i); t.takes(o) {
			return o
		}
	}
	if size(c) == 2 {
		return good
	}
	return nil
}
