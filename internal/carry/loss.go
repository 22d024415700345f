package carry

import (
	"slices"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/text"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apimachinery/pkg/runtime"
)

// converted carries an object by a webhook; given is what is written. It is nil for one that is left as it is.
func (c *carrying) converted(given Object) Object {
	if c.part {
		c.note("migrate-not-alike", nil, text.Sprintf("a webhook cannot convert a part of an object; render the whole object first"))
		return nil
	}
	for _, s := range c.stands {
		if s.chosen {
			c.note("migrate-not-alike", s.at, text.Sprintf("the webhook may convert each value of the placeholder differently; render the manifest first"))
			return nil
		}
	}
	if !c.webhook.isStable(true) {
		c.unproven(nil)
		return nil
	}
	o, err := c.from.Coerce(c.object)
	if err != nil {
		c.sameCauses(c.to.Create(c.object))
		return nil
	}
	var also []Object
	if c.storage == c.to {
		also = append(also, admitted(c.from, c.object, c.was))
	}
	raw, err := c.trace(o, also...)
	if err != nil {
		return c.unconverted(err)
	}
	for i := range c.stands {
		for _, l := range c.leaves {
			if s := &c.stands[i]; l.at.Compare(s.at) == 0 {
				s.to = l.to[:len(l.to):len(l.to)]
			}
		}
	}
	c.hideAnnotations(o)
	w := runtime.DeepCopyJSON(c.shownWithout(raw)) // what is judged by is not to change
	if !c.prove(w, c.to.Create(w)) {
		return nil
	}
	w = c.takeOutFillIns(w)
	if !c.judge(o, raw, w) {
		return nil
	}
	c.keepUndeclared(w, given)
	c.traces(w)
	c.restore(w)
	return w
}

// hideAnnotations finds those in which the webhook keeps values of the object.
func (c *carrying) hideAnnotations(o Object) {
	c.hidden = map[string]bool{}
	for _, l := range c.leaves {
		for _, at := range l.to {
			if _, was := at.In(o); !was && isAnnotation(at) && !c.carrier.KeepAnnotations {
				c.hidden[at[2].Key] = true
			}
		}
	}
}

func isAnnotation(at request.Path) bool { return isText(at) && at[1].Key == "annotations" }

// shownWithout is an object at the target version without a status that no create writes, and without the hidden annotations.
func (c *carrying) shownWithout(o Object) Object {
	if c.to.HasStatus() {
		o = without(o, []request.Path{request.Keys("status")})
	}
	for name := range c.hidden {
		at := request.Keys("metadata", "annotations", name)
		o = without(o, []request.Path{at})
	}
	if annotations, there := request.Keys("metadata", "annotations").In(o); there && len(c.hidden) > 0 && saysNothing(annotations) {
		o = without(o, []request.Path{request.Keys("metadata", "annotations")})
	}
	return o
}

// shownBy is shown for a webhook.
func (c *carrying) shownBy(at *request.Version, o Object) (Object, error) {
	stored := o
	var err error
	if at != c.storage {
		if stored, err = c.convertOne(c.storage, o); err != nil {
			return nil, err
		}
	}
	if stored, err = c.server.Decode(stored); err != nil {
		return nil, err
	}
	shown, err := c.convertOne(c.to, stored)
	return c.shownWithout(shown), err
}

func (c *carrying) convertOne(to *request.Version, o Object) (Object, error) {
	all, err := c.convert(to, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// judge notes which values of an object are lost on the way, and reports whether none is that may not be. Raw is what the webhook made
// of the object first: it has to do so again after it saw another one.
func (c *carrying) judge(o, raw, w Object) bool {
	back, err := c.convertOne(c.from, w)
	if err != nil && isFinal(err) {
		c.unconverted(err)
		return false
	}
	again, there, err := c.ask(o, back)
	if err != nil {
		c.unconverted(err)
		return false
	}
	if there == nil {
		c.note("migrate-unproven", nil, text.Sprintf("the webhook does not convert the object back to %s, so crdlift may miss lost fields; compare both objects by hand", c.From))
		c.out.Notes[len(c.out.Notes)-1].Warn = true
		back = nil
	}
	if !c.webhook.isStable(layout.Same(again, raw)) {
		return c.unproven(nil)
	}
	got, err := c.shown(c.to, admitted(c.to, w, c.to.Create(w)))
	if err != nil {
		return c.unshown(err)
	}
	for _, l := range c.leaves {
		if why := c.lossOf(l, w, got, back, there); why != (text.Text{}) && !c.mayGo(l.at) {
			c.note("migrate-lost", l.at, why)
		}
	}
	return !c.refused()
}

// ask has the object converted again after another one, and what came back, which is nil where nothing did. There is nil where the webhook
// does not convert that.
func (c *carrying) ask(o, back Object) (again, there Object, err error) {
	for _, other := range []Object{c.webhook.another(c.Way), nil} {
		all := []Object{o}
		if other != nil {
			all = []Object{other, o}
		}
		if back != nil {
			all = append(all, back)
		}
		answers, err := c.asked(c.to, all...)
		switch {
		case err == nil && back != nil:
			return answers[len(all)-2], answers[len(all)-1], nil
		case err == nil:
			return answers[len(all)-1], nil, nil
		case isFinal(err):
			return nil, nil, err
		}
		c.webhook.setAnother(c.Way, o)
	}
	answers, err := c.asked(c.to, o)
	if err != nil {
		return nil, nil, err
	}
	return answers[0], nil, nil
}

// lossOf says why a value is lost; nothing for one that is not. Got is what the server shows of what is written, back what the webhook
// makes of that at the object's version, and there what it makes of that again; both nil where it makes nothing.
func (c *carrying) lossOf(l *leaf, w, got, back, there Object) text.Text {
	var lost text.Text
	equal := func(is any) bool {
		return layout.Same(is, l.value) || internalwebhook.Respelled(c.from.Declared(l.at), l.value, is)
	}
	equalIn := func(o Object, at request.Path) bool {
		value, found := at.In(o)
		return found && equal(value)
	}
	if !slices.ContainsFunc(l.to, func(at request.Path) bool { return !isAnnotation(at) || !c.hidden[at[2].Key] }) && len(l.to) > 0 {
		return text.Sprintf("%s does not declare it, but the webhook keeps it in an annotation; write that annotation with --keep-annotations", c.To)
	}
	if l.known && len(l.to) == 0 && !l.stays(w) {
		return text.Sprintf("%s does not keep it, so it would be lost; remove it, or allow that with --allow-loss", c.To)
	}
	for _, at := range l.to {
		shown, found := at.In(got)
		if _, written := at.In(w); isZero(l.value) && !written && found && !layout.Same(shown, l.value) && !isZero(shown) {
			return text.Sprintf("%s has a default in its place, and the webhook drops the value; remove the value, or allow that with --allow-loss", c.To)
		}
	}
	is, found := l.at.In(back)
	switch {
	case back == nil, found && equal(is), saysNothing(l.value), !found && isZero(l.value) && !c.isWritten(l, w):
		return lost
	case !found && c.isField(l.at, back): // another field may mean the same there, and that one may be preferred
		for _, at := range append(slices.Clone(l.to), l.at) {
			if equalIn(w, at) && equalIn(there, at) {
				return lost
			}
		}
	}
	return text.Sprintf("the webhook changes it on the way back to %s, so it would be lost; remove it, or allow that with --allow-loss", c.From)
}

// isWritten reports whether there is something, at the target version, where a value has gone.
func (c *carrying) isWritten(l *leaf, w Object) bool {
	return slices.ContainsFunc(l.to, func(at request.Path) bool { value, _ := at.In(w); return !isZero(value) })
}

// isField reports whether the first step of a path that there is nothing at is a field, and no item or entry of a map.
func (c *carrying) isField(at request.Path, in Object) bool {
	for i, step := range at {
		if _, found := at[:i+1].In(in); !found {
			above := c.from.Declared(at[:i])
			return !step.IsIndex() && (above == nil || above.AdditionalProperties == nil)
		}
	}
	return false
}

// isZero reports whether a value is one that clients in Go do not tell from none.
func isZero(value any) bool {
	return saysNothing(value) || value == false || value == int64(0) || value == 0.0
}

// keepUndeclared puts back what the object's version drops, where the target version drops it as well.
func (c *carrying) keepUndeclared(w, given Object) {
	for _, at := range c.undeclared {
		value, _ := at.In(given)
		above, there := at[:len(at)-1].In(w)
		if members, is := above.(map[string]any); !is || !there || members[at[len(at)-1].Key] != nil {
			c.out.LeftOut = append(c.out.LeftOut, at)
			continue
		}
		if c.to.Declared(at) != nil || c.to.Keeps(at[:len(at)-1]) {
			c.note("migrate-refused", at, text.Sprintf("%s drops it and %s does not, so it would take effect; remove it first", c.From, c.To))
			continue
		}
		at.Set(w, value)
	}
}

// isStable reports whether the webhook has always answered as before; so is whether it does now.
func (w *webhook) isStable(so bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unstable = w.unstable || !so
	return !w.unstable
}

// another is an object of the version that a way leads from: first one with as many values as there can be; nil for none.
func (w *webhook) another(of *Way) Object {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, made := w.others[of.From]; !made {
		w.others[of.From], _ = sample.New(of.server, of.From, 1).Fullest()
	}
	return w.others[of.From]
}

// setAnother puts another one in its place, as the webhook does not take it.
func (w *webhook) setAnother(of *Way, o Object) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.others[of.From] = o
}
