package suite

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/request"
)

// from is the object that the change makes of another one, which stays as it is. It fails where a path of it leads nowhere.
func (c *Change) from(o request.Object) (made request.Object, failure *Failure) {
	if c.Object != nil {
		o = c.Object
	}
	made = runtime.DeepCopyJSON(o)
	if made == nil {
		made = request.Object{}
	}
	for _, s := range c.Set {
		value, ok := put(made, s.Path, s.Value)
		changed, is := value.(map[string]any)
		if !ok || !is {
			return nil, &Failure{Kind: Unreachable, At: s.At, Path: s.Path, Wanted: true}
		}
		made = changed
	}
	for _, s := range c.Unset {
		if !placed(s.Path, made).Remove(made) {
			return nil, &Failure{Kind: Unreachable, At: s.At, Path: s.Path}
		}
	}
	return made, nil
}

// put puts a value at a path below another one, and returns what that is then. What is above it is made; an item is added to a list where
// the index is the number of its items.
func put(into any, at request.Path, value any) (any, bool) {
	if len(at) == 0 {
		return runtime.DeepCopyJSONValue(value), true
	}
	step, rest := at[0], at[1:]
	switch into := into.(type) {
	case map[string]any:
		key := keyOf(step)
		changed, ok := put(into[key], rest, value)
		if ok {
			into[key] = changed
		}
		return into, ok
	case []any:
		if !step.IsIndex() || step.Index > len(into) {
			return nil, false
		}
		if step.Index == len(into) {
			into = append(slices.Clone(into), nil)
		}
		changed, ok := put(into[step.Index], rest, value)
		into[step.Index] = changed
		return into, ok
	case nil:
		if step.IsIndex() {
			return put([]any{}, at, value)
		}
		return put(map[string]any{}, at, value)
	}
	return nil, false
}

// keyOf is the member that a step leads to in an object.
func keyOf(step request.Step) string {
	if step.IsIndex() {
		return strconv.Itoa(step.Index)
	}
	return step.Key
}

// placed is a path with members for the indexes that lead into objects.
func placed(at request.Path, o any) request.Path {
	at = slices.Clone(at)
	for i, step := range at {
		here, _ := at[:i].In(o)
		if _, is := here.(map[string]any); is && step.IsIndex() {
			at[i] = request.Key(keyOf(step))
		}
	}
	return at
}

// complete adds to an object what a client adds: a name and, where its kind is in namespaces, one of these.
func complete(o request.Object, namespaced bool) request.Object {
	metadata, is := o["metadata"].(map[string]any)
	if !is {
		if o["metadata"] != nil {
			return o // the server says so
		}
		metadata = map[string]any{}
		o["metadata"] = metadata
	}
	if metadata["name"] == nil && metadata["generateName"] == nil {
		metadata["name"] = "test"
	}
	if metadata["namespace"] == nil && namespaced {
		metadata["namespace"] = "default"
	}
	return o
}
