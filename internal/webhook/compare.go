package webhook

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/crdlift/crdlift/internal/request"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/api/resource"
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
				c.members(request.Keys("metadata", name), nil, was, is)
			}
		default:
			c.member(request.Keys(name), child(root, name), before, after, name)
		}
	}
	return c.found
}

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
		c.member(at.To(request.Key(name)), child(s, name), was, is, name)
	}
}

func (c *comparison) member(at request.Path, s *structuralschema.Structural, before, after map[string]any, name string) {
	was, had := before[name]
	is, has := after[name]
	switch {
	case !has:
		c.add(difference{at, Lost, was, nil, isEmpty(was)})
	case !had:
		c.add(difference{at, Added, nil, is, isEmpty(is)})
	default:
		c.value(at, s, was, is)
	}
}

// isEmpty reports whether a value is one that Go types do not tell from a missing one, or has nothing but such members.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			if !isEmpty(member) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	}
	return value == nil || value == "" || value == int64(0) || value == 0.0 || value == false
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
	case isEmpty(was) && isEmpty(is): // null and an empty list, for one
		c.add(difference{at, Changed, was, is, true})
	default:
		c.add(difference{at, Changed, was, is, respelled(was, is)})
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

// respelled reports whether two values are the same duration, time, quantity or number.
func respelled(a, b any) bool {
	was, is := spelling(a), spelling(b)
	if was == "" || is == "" {
		return false
	}
	return same(was, is, time.ParseDuration, func(a, b time.Duration) bool { return a == b }) ||
		same(was, is, func(text string) (time.Time, error) { return time.Parse(time.RFC3339, text) }, time.Time.Equal) ||
		same(was, is, resource.ParseQuantity, resource.Quantity.Equal)
}

// same reports whether both texts are of a kind, and equal as such.
func same[T any](a, b string, parse func(string) (T, error), equal func(a, b T) bool) bool {
	was, err := parse(a)
	if err != nil {
		return false
	}
	is, err := parse(b)
	return err == nil && equal(was, is)
}

// spelling is a text, or the number that may stand for it.
func spelling(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case int64:
		return strconv.FormatInt(value, 10)
	}
	return ""
}

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
		values = append(values, members[key])
	}
	return canonical(values)
}
