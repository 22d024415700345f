package starter

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

func clone(o request.Object) request.Object { return runtime.DeepCopyJSON(o) }

// difference is what makes one object of another one, in as few paths as are needed.
func difference(from, to request.Object) (c suite.Change) {
	differ(&c, nil, from, to)
	slices.SortStableFunc(c.Set, func(a, b suite.Setting) int { return a.Path.Compare(b.Path) })
	return c
}

func differ(c *suite.Change, at request.Path, from, to any) {
	a, isObject := from.(map[string]any)
	b, is := to.(map[string]any)
	if isObject && is {
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			below := at.To(request.Key(key))
			if value, has := b[key]; !has {
				c.Unset = append(c.Unset, suite.Setting{Path: below})
			} else if was, had := a[key]; had {
				differ(c, below, was, value)
			} else {
				c.Set = append(c.Set, alone(below, value))
			}
		}
		return
	}
	items, isList := from.([]any)
	others, is := to.([]any)
	if isList && is && len(items) == len(others) {
		for i := range items {
			differ(c, at.To(request.Index(i)), items[i], others[i])
		}
	} else if !suite.Equal(from, to) {
		c.Set = append(c.Set, suite.Setting{Path: at, Value: to})
	}
}

// alone is the setting of a value or, where there is only one in it, of that: members above are made.
func alone(at request.Path, value any) suite.Setting {
	for {
		o, is := value.(map[string]any)
		if !is || len(o) != 1 {
			return suite.Setting{Path: at, Value: value}
		}
		for key, below := range o {
			if key == "" || crd.IsIndex(key) {
				return suite.Setting{Path: at, Value: value}
			}
			at, value = at.To(request.Key(key)), below
		}
	}
}

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
