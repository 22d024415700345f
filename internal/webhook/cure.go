package webhook

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"k8s.io/apimachinery/pkg/runtime"
)

// Some fields only code can read: a duration in a text without a format, say. The schema accepts what is made for them, the webhook
// rejects it, and with it each object that has most fields, so that nothing would be known of the others. Such a field gets values
// that the webhook takes, in all objects that it does not convert.

// A cure is what makes a webhook convert objects that it fails for.
type cure struct {
	at     request.Path // where the field was found
	values []any        // that it takes; none where the field has to go
	absent bool         // objects fail without it
}

const (
	maxCures   = 20 // fields of a version
	maxValues  = 3  // of a cure, so that a loss shows and a client has something to change
	maxUncured = 2  // objects of which nothing is learned of an error
)

// heal is an object that is converted, made of one of a version that is not, as its trial found; nil where none is.
func (t *tester) heal(tr trial, version string, o Object, found []hit, try func(Object) []hit) Object {
	again, changed := o, false
	for range maxCures {
		i := slices.IndexFunc(found, func(h hit) bool { return h.Property == Failed })
		switch {
		case t.over() != nil:
			return nil
		case i >= 0:
		case changed:
			return again
		default:
			return nil
		}
		next := t.cured(version, again)
		if next == nil && t.diagnose(tr, version, again, found[i]) {
			next = t.cured(version, again)
		}
		if next == nil {
			return nil
		}
		again, changed = next, true
		found = try(again)
	}
	return nil
}

// cured is an object with the cures of its version; nil where they change nothing, or the version rejects it then.
func (t *tester) cured(version string, o Object) Object {
	cures := t.of(version).cures
	if len(cures) == 0 {
		return nil
	}
	again, changes := runtime.DeepCopyJSON(o), false
	for _, at := range paths(o) {
		c, found := cures[t.field(version, at)]
		value, there := at.In(again)
		switch {
		case !found || !there || slices.ContainsFunc(c.values, func(good any) bool { return equal(good, value) }):
		case len(c.values) == 0:
			changes = at.Remove(again) || changes
		default:
			changes = at.Set(again, runtime.DeepCopyJSONValue(c.values[len(canonical(o))%len(c.values)])) || changes
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cures)) {
		c := cures[name]
		if _, there := c.at.In(again); !there && len(c.values) > 0 && c.missing() {
			changes = c.at.Set(again, runtime.DeepCopyJSONValue(c.values[0])) || changes
		}
	}
	if !changes || t.admit(t.server.Version(version), again) == nil {
		return nil
	}
	return again
}

// missing reports whether objects fail without the field. One in a list has no place of its own.
func (c cure) missing() bool {
	return c.absent && !slices.ContainsFunc(c.at, request.Step.IsIndex)
}

// diagnose finds the field that an object fails with, or without, and what cures it.
func (t *tester) diagnose(tr trial, version string, o Object, h hit) bool {
	s, key := t.of(version), t.keyOf(&h.Finding)
	if len(s.cures) == maxCures || t.uncured[key] == maxUncured {
		return false
	}
	r := &record{Finding: h.Finding, key: key, trial: tr}
	r.Object = o
	t.minimize(r)
	field := t.field(version, r.Path)
	if _, known := s.cures[field]; len(r.Path) == 0 || known || r.unsure {
		t.uncured[key]++
		return false
	}
	c := cure{at: r.Path, absent: r.Missing}
	if r.remedy != nil {
		c.values = append(c.values, r.remedy)
	}
	for _, other := range t.candidates(version, r.Path, r.Object) {
		if len(c.values) == 0 || len(c.values) == maxValues || t.left <= 0 {
			break
		}
		if changed := with(r.Object, r.Path, other); !slices.ContainsFunc(c.values, func(v any) bool { return equal(v, other) }) &&
			changed != nil && t.heals(r, t.server.Version(version), changed) {
			c.values = append(c.values, other)
		}
	}
	s.cures[field] = c
	delete(s.pool, field)
	for _, value := range c.values {
		s.pool[field] = append(s.pool[field], placedValue{r.Path, value})
	}
	if len(c.values) == 0 {
		t.remark("no value that crdlift made for %s of %s is converted, so crdlift tested the rest without it; add objects with --samples", field, version)
	}
	t.blamed(key, h, r)
	return true
}

// blamed tells the field in the finding of its error. Others may have the same error.
func (t *tester) blamed(key key, h hit, r *record) {
	known := t.found[key]
	switch {
	case known == nil || h.Object != nil:
	case !known.small:
		t.take(known, r.Finding)
		known.small = true
	default:
		known.Also = append(known.Also, r.Path)
	}
}

// candidates are values that may be what a field is for: those that samples have there or in a field of the same name, and texts
// of the forms that its name and its description suggest.
func (t *tester) candidates(version string, at request.Path, o Object) (all []any) {
	v := t.server.Version(version)
	value, found := at.In(o)
	if _, isText := value.(string); !isText && found {
		return t.pooled(version, at)
	}
	field, last := t.field(version, at), at[len(at)-1]
	var there, elsewhere []any
	for _, o := range t.o.Samples {
		each(nil, o, func(other request.Path, value any) {
			switch _, isText := value.(string); {
			case !isText:
			case t.field(versionAt(o), other) == field:
				there = append(there, value)
			case !last.IsIndex() && other[len(other)-1] == last:
				elsewhere = append(elsewhere, value)
			}
		})
	}
	all = append(append(there, elsewhere...), t.pooled(version, at)...)
	if s := v.Declared(at); s != nil && s.Type == "string" {
		for _, text := range sample.Forms(last.Key, s.Description) {
			all = append(all, text)
		}
	}
	return all
}

// pooled are the values of a field that objects of the version have.
func (t *tester) pooled(version string, at request.Path) (all []any) {
	for _, other := range t.of(version).pool[t.field(version, at)] {
		all = append(all, other.value)
	}
	return all
}
