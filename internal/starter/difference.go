package starter

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

func clone(o request.Object) request.Object { return runtime.DeepCopyJSON(o) }

// size is in how many paths something changes.
func size(c suite.Change) int { return len(c.Set) + len(c.Unset) }

// without is an object in which one of the changes from another one is undone, by its number.
func without(bad, from request.Object, c suite.Change, n int) request.Object {
	less := clone(bad)
	at := append(slices.Clone(c.Set), c.Unset...)[n].Path
	for i := range at { // what is above was perhaps made for it
		if _, had := at[:i+1].In(from); !had {
			at = at[:i+1]
			break
		}
	}
	if value, had := at.In(from); had {
		at.Set(less, runtime.DeepCopyJSONValue(value))
	} else {
		at.Remove(less)
	}
	return less
}

// leaves are the paths of all members of an object that can go, those that have others in them first.
func leaves(value any, at request.Path) (all []request.Path) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if len(at) > 0 || key != "apiVersion" && key != "kind" && key != "metadata" {
				below := at.To(request.Key(key))
				all = append(append(all, below), leaves(value[key], below)...)
			}
		}
	case []any:
		for i := len(value) - 1; i >= 0; i-- {
			below := at.To(request.Index(i))
			all = append(append(all, below), leaves(value[i], below)...)
		}
	}
	return all
}
