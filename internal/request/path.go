package request

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
)

// A Step leads from a value to one in it: the member of a map, or the item of a list.
type Step struct {
	Key   string
	Index int // -1 for a key, and hiddenKey for one that is not shown
}

// hiddenKey is the index of a key that Path.String does not show.
const hiddenKey = -2

// Key is the step to a member of a map.
func Key(name string) Step { return Step{Key: name, Index: -1} }

// Index is the step to an item of a list.
func Index(i int) Step { return Step{Index: i} }

// IsIndex reports whether the step is that to an item.
func (s Step) IsIndex() bool { return s.Index >= 0 }

// Hide is the step to a member whose name is not shown. It leads to the same value, but is not equal to one that is shown.
func (s Step) Hide() Step { return Step{Key: s.Key, Index: hiddenKey} }

// A Path leads from an object to a value in it; the empty one to the object itself. Unlike upstream's paths it tells
// the key "a.b" from b in a.
type Path []Step

// Keys is a path of members.
func Keys(names ...string) Path {
	path := make(Path, len(names))
	for i, name := range names {
		path[i] = Key(name)
	}
	return path
}

// String is the path as findings show it: "spec.items[0].labels[a.b/c]".
func (p Path) String() string { return p.text(crd.Item) }

// Field is the path of all items that differ from it by their numbers only: "spec.items[*].name".
func (p Path) Field() string { return p.text(func(text string, _ int) string { return text + "[*]" }) }

func (p Path) text(item func(text string, i int) string) string {
	text := ""
	for _, step := range p {
		switch {
		case step.IsIndex():
			text = item(text, step.Index)
		case step.Index == hiddenKey:
			text = crd.Member(text, "***")
		default:
			text = crd.Member(text, step.Key)
		}
	}
	return text
}

// To is the path with further steps. The receiver stays as it is, whatever is appended to the result.
func (p Path) To(steps ...Step) Path { return slices.Concat(p, steps) }

// Compare orders paths step by step, so that what is in a value follows it: items by number, members by name.
func (p Path) Compare(q Path) int {
	return slices.CompareFunc(p, q, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key))
	})
}

// Leads reports whether another path is that of the same value, or of one in it.
func (p Path) Leads(to Path) bool { return len(p) <= len(to) && p.Compare(to[:len(p)]) == 0 }

// In is the value at the path, and whether there is one.
func (p Path) In(value any) (any, bool) {
	for _, step := range p {
		switch at := value.(type) {
		case map[string]any:
			member, found := at[step.Key]
			if step.Index >= 0 || !found {
				return nil, false
			}
			value = member
		case []any:
			if step.Index < 0 || step.Index >= len(at) {
				return nil, false
			}
			value = at[step.Index]
		default:
			return nil, false
		}
	}
	return value, true
}

// Set puts a value at the path into an object, with objects for the members above it that are missing. It reports false, and
// may have made these, where something else is on the way.
func (p Path) Set(o Object, value any) bool {
	var here any = o
	for i, step := range p {
		last := i == len(p)-1
		switch container := here.(type) {
		case map[string]any:
			if step.IsIndex() {
				return false
			}
			if last {
				container[step.Key] = value
				return true
			}
			if _, found := container[step.Key]; !found {
				container[step.Key] = map[string]any{}
			}
			here = container[step.Key]
		case []any:
			if !step.IsIndex() || step.Index >= len(container) {
				return false
			}
			if last {
				container[step.Index] = value
				return true
			}
			here = container[step.Index]
		default:
			return false
		}
	}
	return false
}

// Remove takes the value at the path out of an object, and reports whether there was one.
func (p Path) Remove(o Object) bool {
	if _, found := p.In(o); !found || len(p) == 0 {
		return false
	}
	above, last := p[:len(p)-1], p[len(p)-1]
	switch container, _ := above.In(o); container := container.(type) {
	case map[string]any:
		delete(container, last.Key)
	case []any:
		return above.Set(o, slices.Delete(slices.Clone(container), last.Index, last.Index+1))
	}
	return true
}
