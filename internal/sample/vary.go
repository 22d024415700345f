package sample

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// Around are valid objects that differ at one node: At's, and those with other values there, each with what it shows. There are
// none for a node that no valid object has a value at.
func (g *Generator) Around(at Path) (all []Sample) {
	base, ok := g.At(at)
	if !ok {
		return nil
	}
	all = append(all, Sample{at, "as it is", base, true})
	seen := map[string]bool{jsonOf(base): true}
	add := func(about string, object request.Object) {
		if !seen[jsonOf(object)] && Valid(g.version, object) {
			all = append(all, Sample{at, about, object, true})
		}
		seen[jsonOf(object)] = true
	}
	if len(at) == 0 {
		add("as little as possible", g.build(g.maker(at, 0), nil, nil))
		return all
	}
	for _, v := range g.variants(at) {
		object := runtime.DeepCopyJSON(base)
		Put(object, at, v.value)
		add(v.about, object)
	}
	if at[len(at)-1].Kind != Items {
		object := runtime.DeepCopyJSON(base)
		Concrete(at).Remove(object)
		add("absent", object)
	}
	return all
}

func jsonOf(value any) string {
	b, _ := json.Marshal(value) // what is made is JSON
	return string(b)
}

// variants are values that may be valid at a node.
func (g *Generator) variants(at Path) (all []variant) {
	add := func(about string, values ...any) {
		for _, value := range values {
			all = append(all, variant{about, value})
		}
	}
	node := g.Schemas(at)
	m := g.maker(at, 1)
	s := m.shape(node, "")
	for _, value := range s.Enum {
		add("a value of its enum", Plain(value))
	}
	if s.Nullable {
		add("null", nil)
	}
	if len(s.Enum) > 0 {
		return all
	}
	switch kind := s.kind(); kind {
	case "boolean":
		add("false", false)
		add("true", true)
	case "string":
		add("another text", s.text(at, 901), s.text(at, 17))
	case "array":
		for _, n := range slices.Compact(slices.Sorted(slices.Values(s.lengths()))) {
			add("items", m.items(s, at, n))
		}
	case "object":
		add("nothing in it", map[string]any{})
		m.full = true
		add("most that there is", m.value(node, at), m.value(node, at))
		all = append(all, g.keys(m, s, at)...)
	}
	return append(all, s.variants(at, m.next())...)
}

func (g *Generator) keys(m maker, s *shape, at Path) (all []variant) {
	if len(s.values) == 0 && (!s.preserved || len(s.properties) > 0) {
		return nil
	}
	value := func() any {
		if len(s.values) == 0 {
			return map[string]any{"a": "b"}
		}
		return m.value(s.values, at.To(Values, ""))
	}
	return []variant{
		{"one key", map[string]any{"key": value()}},
		{"two keys", map[string]any{"example.com/key.1": value(), "__proto__": value()}},
	}
}

// Partial are objects that are not complete: without spec, with metadata only, and without one required field at each
// level. Some of them are valid.
func (g *Generator) Partial() (all []Sample) {
	add := func(at Path, about string, object request.Object) {
		all = append(all, Sample{at, about, object, Valid(g.version, object)})
	}
	bare := request.Object{}
	g.Name(bare)
	add(nil, "metadata only", bare)
	whole := g.build(maker{full: true, number: new(int), hints: g.hints}, nil, nil)
	delete(whole, "status")
	alone := maps.Clone(whole)
	delete(alone, "metadata")
	add(Path{{Property, "metadata"}}, "without metadata", alone) // as server-side apply prunes what a manager had set
	for _, name := range sorted(whole) {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			with := runtime.DeepCopyJSON(bare)
			with[name] = map[string]any{}
			add(Path{{Property, name}}, "an empty "+name, with)
			less := runtime.DeepCopyJSON(whole)
			delete(less, name)
			add(Path{{Property, name}}, "without "+name, less)
		}
	}
	walk(nil, g.root, func(at Path, node Schemas) {
		if len(all) > maxPartial || len(at) > 0 && at[0].Name == "metadata" {
			return
		}
		for _, s := range node {
			for _, name := range s.Required {
				base, ok := g.At(at.To(Property, name))
				if ok && name != "apiVersion" && name != "kind" {
					Concrete(at.To(Property, name)).Remove(base)
					add(at.To(Property, name), "without "+name, base)
				}
			}
		}
	})
	return all
}

// maxPartial bounds how many objects lack something, or have something that is not valid.
const maxPartial = 100

// Unvalidated are objects with one value of the right type that the schema rejects: out of range, no value of the enum, too
// long, not of the pattern.
func (g *Generator) Unvalidated() (all []Sample) {
	walk(nil, g.root, func(at Path, node Schemas) {
		if len(at) == 0 || len(all) > maxPartial {
			return
		}
		s := maker{number: new(int)}.shape(node, "")
		wrong := invalid(s)
		if len(wrong) == 0 {
			return
		}
		base, ok := g.At(at)
		if !ok {
			return
		}
		for _, v := range wrong {
			object := runtime.DeepCopyJSON(base)
			Put(object, at, v.value)
			if !Valid(g.version, object) {
				all = append(all, Sample{at, v.about, object, false})
			}
		}
	})
	return slices.Clip(all)
}

// invalid are values of the type of a node that its schema rejects.
func invalid(s *shape) (all []variant) {
	switch s.kind() {
	case "string":
		if len(s.Enum) > 0 {
			all = append(all, variant{"no value of the enum", "other"})
		}
		if len(s.patterns) > 0 || s.Format != "" {
			all = append(all, variant{"not of the pattern", "?"})
		}
		if s.MaxLength != nil && *s.MaxLength < 1<<16 {
			all = append(all, variant{"too long", strings.Repeat("a", int(*s.MaxLength)+1)})
		}
		if s.MinLength != nil {
			all = append(all, variant{"too short", ""})
		}
	case "integer":
		if s.Maximum != nil && *s.Maximum < 1<<53 {
			all = append(all, variant{"too large", int64(*s.Maximum) + 1})
		}
		if s.Minimum != nil && *s.Minimum > -1<<53 {
			all = append(all, variant{"too small", int64(*s.Minimum) - 1})
		}
	case "array":
		if s.MinItems != nil {
			all = append(all, variant{"too few items", []any{}})
		}
	}
	return all
}
