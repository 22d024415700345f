package webhook

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
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
	w := t.server.Version(pair.To)
	served := t.servedAt(w, o)
	if served == nil || !w.Update(request.Labelled(served), served).Accepted() {
		return 0 // nobody can edit what cannot be written
	}
	left := triesPerObject
	for _, at := range paths(served) {
		if isHead(at[0].Key) {
			continue
		}
		field := fieldOf(w, at).Field()
		if edited[field] >= editsPerField {
			continue
		}
		value, _ := at.In(served)
		for _, other := range t.pool[w.Name][field] {
			if equal(value, other) || tried[field] >= triesPerField {
				continue
			}
			if n >= editsPerObject || left == 0 || t.over() != nil {
				return n
			}
			tried[field]++
			left--
			if _, ok := edit(w, served, Edit{at, other}); ok {
				edited[field]++
				n++
				t.try(editing(pair, Edit{at, other}), o)
				break
			}
		}
	}
	return n
}

func isHead(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// servedAt is an object of the storage version as another one shows it; nil where it does not.
func (t *tester) servedAt(w *request.Version, o Object) Object {
	admitted := admit(t.storage, o)
	if admitted == nil {
		return nil
	}
	_, there, no := t.reread(admitted, t.storage, w)
	if no != nil {
		return nil
	}
	return there.object
}

// edit makes an edit of an object as a version shows it, if the version accepts that.
func edit(w *request.Version, served Object, e Edit) (Object, bool) {
	edited := runtime.DeepCopyJSON(served)
	if !e.Path.Set(edited, runtime.DeepCopyJSONValue(e.Value)) {
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

// editing is the trial of an edit: what the client wrote is there afterwards, whatever else the object carries. What changes
// without an edit as well is none of it.
func editing(pair Pair, e Edit) trial {
	return func(t *tester, o Object) (found []hit) {
		w := t.server.Version(pair.To)
		served := t.servedAt(w, o)
		if served == nil || t.broken[pair] || t.broken[Pair{pair.To, pair.From}] {
			return nil
		}
		edited, ok := edit(w, served, e)
		if !ok {
			return nil
		}
		unedited, _ := put(w, served)
		known := t.rewritten(w, unedited)
		for _, d := range t.rewritten(w, edited) {
			related := isBelow(d.path.String(), e.Path.String()) || isBelow(e.Path.String(), d.path.String())
			if !related || d.slight || d.change == Added || slices.ContainsFunc(known, func(k difference) bool { return k.path.String() == d.path.String() }) {
				continue
			}
			h := d.hit(EditLost, pair, w)
			h.Edit = &e
			found = append(found, h)
		}
		return found
	}
}

// rewritten is what differs between an object that is written at a version, and what is read there afterwards.
func (t *tester) rewritten(w *request.Version, o Object) []difference {
	_, after, no := t.reread(o, w, w)
	if no != nil {
		return nil
	}
	return t.differences(w, w.Default(o), w.Default(after.object))
}
