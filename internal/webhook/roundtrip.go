package webhook

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/request"
)

// roundTrip judges what is stored: it is read at another version and written back as it was read.
func (t *tester) roundTrip(pair Pair, s, w *request.Version, admitted Object) (found []hit) {
	stored, before, no := t.reread(admitted, s, s)
	if no != nil {
		return nil // it is none of the webhook's
	}
	there, no := t.read(stored, s, w)
	if no != nil {
		return t.failed(no)
	}
	found = append(found, t.shown(pair, before.coerced, there, s, w)...)
	if slices.ContainsFunc(found, func(h hit) bool { return h.Property == NotWritable }) {
		return found // no client can write it back
	}
	written, defaulted := put(w, there.coerced)
	for _, at := range defaulted {
		found = append(found, hit{Finding: Finding{Property: NotDefaulted, Pair: pair, Version: w.Name, Path: at}})
	}
	back := Pair{w.Name, s.Name}
	if t.broken[back] {
		return found
	}
	again, no := t.store(written, w)
	if no != nil {
		if t.admit(w, no.object) != nil { // else the version rejects it, which is said
			found = append(found, t.failure(no))
		}
		return found
	}
	after, no := t.read(again, s, s)
	if no != nil {
		return found
	}
	t.reached = true
	t.learn(s, w, before.coerced, there.coerced, after.coerced)
	lost := t.losses(DataLost, pair, s, w, t.differences(s, w, before.coerced, after.coerced), func() []difference {
		undefaulted, no := t.store(there.coerced, w)
		if no != nil {
			return nil
		}
		return compare(s, before.coerced, undefaulted)
	})
	if found = append(found, lost...); len(lost) == 0 {
		found = append(found, t.restless(pair, s, w, before.coerced, stored, again, len(defaulted) > 0)...)
	}
	return found
}

// shown judges an object of the storage version as it is shown at another one.
func (t *tester) shown(pair Pair, before Object, there *conversion, s, w *request.Version) (found []hit) {
	found = append(found, t.undeclared(pair, w, there.Raw[0])...)
	for _, d := range compare(w, onlyLabels(before), onlyLabels(there.coerced)) {
		if d.change == Lost || d.change == Changed {
			found = append(found, d.hit(MetadataLost, pair, s))
		}
	}
	found = append(found, writable(pair, s, w, before, there.coerced)...)
	paths := w.ScalePaths()
	for i, at := range s.ScalePaths() {
		if i >= len(paths) {
			break
		}
		was, _ := at.In(before)
		is, _ := paths[i].In(there.coerced)
		if !equal(was, is) && !(isEmpty(was) && isEmpty(is)) {
			found = append(found, hit{Finding: Finding{Property: Scale, Pair: pair, Version: w.Name, Path: paths[i], Was: was, Is: is}})
		}
	}
	return found
}

func onlyLabels(o Object) Object {
	metadata, _ := o["metadata"].(map[string]any)
	return Object{"metadata": map[string]any{"labels": metadata["labels"]}}
}

// undeclared finds what the schema of a version drops of an answer. Nulls and empty values there are no loss.
func (t *tester) undeclared(pair Pair, w *request.Version, raw Object) (found []hit) {
	for _, at := range w.Undeclared(raw) {
		if value, _ := at.In(raw); at[0].Key != "metadata" && !isEmpty(value) {
			found = append(found, hit{Finding: Finding{Property: Undeclared, Pair: pair, Version: w.Name, Path: at, Is: value}})
		}
	}
	return found
}

// writable finds why an object cannot be written at a version where it is read, even if only a label changes, and otherwise why
// it could not be created there.
//
// Before is the object as it was at the other version, before the conversion: what is required and was empty there is as good as
// missing, and rules about changes may reject every write there as well.
func writable(pair Pair, v, w *request.Version, before, served Object) (found []hit) {
	causes, property := w.Update(request.Labelled(served), served).Causes, NotWritable
	if len(causes) > 0 && !v.Update(request.Labelled(before), before).Accepted() {
		return nil
	}
	if len(causes) == 0 {
		causes, property = w.Admit(served).Causes, Invalid
	}
	for _, cause := range causes {
		if cause.Stage == request.RulesNotRun || cause.Missing && hadEmpty(before, cause.Path) {
			continue
		}
		h := hit{Finding: Finding{Property: property, Pair: pair, Version: w.Name, Path: cause.Path, Cause: &cause}}
		was, written := cause.Path.In(before)
		switch is, _ := cause.Path.In(served); {
		case property == Invalid && cause.Keyword == "type" && is != nil: // no client with types can read the object
		case property == Invalid, written && isEmpty(was) && !isDefault(v, cause.Path):
			h.Grade = Minor // it is stored and read all the same, or a user wrote what hardly any writes
		}
		found = append(found, h)
	}
	return found
}

// hadEmpty reports whether an object has an empty value at a path, or of that name in a field that may have another name there.
func hadEmpty(o Object, at request.Path) (found bool) {
	if len(at) == 0 || at[len(at)-1].IsIndex() {
		return false
	}
	name := at[len(at)-1].Key
	each(nil, o, func(other request.Path, value any) {
		found = found || len(other) > 0 && other[len(other)-1].Key == name && isEmpty(value)
	})
	return found
}

// isDefault reports whether a version gives a value to who leaves it out.
func isDefault(v *request.Version, at request.Path) bool {
	s := v.Declared(at)
	return s != nil && s.Default.Object != nil
}

// losses makes findings of the differences after which something that a user wrote is not there any more, or something is there
// that nobody wrote. What is added may be a default of one of the versions: the webhook adds what differs without defaults as well.
func (t *tester) losses(property Property, pair Pair, v, by *request.Version, all []difference, undefaulted func() []difference) (found []hit) {
	undefaulted = sync.OnceValue(undefaulted)
	for _, d := range all {
		h, ok := t.loss(property, pair, v, by, d)
		if ok && (d.change != Added || slices.ContainsFunc(undefaulted(), func(other difference) bool {
			return other.change == Added && other.path.String() == d.path.String() && (!other.slight || isEmpty(d.is))
		})) {
			found = append(found, h)
		}
	}
	return found
}

// loss is the finding of one of them, which is of property where no other one tells it better.
func (t *tester) loss(property Property, pair Pair, v, by *request.Version, d difference) (hit, bool) {
	if d.slight {
		return hit{}, false
	}
	undeclared := v.Declared(d.path) == nil && v.Structural() != nil
	switch {
	case d.path[0].Key == "metadata":
		property = MetadataLost
	case d.path[0].Key == "status":
		property = StatusLost
	case undeclared:
		if !by.Keeps(d.path[:len(d.path)-1]) {
			return hit{}, false // the other version has no place for it
		}
		property = Preserved
	}
	if d.change == Added && (undeclared || property == MetadataLost) {
		return hit{}, false // a note of the webhook's own
	}
	h := d.hit(property, pair, v)
	h.Back = property == MetadataLost
	return h, true
}

// restless finds round trips without a loss that store other bytes all the same. What is added may be a default of the version
// that the object was written at, or of the storage version, which is not the webhook's doing.
func (t *tester) restless(pair Pair, s, w *request.Version, before, stored, again Object, defaulted bool) []hit {
	if canonical(again) == canonical(stored) {
		return nil
	}
	unconverted, _ := put(s, before)
	if stored, _ = t.store(unconverted, s); stored == nil || canonical(again) == canonical(stored) {
		return nil
	}
	tell := func(property Property, before, after Object, defaulted bool) []hit {
		for _, d := range compare(s, before, after) {
			if d.change != Added || !defaulted {
				return []hit{d.hit(property, pair, s)}
			}
		}
		if h := (hit{Finding: Finding{Property: property, Pair: pair, Version: s.Name}}); differsInOrder(&h, before, after) {
			return []hit{h}
		}
		return nil
	}
	there, no := t.read(again, s, w)
	if no != nil {
		return nil
	}
	written, _ := put(w, there.coerced)
	if third, no := t.store(written, w); no == nil && canonical(third) != canonical(again) {
		found := tell(NotIdempotent, again, third, false)
		for i := range found {
			if !t.grows(w, again, third) {
				found[i].Grade = Minor
			}
		}
		return found
	}
	return tell(NoopWrites, stored, again, defaulted)
}

// grows reports whether each round trip makes an object longer, by about as much as the one before. The first one may write more,
// and is left out.
func (t *tester) grows(w *request.Version, second, third Object) bool {
	fourth, no := t.visit(third, w)
	if no != nil {
		return false
	}
	step, next := len(canonical(third))-len(canonical(second)), len(canonical(fourth))-len(canonical(third))
	return step > 0 && 2*min(step, next) >= max(step, next)
}

// writing judges what a user writes at a version that is not the storage version, and reads there afterwards.
func (t *tester) writing(pair Pair, w, s *request.Version, admitted Object) (found []hit) {
	before, err := w.Coerce(admitted)
	if err != nil {
		return nil
	}
	passed, no := t.pass(admitted, w, s)
	if no != nil {
		return t.failed(no)
	}
	found = append(found, t.undeclared(pair, s, passed.Raw[0])...)
	found = append(found, t.invalidStored(pair, w, before, passed.coerced)...)
	if t.broken[Pair{s.Name, w.Name}] {
		return found
	}
	stored, no := t.store(admitted, w)
	if no != nil {
		return found
	}
	after, no := t.read(stored, s, w)
	if no != nil {
		if decoded, err := t.server.Decode(stored); err == nil && t.admit(s, decoded) != nil {
			found = append(found, t.failure(no))
		}
		return found
	}
	t.reached = true
	t.learnAnnotations(s.Name, before, passed.coerced, after.coerced)
	all := t.differences(w, s, w.Default(before), w.Default(after.coerced))
	return append(found, t.losses(WriteLost, pair, w, s, all, func() []difference {
		undefaulted, no := t.pass(passed.coerced, s, w)
		if no != nil {
			return nil
		}
		return compare(w, before, undefaulted.coerced)
	})...)
}

// invalidStored finds why the storage version rejects an object that another version accepts.
func (t *tester) invalidStored(pair Pair, w *request.Version, before, converted Object) (found []hit) {
	decoded, err := t.server.Decode(converted)
	if err != nil {
		return nil
	}
	for _, h := range writable(pair, w, t.storage, before, decoded) {
		if h.Property == NotWritable { // it is stored all the same
			h.Property, h.Grade = Invalid, Minor
		}
		found = append(found, h)
	}
	return found
}

// direct judges the way between two versions of which neither is the storage version: it has to come to the same as the way by
// that one.
func (t *tester) direct(pair Pair, v, w *request.Version, admitted Object) (found []hit) {
	s := t.storage
	if _, no := t.pass(admitted, v, w); no != nil {
		return t.failed(no)
	}
	if t.broken[Pair{v.Name, s.Name}] || t.broken[Pair{s.Name, v.Name}] || t.broken[Pair{s.Name, w.Name}] {
		return nil
	}
	// What is read at v has the defaults of the storage version, as what is read at w has.
	stored, served, no := t.reread(admitted, v, v)
	if no != nil {
		return nil
	}
	straight, no := t.pass(served.coerced, v, w)
	if no != nil {
		return nil
	}
	around, no := t.read(stored, s, w)
	if no != nil {
		return nil
	}
	found = append(found, t.undeclared(pair, w, straight.Raw[0])...)
	for _, d := range t.differences(w, v, w.Default(around.coerced), w.Default(straight.coerced)) {
		if !d.slight && d.change != Added {
			found = append(found, d.hit(PathsDiffer, pair, w))
		}
	}
	return found
}

func each(at request.Path, value any, visit func(request.Path, any)) {
	visit(at, value)
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			each(at.To(request.Key(name)), member, visit)
		}
	case []any:
		for i, item := range value {
			each(at.To(request.Index(i)), item, visit)
		}
	}
}
