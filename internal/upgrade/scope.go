package upgrade

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/request"
)

// scopeOf is the part of the object that has to stay as it is for the server to excuse a cause; found is false where it is excused
// in any case, as duplicates in a list are that were there before (see validateListsAfter of internal/request).
//
// It is found by trial: the object is written in the place of one that differs in one part only. What differs within a part
// makes the part differ, so that it is enough to go outwards from the value at fault until a difference does no harm.
func (e excuses) scopeOf(cause *request.Cause) (scope request.Path, found bool) {
	if cause.Stage == request.List {
		return nil, false
	}
	at := existing(e.object, cause.Path)
	for n := len(at); n >= 0; n-- {
		part := at[:n]
		if !has(refusals(e.send(e.object, altered(e.object, part))), cause) {
			break
		}
		scope, found = slices.Clone(part), true
	}
	return scope, found
}

// existing is the part of a path that leads to a value.
func existing(o request.Object, at request.Path) request.Path {
	for n := len(at); n > 0; n-- {
		if _, there := at[:n].In(o); there {
			return at[:n]
		}
	}
	return nil
}

// altered is an object with another value at a path.
func altered(o request.Object, at request.Path) request.Object {
	o = runtime.DeepCopyJSON(o)
	if len(at) == 0 {
		o[label] = label
		return o
	}
	holder, _ := at[:len(at)-1].In(o)
	value, _ := at.In(o)
	switch last := at[len(at)-1]; holder := holder.(type) {
	case map[string]any:
		holder[last.Key] = another(value)
	case []any:
		holder[last.Index] = another(value)
	}
	return o
}

// another is a value of the same type that is not equal.
func another(value any) any {
	switch value := value.(type) {
	case map[string]any:
		value[label] = label
		return value
	case []any:
		if len(value) == 0 {
			return []any{label}
		}
		return append(slices.Clone(value), value[0])
	case bool:
		return !value
	case int64:
		return value + 1
	case float64: // to a large one, adding changes nothing
		if value == 0 {
			return 1.0
		}
		return -value
	case string:
		return value + label
	}
	return label
}
