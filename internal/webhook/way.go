package webhook

import (
	"cmp"
	"errors"
	"maps"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"k8s.io/apimachinery/pkg/runtime"
)

// A failure is a conversion that the server takes for failed.
type failure struct {
	pair   Pair
	object Object // that is to be converted
	answer *review.Answer
	err    error // the server's
}

// admit is an object of a user as the server has it once it is created and its status is written; nil when its version rejects
// it. It has what only servers set.
func admit(v *request.Version, o Object) Object {
	admitted := v.Admit(unowned(o)).Object
	if admitted == nil {
		return nil
	}
	return live(v, admitted)
}

// unowned is the object without what a create rejects or drops of one that comes from a server.
func unowned(o Object) Object {
	metadata, _ := o["metadata"].(map[string]any)
	if _, found := metadata["resourceVersion"]; !found {
		return o
	}
	o, metadata = maps.Clone(o), maps.Clone(metadata)
	delete(metadata, "resourceVersion")
	o["metadata"] = metadata
	return o
}

// live is the object with the metadata that every object on a server has.
func live(v *request.Version, o Object) Object {
	o = runtime.DeepCopyJSON(o)
	metadata, _ := o["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		o["metadata"] = metadata
	}
	if _, found := metadata["namespace"]; !found && v.Namespaced() {
		metadata["namespace"] = "default"
	}
	delete(metadata, "resourceVersion")
	metadata["uid"] = "6d5c1b0a-0000-4000-8000-000000000001"
	metadata["creationTimestamp"] = "2020-01-01T00:00:00Z"
	metadata["generation"] = int64(1)
	metadata["managedFields"] = []any{map[string]any{
		"manager": "kubectl", "operation": "Update", "apiVersion": o["apiVersion"], "time": "2020-01-01T00:00:00Z",
		"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{}},
	}}
	return o
}

// maxLate is how many answers of a pair may be late until it is not tried any more: each takes as long as the timeout.
const maxLate = 3

// errLate is why an object is not converted once that is so.
var errLate = errors.New("responses take too long")

// pass has an object converted to a version as the storage of a server does. One that is at the version is only coerced.
func (t *tester) pass(o Object, from, to *request.Version) (*conversion, *failure) {
	if from == to {
		coerced, err := to.Coerce(o)
		if err != nil {
			return nil, &failure{Pair{from.Name, to.Name}, o, &review.Answer{Kind: review.Contract}, err}
		}
		return &conversion{Answer: &review.Answer{Raw: []Object{coerced}}, coerced: coerced}, nil
	}
	pair := Pair{from.Name, to.Name}
	if t.late[pair] >= maxLate {
		return nil, &failure{pair, o, &review.Answer{Kind: review.Timeout}, errLate}
	}
	a := t.convert(o, to.Name)
	if a.Kind == review.Timeout {
		if t.late[pair]++; t.late[pair] >= maxLate {
			t.broken[pair] = true
		}
	}
	if a.Err != nil {
		return nil, &failure{pair, o, a.Answer, a.Err}
	}
	if a.refused != nil {
		// Upstream's words may show values of the object: here it is a made one.
		return nil, &failure{pair, o, &review.Answer{Kind: review.Contract}, cmp.Or(errors.Unwrap(a.refused), a.refused)}
	}
	return a, nil
}

// read is what a read at a version shows of an object in etcd, which is stored in a version.
func (t *tester) read(stored Object, from, at *request.Version) (*conversion, *failure) {
	decoded, err := t.server.Decode(stored)
	if err != nil {
		return nil, &failure{Pair{from.Name, at.Name}, stored, &review.Answer{Kind: review.Contract}, err}
	}
	return t.pass(decoded, from, at)
}

// store is an object that is written at a version as etcd has it afterwards.
func (t *tester) store(o Object, from *request.Version) (Object, *failure) {
	passed, no := t.pass(o, from, t.storage)
	if no != nil {
		return nil, no
	}
	stored := maps.Clone(passed.coerced)
	if metadata, ok := stored["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "resourceVersion")
		delete(metadata, "selfLink")
		stored["metadata"] = metadata
	}
	return stored, nil
}

// reread stores an object that is written at a version, and reads it at one.
func (t *tester) reread(o Object, from, at *request.Version) (stored Object, read *conversion, no *failure) {
	if stored, no = t.store(o, from); no == nil {
		read, no = t.read(stored, t.storage, at)
	}
	return stored, read, no
}

// put is what the server makes of an object that a client writes back as it was read: it has the version's defaults, of which
// those that are empty are not told. An object that the version rejects stays as it was read, as parts of it can still be written.
func put(v *request.Version, served Object) (written Object, defaulted []request.Path) {
	outcome := v.Update(served, served)
	if !outcome.Accepted() {
		return served, nil
	}
	for _, change := range outcome.Changes {
		if value, _ := change.Path.In(outcome.Object); change.Kind == request.Defaulted && !isEmpty(value) {
			defaulted = append(defaulted, change.Path)
		}
	}
	written = maps.Clone(outcome.Object)
	written["metadata"] = served["metadata"]
	return written, defaulted
}
