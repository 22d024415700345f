package webhook

import (
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/request"
)

const (
	editsPerField  = 2  // of a version, in different objects
	triesPerField  = 6  // to find a value that the version accepts
	editsPerObject = 3  // of one, so that others have edits as well
	triesPerObject = 12 // each of which takes long in a large object
)

// edits tries what becomes of an object of the storage version when a client edits fields of it at another one: each field until
// it was edited often enough. It returns the number of edits.
func (t *tester) edits(pair Pair, o Object, edited, tried map[string]int) (n int) {
	r := t.reader(pair, o)
	if r == nil || !r.at.Update(request.Labelled(r.served), r.served).Accepted() {
		return 0 // nobody can edit what cannot be written
	}
	left := triesPerObject
	for _, at := range paths(r.served) {
		if isHead(at[0].Key) {
			continue
		}
		field := fieldOf(r.at, at).Field()
		if edited[field] >= editsPerField {
			continue
		}
		value, _ := at.In(r.served)
		for _, other := range t.of(r.at.Name).pool[field] {
			if equal(value, other.value) || tried[field] >= triesPerField {
				continue
			}
			if n >= editsPerObject || left == 0 || t.over() != nil {
				return n
			}
			tried[field]++
			left--
			e := Edit{at, other.value}
			if written, ok := edit(r.at, r.served, e); ok {
				edited[field]++
				n++
				t.keep(editing(pair, e), o, r.lost(t, e, written))
				break
			}
		}
	}
	return n
}

func isHead(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// A reader is a client that has read an object of the storage version at another one.
type reader struct {
	pair   Pair
	at     *request.Version
	served Object
	known  func() []difference // what changes without an edit
}

// reader reads an object; nil where it cannot be read.
func (t *tester) reader(pair Pair, o Object) *reader {
	admitted, w := t.admit(t.storage, o), t.server.Version(pair.To)
	if admitted == nil {
		return nil
	}
	_, there, no := t.reread(admitted, t.storage, w)
	if no != nil {
		return nil
	}
	return &reader{pair, w, there.coerced, sync.OnceValue(func() []difference {
		unedited, _ := put(w, there.coerced)
		return t.rewritten(w, unedited)
	})}
}

// edit makes an edit of an object as a version shows it, if the version accepts that.
func edit(w *request.Version, served Object, e Edit) (Object, bool) {
	edited := with(served, e.Path, e.Value)
	if edited == nil {
		return nil, false
	}
	outcome := w.Update(edited, served)
	if e.Path[0].Key == "status" && w.HasStatus() {
		outcome = w.UpdateStatus(edited, served)
	}
	if !outcome.Accepted() {
		return nil, false
	}
	written := maps.Clone(outcome.Object)
	written["metadata"] = served["metadata"]
	return written, true
}

// editing is the trial of an edit.
func editing(pair Pair, e Edit) trial {
	return func(t *tester, o Object) []hit {
		r := t.reader(pair, o)
		if r == nil {
			return nil
		}
		edited, ok := edit(r.at, r.served, e)
		if !ok {
			return nil
		}
		return r.lost(t, e, edited)
	}
}

// lost finds what of an edit is not there afterwards, whatever else the object carries. What changes without an edit as well is
// none of it.
func (r *reader) lost(t *tester, e Edit, edited Object) (found []hit) {
	if t.broken[r.pair] || t.broken[Pair{r.pair.To, r.pair.From}] {
		return nil
	}
	for _, d := range t.rewritten(r.at, edited) {
		related := isBelow(d.path.String(), e.Path.String()) || isBelow(e.Path.String(), d.path.String())
		if !related || d.slight || d.change == Added ||
			slices.ContainsFunc(r.known(), func(k difference) bool { return k.path.String() == d.path.String() }) {
			continue
		}
		h := d.hit(EditLost, r.pair, r.at)
		h.Edit = &e
		found = append(found, h)
	}
	return found
}

// rewritten is what differs between an object that is written at a version, and what is read there afterwards.
func (t *tester) rewritten(w *request.Version, o Object) []difference {
	_, after, no := t.reread(o, w, w)
	if no != nil {
		return nil
	}
	return t.differences(w, t.storage, w.Default(o), w.Default(after.coerced))
}
