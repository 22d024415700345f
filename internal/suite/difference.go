package suite

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// Difference is what makes one object of another one, in as few paths as are needed.
func Difference(from, to request.Object) (c Change) {
	c.differ(nil, from, to)
	slices.SortStableFunc(c.Set, func(a, b Setting) int { return a.Path.Compare(b.Path) })
	return c
}

func (c *Change) differ(at request.Path, from, to any) {
	a, isObject := from.(map[string]any)
	b, is := to.(map[string]any)
	if isObject && is {
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			below := at.To(request.Key(key))
			if value, has := b[key]; !has {
				c.Unset = append(c.Unset, Setting{Path: below})
			} else if was, had := a[key]; had {
				c.differ(below, was, value)
			} else {
				c.Set = append(c.Set, Alone(below, value))
			}
		}
		return
	}
	items, isList := from.([]any)
	others, is := to.([]any)
	if isList && is && len(items) == len(others) {
		for i := range items {
			c.differ(at.To(request.Index(i)), items[i], others[i])
		}
	} else if !Equal(from, to) {
		c.Set = append(c.Set, Setting{Path: at, Value: to})
	}
}

// Alone is the setting of a value or, where there is only one in it, of that: members above are made.
func Alone(at request.Path, value any) Setting {
	for {
		o, is := value.(map[string]any)
		if !is || len(o) != 1 {
			return Setting{Path: at, Value: value}
		}
		for key, below := range o {
			if key == "" || crd.IsIndex(key) {
				return Setting{Path: at, Value: value}
			}
			at, value = at.To(request.Key(key)), below
		}
	}
}

// common is what all objects have, each member that is not the same in all left out.
func common(all []request.Object) request.Object {
	shared := request.Object{}
	for key, value := range all[0] {
		var objects []request.Object
		same := true
		for _, o := range all {
			other, has := o[key]
			object, is := other.(map[string]any)
			if objects = append(objects, object); !is {
				objects = nil
			}
			same = same && has && Equal(value, other)
			if !has {
				objects = nil
				break
			}
		}
		if same {
			shared[key] = value
		} else if len(objects) == len(all) {
			shared[key] = common(objects)
		}
	}
	return shared
}
