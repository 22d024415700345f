package starter

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// table adds values to the table of a place, or makes one. With a cause that they have to be rejected for, it is a table of its own.
func (w *writer) table(name string, found *find, at request.Path, accept, reject []any, expected *suite.Expected) {
	context := &suite.Case{Request: suite.Create}
	w.change(context, found, found.good)
	context.Change = above(context.Change, at)
	same := func(i *item) bool {
		return i.at != nil && i.expected == nil && expected == nil && i.at.Compare(at) == 0 && i.one.Request == context.Request && alike(i.one.Change, context.Change)
	}
	i := slices.IndexFunc(w.items, same)
	if i < 0 {
		one := w.newCase(name)
		one.Request, one.Old, one.Change = context.Request, context.Old, context.Change
		i = len(w.items)
		w.items = append(w.items, &item{one: one, at: at, expected: expected})
	}
	for way, more := range [][]any{accept, reject} {
		for _, value := range more {
			if ways := &w.items[i].ways[way]; !slices.ContainsFunc(*ways, func(other any) bool { return suite.Equal(value, other) }) {
				*ways = append(*ways, value)
			}
		}
	}
}

// cases are those of an item.
func (i *item) cases() (all []*suite.Case) {
	if i.at == nil {
		return []*suite.Case{i.one}
	}
	for n, way := range []string{"accept", "reject"} {
		for j, value := range i.ways[n] {
			c := *i.one
			c.Name = fmt.Sprintf("%s/%s/%d", c.Name, way, j+1)
			c.Change.Set = append(slices.Clone(c.Change.Set), suite.Setting{Path: i.at, Value: value})
			if n == 1 && i.expected != nil {
				c.Want.Rejected = []suite.Expected{*i.expected}
			} else if n == 1 {
				c.Want.Rejected = []suite.Expected{{Path: i.at, Below: true}}
			}
			all = append(all, &c)
		}
	}
	return all
}

// above is a change without what a table sets at a place.
func above(c suite.Change, at request.Path) suite.Change {
	var rest []suite.Setting
	for _, s := range c.Set {
		if at.Leads(s.Path) {
			continue
		}
		if value, is := s.Value.(map[string]any); is && s.Path.Leads(at) {
			o, below := clone(value), at[len(s.Path):]
			below.Remove(o)
			for below = below[:len(below)-1]; len(below) > 0 && isEmpty(below, o); below = below[:len(below)-1] {
				below.Remove(o) // what is above the place is made
			}
			if len(o) == 0 {
				continue
			}
			s = suite.Alone(s.Path, o)
		}
		rest = append(rest, s)
	}
	c.Set = rest
	return c
}

// isEmpty reports whether an object without members is at a path.
func isEmpty(at request.Path, o request.Object) bool {
	value, _ := at.In(o)
	members, is := value.(map[string]any)
	return is && len(members) == 0
}

// alike reports whether two changes make the same of an object.
func alike(a, b suite.Change) bool {
	same := func(x, y suite.Setting) bool { return x.Path.Compare(y.Path) == 0 && suite.Equal(x.Value, y.Value) }
	return slices.EqualFunc(a.Set, b.Set, same) && slices.EqualFunc(a.Unset, b.Unset, same)
}
