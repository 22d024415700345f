package webhook

import "github.com/crdlift/crdlift/internal/request"

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
	found = append(found, t.undeclared(pair, s, passed.raw)...)
	found = append(found, t.invalidStored(pair, w, before, passed.object)...)
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
	t.learnAnnotations(s.Name, before, passed.object, after.object)
	for _, d := range t.differences(w, w.Default(before), w.Default(after.object)) {
		if h, ok := t.loss(WriteLost, pair, w, s, d); ok {
			found = append(found, h)
		}
	}
	return found
}

// invalidStored finds why the storage version refuses an object that another version accepts.
func (t *tester) invalidStored(pair Pair, w *request.Version, before, converted Object) (found []hit) {
	decoded, err := t.server.Decode(converted)
	if err != nil {
		return nil
	}
	for _, h := range writable(pair, w, t.storage, before, decoded) {
		h.Property = Invalid // it is stored all the same
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
	straight, no := t.pass(served.object, v, w)
	if no != nil {
		return nil
	}
	around, no := t.read(stored, s, w)
	if no != nil {
		return nil
	}
	found = append(found, t.undeclared(pair, w, straight.raw)...)
	for _, d := range t.differences(w, w.Default(around.object), w.Default(straight.object)) {
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
