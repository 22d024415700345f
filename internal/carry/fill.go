package carry

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/runtime"
)

// takeOutFillIns is the converted object without what the webhook adds by itself, as far as nothing depends on that.
func (c *carrying) takeOutFillIns(w Object) Object {
	all := c.unexplained(w)
	if len(all) == 0 {
		return w
	}
	if bare := without(w, all); c.showsSame(w, bare, nil) {
		c.out.LeftOut = all
		return bare
	}
	likely := slices.DeleteFunc(slices.Clone(all), func(at request.Path) bool { return c.webhook.keeps(c.Way, at, false) })
	back, err := c.convert(c.from, w, without(w, all), without(w, likely)) // settle most often asks for the last
	if err != nil {
		back, err = c.convert(c.from, w, without(w, all))
	}
	out := slices.DeleteFunc(slices.Clone(all), func(at request.Path) bool {
		value, _ := at.In(w)
		if saysNothing(value) {
			return false
		}
		return err != nil || !c.addsBack(w, at, back[0], back[1])
	})
	out = c.settle(w, nil, out)
	for _, at := range all {
		if !slices.ContainsFunc(out, func(p request.Path) bool { return p.Compare(at) == 0 }) {
			c.webhook.keeps(c.Way, at, true)
			c.noteAt("migrate-written", at, text.Sprintf("the webhook adds this value though nothing in %s asks for it; crdlift writes it: check whether you want it", c.From))
		}
	}
	c.out.LeftOut = out
	return without(w, out)
}

// addsBack reports whether the webhook fills in all that a value of the target version has on the way back as well, where the object has
// none: it is there with the value, and without it. It may stand in another place there, which is one with a text that is equal, or one
// that depends on it: there are many equal numbers.
func (c *carrying) addsBack(w Object, at request.Path, with, bare Object) bool {
	value, _ := at.In(w)
	if added, found := at.In(bare); found && layout.Same(added, value) {
		return true
	}
	all := true
	eachLeaf(value, at, func(at request.Path, value any) {
		var added []request.Path // where the same is filled in
		eachLeaf(bare, nil, func(at request.Path, is any) {
			if _, written := at.In(c.object); !written && layout.Same(is, value) {
				added = append(added, slices.Clone(at))
			}
		})
		_, text := value.(string)
		all = all && (saysNothing(value) || len(added) > 0 && (text || c.depends(w, at, with, added)))
	})
	return all
}

// depends reports whether one of some places depends on a value of an object on the way back.
func (c *carrying) depends(w Object, at request.Path, back Object, places []request.Path) bool {
	value, _ := at.In(w)
	other := runtime.DeepCopyJSON(w)
	at.Set(other, c.unlike(&leaf{at: at, value: value}, 0))
	changed, err := c.convertOne(c.from, other)
	if err != nil {
		return false
	}
	var differ []difference
	compare(nil, back, changed, back, true, &differ)
	return slices.ContainsFunc(differ, func(d difference) bool {
		return slices.ContainsFunc(places, func(at request.Path) bool { return at.Compare(d.at) == 0 })
	})
}

// keeps reports whether a value had to stay in another object of a way; or it notes that. Only what is asked for first depends on it.
func (w *webhook) keeps(of *Way, at request.Path, so bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := of.From + " " + at.Field()
	w.kept[key] = w.kept[key] || so
	return w.kept[key]
}

// unexplained are the largest values of the converted object that nothing of the object has to do with.
func (c *carrying) unexplained(w Object) (all []request.Path) {
	explained := map[string]bool{}
	explain := func(at request.Path) {
		for i := range at {
			explained[at[:i+1].String()] = true
		}
	}
	eachLeaf(c.object, nil, func(at request.Path, value any) {
		if is, there := at.In(w); there && layout.Same(is, value) {
			explain(at)
		}
	})
	for _, l := range c.leaves {
		for _, at := range l.to {
			explain(at)
		}
	}
	for _, a := range c.added {
		explain(a.at)
	}
	var look func(at request.Path, value any)
	look = func(at request.Path, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				below := at.To(request.Key(name))
				switch {
				case explained[below.String()]:
					look(below, value[name])
				case len(at) > 0 || !slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
					all = append(all, below)
				}
			}
		case []any: // an item cannot go without those after it taking its place
			for i, item := range value {
				look(at.To(request.Index(i)), item)
			}
		}
	}
	look(nil, w)
	return all
}

// settle finds out which of some values can be left out together with those that are left out already.
func (c *carrying) settle(w Object, left, some []request.Path) (all []request.Path) {
	if len(some) == 0 {
		return nil
	}
	together := slices.Concat(left, some)
	switch half := len(some) / 2; {
	case c.fits(w, without(w, together), together):
		return some
	case len(some) > 1:
		all = c.settle(w, left, some[:half])
		return append(all, c.settle(w, append(slices.Clone(left), all...), some[half:])...)
	}
	return nil
}

// fits reports whether an object may be written in the place of another, of which some values are left out: the server shows the same
// but for these, with nothing in their places, and both come to the same on the way back and there again.
func (c *carrying) fits(w, bare Object, left []request.Path) bool {
	if !c.showsSame(w, bare, left) {
		return false
	}
	back, err := c.convert(c.from, w, bare)
	if err != nil {
		return !slices.ContainsFunc(left, func(at request.Path) bool { value, _ := at.In(w); return !saysNothing(value) })
	}
	again, err := c.convert(c.to, back...)
	return err == nil && layout.Same(again[0], again[1])
}

// showsSame reports whether the server shows the same of two objects at the target version, but for values that are left out of one.
func (c *carrying) showsSame(w, bare Object, left []request.Path) bool {
	was, is := c.to.Create(w), c.to.Create(bare)
	if !slices.EqualFunc(c.counting(was), c.counting(is), func(a, b request.Cause) bool { return causeKey(a) == causeKey(b) }) {
		return false
	}
	want, err := c.shown(c.to, admitted(c.to, w, was))
	if err != nil {
		return false
	}
	got, err := c.shown(c.to, admitted(c.to, bare, is))
	if err != nil {
		return false
	}
	var differ []difference
	compare(nil, want, got, bare, true, &differ)
	return !slices.ContainsFunc(differ, func(d difference) bool {
		within := func(at request.Path) bool { return at.Leads(d.at) || d.at.Leads(at) }
		return !saysNothing(d.got) || !slices.ContainsFunc(left, within)
	})
}

func without(o Object, all []request.Path) Object {
	o = runtime.DeepCopyJSON(o)
	for _, at := range all {
		at.Remove(o)
	}
	return o
}

// saysNothing reports whether a value is null or empty, or has nothing but such members. False and 0 say something.
func saysNothing(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			if !saysNothing(member) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	}
	return value == nil || value == ""
}
