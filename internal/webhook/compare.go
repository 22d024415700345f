package webhook

import (
	"maps"
	"math"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A difference is between what a server showed of an object before and what it shows afterwards.
type difference struct {
	path    request.Path
	change  Change
	was, is any
	slight  bool // it means the same to those who read it: nothing in the place of what is empty, or another spelling
}

func (d difference) hit(property Property, pair Pair, v *request.Version) hit {
	return hit{Finding: Finding{Property: property, Pair: pair, Version: v.Name, Path: d.path, Change: d.change, Was: d.was, Is: d.is}}
}

// compare finds the differences of two objects of a version, in the order of their paths. Of metadata, only labels and
// annotations count, since the server restores all else.
func compare(v *request.Version, before, after Object) []difference {
	c := &comparison{}
	root := v.Structural()
	for _, name := range names(before, after) {
		switch name {
		case "apiVersion", "kind":
		case "metadata":
			was, _ := before[name].(map[string]any)
			is, _ := after[name].(map[string]any)
			for _, name := range []string{"annotations", "labels"} {
				was, _ := was[name].(map[string]any)
				is, _ := is[name].(map[string]any)
				c.members(request.Keys("metadata", name), texts, was, is)
			}
		default:
			c.member(request.Keys(name), root, before, after)
		}
	}
	return c.found
}

// texts is the schema of labels and annotations.
var texts = &structuralschema.Structural{AdditionalProperties: &structuralschema.StructuralOrBool{Bool: true}}

type comparison struct{ found []difference }

func (c *comparison) add(d difference) {
	d.path = slices.Clone(d.path)
	c.found = append(c.found, d)
}

func names(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// child is the schema of a member; nil where it is not declared.
func child(s *structuralschema.Structural, name string) *structuralschema.Structural {
	if s == nil {
		return nil
	}
	if property, ok := s.Properties[name]; ok {
		return &property
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Structural
	}
	return nil
}

func (c *comparison) members(at request.Path, s *structuralschema.Structural, was, is map[string]any) {
	for _, name := range names(was, is) {
		c.member(at.To(request.Key(name)), s, was, is)
	}
}

// member compares the last member of a path in two objects of a schema.
func (c *comparison) member(at request.Path, above *structuralschema.Structural, before, after map[string]any) {
	name := at[len(at)-1].Key
	s := child(above, name)
	was, had := before[name]
	is, has := after[name]
	switch {
	case !has:
		c.add(difference{at, Lost, was, nil, saysNothing(above, s, at, was)})
	case !had && !isEntry(above, name) && !isEmptyBy(s, is) && s != nil && len(s.Properties) > 0:
		members, _ := is.(map[string]any)
		c.members(at, s, nil, members) // a struct that is not a pointer is there as soon as it is written
	case !had:
		c.add(difference{at, Added, nil, is, isEmptyBy(s, is) && !isEntry(above, name)})
	default:
		c.value(at, s, was, is)
	}
}

func (c *comparison) value(at request.Path, s *structuralschema.Structural, was, is any) {
	switch before := was.(type) {
	case map[string]any:
		if after, ok := is.(map[string]any); ok {
			c.members(at, s, before, after)
			return
		}
	case []any:
		if after, ok := is.([]any); ok {
			c.items(at, s, before, after)
			return
		}
	}
	switch {
	case equal(was, is):
	case was == nil: // which clients take for absent
		c.add(difference{at, Changed, was, is, isEmptyBy(s, is)})
	case is == nil:
		c.add(difference{at, Changed, was, is, isEmptyBy(s, was) && !isStruct(s, at, was)})
	default:
		c.add(difference{at, Changed, was, is, Respelled(s, was, is)})
	}
}

// equal reports whether two values are the same number, or the same otherwise.
func equal(a, b any) bool {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(float64); ok {
			return isWhole(b) && int64(b) == a
		}
	case float64:
		if b, ok := b.(int64); ok {
			return isWhole(a) && int64(a) == b
		}
	case map[string]any, []any:
		return canonical(a) == canonical(b)
	}
	return a == b
}

func isWhole(n float64) bool { return n == math.Trunc(n) && math.Abs(n) < 1<<63 }

// items compares lists: by the keys of a map, without regard to order in a map or set, and otherwise one by one.
func (c *comparison) items(at request.Path, s *structuralschema.Structural, was, is []any) {
	var items *structuralschema.Structural
	kind, keys := "", []string(nil)
	if s != nil {
		items = s.Items
		keys = s.XListMapKeys
		if s.XListType != nil {
			kind = *s.XListType
		}
	}
	identity := func(item any) string { return canonical(item) }
	if kind == "map" {
		identity = func(item any) string { return keyOf(item, keys) }
	}
	pairs, added := match(was, is, identity)
	switch {
	case kind == "set" || kind == "map":
	case !slices.Contains(pairs, -1) && len(added) == 0:
		if !slices.IsSorted(pairs) {
			c.add(difference{at, Reordered, was, is, false})
		}
		return
	default: // what is in the place of each counts
		for i := range pairs {
			pairs[i] = i
			if i >= len(is) {
				pairs[i] = -1
			}
		}
		added = added[:0]
		for j := len(was); j < len(is); j++ {
			added = append(added, j)
		}
	}
	for i, j := range pairs {
		here := at.To(request.Index(i))
		if j < 0 {
			c.add(difference{here, Lost, was[i], nil, false})
			continue
		}
		c.value(here, items, was[i], is[j])
	}
	for _, j := range added {
		c.add(difference{at.To(request.Index(j)), Added, nil, is[j], false})
	}
}

// match pairs each item of a list with one of the other that has the same identity, -1 for none, and has what is left.
func match(was, is []any, identity func(any) string) (pairs, added []int) {
	places := map[string][]int{}
	for j, item := range is {
		id := identity(item)
		places[id] = append(places[id], j)
	}
	for _, item := range was {
		id := identity(item)
		if all := places[id]; len(all) > 0 {
			pairs, places[id] = append(pairs, all[0]), all[1:]
			continue
		}
		pairs = append(pairs, -1)
	}
	for j, item := range is {
		if slices.Contains(places[identity(item)], j) {
			added = append(added, j)
		}
	}
	return pairs, added
}

// keyOf is what an item of a list of type map is told from others by.
func keyOf(item any, keys []string) string {
	members, ok := item.(map[string]any)
	if !ok {
		return canonical(item)
	}
	var values []any
	for _, key := range keys {
		value := members[key]
		if isEmpty(value) {
			value = nil // so that an item with an empty key is found again without it
		}
		values = append(values, value)
	}
	return canonical(values)
}
