package webhook

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// restored finds that a value is back that a client has removed. A default is no such value: it is there whatever the webhook carries
// in annotations, and has one value only, while a second object gets back what that one had.
func (r *reader) restored(t *tester, e Edit, edited Object) []hit {
	value, _ := e.Path.In(r.at.Default(r.served))
	if !r.isBack(t, e, edited, value) || r.isBack(t, e, r.bare(edited), value) {
		return nil
	}
	if !e.Path[len(e.Path)-1].IsIndex() {
		second := r.second(t, e)
		if second == nil {
			return nil
		}
		another, _ := e.Path.In(second.at.Default(second.served))
		edited, ok := edit(second.at, second.served, e)
		if !ok || equal(another, value) || !second.isBack(t, e, edited, another) {
			return nil
		}
	}
	return []hit{r.hit(difference{path: e.Path, change: Added, is: value}, r.at, e)}
}

// isBack reports whether a value is there after an object was written without it.
func (r *reader) isBack(t *tester, e Edit, edited Object, value any) bool {
	after := r.after(t, edited)
	if after == nil {
		return false
	}
	after = r.at.Default(after)
	if last := len(e.Path) - 1; e.Path[last].IsIndex() {
		list, _ := e.Path[:last].In(after)
		items, _ := list.([]any)
		return slices.ContainsFunc(items, func(item any) bool { return equal(item, value) })
	}
	is, there := e.Path.In(after)
	return there && equal(is, value)
}

// second reads the object with another value in the place of the one that is removed; nil where it cannot be written.
func (r *reader) second(t *tester, e Edit) *reader {
	e.Removed = false
	other, ok := edit(r.at, r.served, e)
	if !ok {
		return nil
	}
	stored, no := t.store(other, r.at)
	if no != nil {
		return nil
	}
	return t.reader(r.pair, stored, e.Stored)
}

// movedUp finds that the other items of a list do not keep what they have at the storage version when a client removes the first one.
// What the webhook makes of the object alone is its choice.
func (r *reader) movedUp(t *tester, e Edit, edited Object) (found []hit) {
	s := t.storage
	if e.Stored || !e.Path[len(e.Path)-1].IsIndex() {
		return nil
	}
	before, no := t.visit(r.own, r.at)
	if no != nil {
		return nil
	}
	changes := func(edited Object) []difference {
		_, after, no := t.reread(edited, r.at, s)
		if no != nil {
			return nil
		}
		return t.differences(s, r.at, s.Default(before), s.Default(after.coerced))
	}
	all := changes(edited)
	for _, gone := range all {
		list, ok := onlyGone(s, gone, all)
		for _, d := range all {
			if !ok || d.slight || d.change == Added || len(d.path) <= len(gone.path) || !isBelow(d.path.String(), list.String()) {
				continue
			}
			alone := func(other difference) bool { return other.path.String() == d.path.String() && equal(other.is, d.is) }
			if d.change == Lost || !slices.ContainsFunc(changes(r.bare(edited)), alone) {
				found = append(found, r.hit(d, s, e))
			}
		}
	}
	return found
}

// onlyGone is the list of which a difference is that an item is gone, if it has keys by which others are found again, and all others
// are there.
func onlyGone(v *request.Version, gone difference, all []difference) (request.Path, bool) {
	list, last := gone.path[:len(gone.path)-1], gone.path[len(gone.path)-1]
	if s := v.Declared(list); gone.change != Lost || !last.IsIndex() || s == nil || s.XListType == nil || *s.XListType != "map" {
		return nil, false
	}
	return list, !slices.ContainsFunc(all, func(d difference) bool {
		return len(d.path) == len(gone.path) && isBelow(d.path.String(), list.String()) && d.path.String() != gone.path.String()
	})
}
