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

// An editKind is what clients do to a field, and where.
type editKind struct {
	removed, stored bool // as in Edit
	perField        int
}

// A fieldEdits has how often edits of fields were made, and tried.
type fieldEdits struct{ made, tried map[string]int }

// edits tries what becomes of an object of the storage version when a client edits fields of it: each field until it was edited
// often enough. It returns the number of edits.
func (t *tester) edits(pair Pair, o Object, kind editKind, of fieldEdits) (n int) {
	r := t.reader(pair, o, kind.stored)
	if r == nil || !r.at.Update(request.Labelled(r.served), r.served).Accepted() {
		return 0 // nobody can edit what cannot be written
	}
	if (kind.removed || kind.stored) && !r.carries() {
		return 0 // there is nothing that could be restored
	}
	left := triesPerObject
	for _, at := range paths(r.served) {
		field := fieldOf(r.at, at).Field()
		if isHead(at[0].Key) || of.made[field] >= kind.perField {
			continue
		}
		for _, e := range t.editsOf(r, at, field, kind) {
			if of.tried[field] >= triesPerField {
				break
			}
			if n >= editsPerObject || left == 0 || t.over() != nil {
				return n
			}
			of.tried[field]++
			left--
			if written, ok := edit(r.at, r.served, e); ok {
				of.made[field]++
				n++
				t.keep(editing(pair, e), o, r.lost(t, e, written))
				break
			}
		}
	}
	return n
}

// editsOf are edits of a value, of which the first that the version accepts is made. That a removed value is back is not seen of what
// is empty; and the others of a list move up if its first item is removed.
func (t *tester) editsOf(r *reader, at request.Path, field string, kind editKind) (all []Edit) {
	value, _ := at.In(r.served)
	if last := at[len(at)-1]; kind.removed && last.IsIndex() {
		list, _ := at[:len(at)-1].In(r.served)
		if items, _ := list.([]any); last.Index == 0 && len(items) > 1 {
			all = append(all, Edit{Path: at, Removed: true, Stored: kind.stored})
		}
		return all
	}
	for _, other := range t.of(r.at.Name).pool[field] {
		switch {
		case equal(value, other.value):
		case !kind.removed:
			all = append(all, Edit{Path: at, Value: other.value, Stored: kind.stored})
		case len(at) > 1 && !isEmpty(value) && !isEmpty(other.value):
			return []Edit{{at, other.value, true, kind.stored}}
		}
	}
	return all
}

func isHead(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// A reader is a client that has read an object of the storage version at a version: at the other one of a pair or, once the object
// was written there without a change, at the storage version.
type reader struct {
	pair        Pair
	at          *request.Version
	own, served Object              // the object, and as it is read
	known       func() []difference // what changes without an edit
}

// reader reads an object; nil where it cannot be read.
func (t *tester) reader(pair Pair, o Object, stored bool) *reader {
	r := &reader{pair: pair, at: t.server.Version(pair.To), own: t.admit(t.storage, o)}
	if r.own == nil {
		return nil
	}
	var no *failure
	if stored {
		r.at = t.storage
		r.served, no = t.visit(r.own, t.server.Version(pair.To))
	} else {
		var there *conversion
		if _, there, no = t.reread(r.own, t.storage, r.at); no == nil {
			r.served = there.coerced
		}
	}
	if no != nil {
		return nil
	}
	r.known = sync.OnceValue(func() []difference {
		unedited, _ := put(r.at, r.served)
		return r.rewritten(t, unedited)
	})
	return r
}

// visit is an object of the storage version as it is read there after a client has written it at another one as it was read.
func (t *tester) visit(o Object, w *request.Version) (Object, *failure) {
	_, there, no := t.reread(o, t.storage, w)
	if no != nil {
		return nil, no
	}
	written, _ := put(w, there.coerced)
	_, after, no := t.reread(written, w, t.storage)
	if no != nil {
		return nil, no
	}
	return after.coerced, nil
}

// carries reports whether the webhook has left something in annotations that it may restore.
func (r *reader) carries() bool {
	return len(annotations(r.served)) > 0 && canonical(annotations(r.served)) != canonical(annotations(r.own))
}

// bare is an object without what the webhook carries in annotations: what becomes of it is nothing that was restored.
func (r *reader) bare(edited Object) Object {
	o := maps.Clone(edited)
	metadata := maps.Clone(o["metadata"].(map[string]any)) // admit makes it
	delete(metadata, "annotations")
	if own := annotations(r.own); own != nil {
		metadata["annotations"] = own
	}
	o["metadata"] = metadata
	return o
}

// edit makes an edit of an object as a version shows it, if the version accepts that.
func edit(w *request.Version, served Object, e Edit) (Object, bool) {
	var edited Object
	if e.Removed {
		edited = without(served, e.Path)
	} else if edited = with(served, e.Path, e.Value); edited == nil {
		return nil, false
	}
	outcome := w.Update(edited, served)
	if e.Path[0].Key == "status" && w.HasStatus() {
		outcome = w.UpdateStatus(edited, served)
	}
	if !outcome.Accepted() {
		return nil, false
	}
	if _, there := e.Path.In(outcome.Object); there && e.Removed && !e.Path[len(e.Path)-1].IsIndex() {
		return nil, false // it has a default
	}
	written := maps.Clone(outcome.Object)
	written["metadata"] = served["metadata"]
	return written, true
}

// editing is the trial of an edit.
func editing(pair Pair, e Edit) trial {
	return func(t *tester, o Object) []hit {
		r := t.reader(pair, o, e.Stored)
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
	if e.Removed {
		return append(r.restored(t, e, edited), r.movedUp(t, e, edited)...)
	}
	bare := sync.OnceValue(func() []difference { return r.rewritten(t, r.bare(edited)) })
	for _, d := range r.rewritten(t, edited) {
		related := isBelow(d.path.String(), e.Path.String()) || isBelow(e.Path.String(), d.path.String())
		if !related || d.slight || d.change == Added || isAmong(d, r.known()) || e.Stored && isAmong(d, bare()) {
			continue
		}
		found = append(found, r.hit(d, r.at, e))
	}
	return found
}

func (r *reader) hit(d difference, v *request.Version, e Edit) hit {
	h := d.hit(EditLost, r.pair, v)
	h.Edit = &e
	return h
}

func isAmong(d difference, all []difference) bool {
	return slices.ContainsFunc(all, func(other difference) bool { return other.path.String() == d.path.String() })
}

// after is what is read after an object was written at the reader's version; at the storage version, once it was written at the other
// one as well. It is nil where it cannot be read.
func (r *reader) after(t *tester, o Object) Object {
	if r.at == t.storage {
		after, _ := t.visit(o, t.server.Version(r.pair.To))
		return after
	}
	_, after, no := t.reread(o, r.at, r.at)
	if no != nil {
		return nil
	}
	return after.coerced
}

// rewritten is what differs between an object that is written, and what is read afterwards.
func (r *reader) rewritten(t *tester, o Object) []difference {
	by := t.storage
	if r.at == by {
		by = t.server.Version(r.pair.To)
	}
	after := r.after(t, o)
	if after == nil {
		return nil
	}
	return t.differences(r.at, by, r.at.Default(o), r.at.Default(after))
}
