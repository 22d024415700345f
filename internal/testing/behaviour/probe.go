package behaviour

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/sample"
	"k8s.io/apimachinery/pkg/runtime"
)

// Unknown is what the names of unknown fields start with.
const Unknown = "unknown"

// unknowns are what an unknown field may hold.
func unknowns() map[string]any {
	return map[string]any{
		Unknown + "Text":   "text",
		Unknown + "Null":   nil,
		Unknown + "Object": map[string]any{"a": map[string]any{"b": int64(1), "null": nil}, "list": []any{map[string]any{"c": true}}},
		Unknown + "Lists":  []any{[]any{map[string]any{"a": int64(1)}, nil}, map[string]any{"b": "c"}},
	}
}

type probe struct {
	about string
	value any
}

// probes are the values to try at a node, given a valid one.
func (g *Generator) probes(at Path, node sample.Schemas, valid any) []probe {
	if len(at) == 0 {
		return g.rootProbes()
	}
	object := unknownObject()
	probes := []probe{
		{"valid", valid},
		{"null", nil},
		{"empty text", ""},
		{"text", "text"},
		{"long text", "text with spaces, and longer than most things are: " + strings.Repeat("long ", 60)},
		{"integer", int64(7)},
		{"negative integer", int64(-1000000)},
		{"number", 1.5},
		{"whole number", 2.0},
		{"boolean", true},
		{"unknown object", object},
		{"list of objects", []any{object, object}},
	}
	if scalar := scalarOf(node); scalar != "" {
		// Of the values that the type alone rejects, one of each kind is enough.
		probes = slices.DeleteFunc(probes, func(p probe) bool { return slices.Contains(alikeFor[scalar], p.about) })
	} else {
		probes = append(probes, []probe{
			{"large integer", int64(1) << 40},
			{"number as text", "7"},
			{"empty object", map[string]any{}},
			{"empty list", []any{}},
			{"list of text", []any{"text", "text"}},
			{"list of lists", []any{[]any{object, "text"}, nil, []any{[]any{object}}}},
		}...)
	}
	filled := g.Value(at, true)
	probes = append(probes, probe{"full", filled})
	probes = append(append(probes, changed(valid, "")...), changed(filled, "full ")...)
	if whole, ok := valid.(map[string]any); ok {
		for _, name := range sorted(whole) {
			less := runtime.DeepCopyJSON(whole)
			delete(less, name)
			probes = append(probes, probe{"without " + name, less})
		}
	}
	for _, s := range node {
		for _, value := range s.Enum[:min(3, len(s.Enum))] {
			probes = append(probes, probe{"enum value", sample.Plain(value)})
		}
	}
	return probes
}

// changed are an object with unknown fields, or lists with a first item and something that does not go with it.
func changed(whole any, prefix string) []probe {
	switch whole := whole.(type) {
	case map[string]any:
		return around(whole, prefix)
	case []any:
		if len(whole) > 0 {
			first := whole[0]
			return []probe{
				{"twice the same item", []any{first, first}}, {"an item and null", []any{first, nil}},
				{"an item and a list", []any{first, []any{first}}}, {"an item and an object", []any{first, unknownObject()}},
			}
		}
	}
	return nil
}

func unknownObject() map[string]any {
	return map[string]any{"unknownA": map[string]any{"unknownB": map[string]any{"c": int64(1)}}, "unknownNull": nil}
}

// scalarOf is the one scalar type that is valid at the node, whatever else its schema says; "" when there is no such type.
func scalarOf(node sample.Schemas) string {
	if len(node) == 1 && alikeFor[node[0].Type] != nil {
		return node[0].Type
	}
	return ""
}

// alikeFor are probes that a scalar type rejects as it rejects another one.
var alikeFor = map[string][]string{
	"string":  {"negative integer", "number", "whole number"},
	"integer": {"empty text", "long text"},
	"number":  {"empty text", "long text"},
	"boolean": {"empty text", "long text", "negative integer", "number", "whole number"},
}

// around are an object and unknown fields in it, alone and together.
func around(object map[string]any, about string) []probe {
	var probes []probe
	with := func(what string, members map[string]any) {
		more := runtime.DeepCopyJSON(object)
		maps.Copy(more, members)
		probes = append(probes, probe{about + what, more})
	}
	all := unknowns()
	with("unknown fields", all)
	if about == "" {
		for _, name := range sorted(all) {
			with("one unknown field", map[string]any{name: all[name]})
		}
	}
	return probes
}

// rootProbes are members to add to a valid object.
func (g *Generator) rootProbes() []probe {
	probes := []probe{{"valid", map[string]any{}}}
	probes = append(probes, around(map[string]any{}, "")...)
	metadata := func(about string, members map[string]any) {
		members["name"] = "sample"
		probes = append(probes, probe{"metadata: " + about, map[string]any{"metadata": members}})
	}
	metadata("unknown fields", unknowns())
	metadata("null labels", map[string]any{"labels": nil})
	metadata("labels", map[string]any{"labels": map[string]any{"a": "b"}, "annotations": map[string]any{"a": "b"}})
	metadata("label of another type", map[string]any{"labels": map[string]any{"a": int64(1)}})
	metadata("label that is null", map[string]any{"labels": map[string]any{"a": nil}})
	metadata("wrong label", map[string]any{"labels": map[string]any{"-": "?"}})
	metadata("wrong namespace", map[string]any{"namespace": int64(1)})
	probes = append(probes,
		probe{"metadata: text", map[string]any{"metadata": "text"}},
		probe{"metadata: null", map[string]any{"metadata": nil}},
		probe{"metadata: long name", map[string]any{"metadata": map[string]any{"name": strings.Repeat("long-name-", 8)}}})
	if object, ok := g.Value(nil, true).(map[string]any); ok {
		delete(object, "metadata")
		probes = append(probes, probe{"full", object})
	}
	return probes
}
