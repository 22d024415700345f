package rules

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/older"
)

// schemaNodes lists the schemas of a tree that a change is worth trying in: not the root's metadata.
func schemaNodes(s map[string]any, root bool) []map[string]any {
	var all []map[string]any
	if !root {
		all = append(all, s)
	}
	if properties, ok := s["properties"].(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if p, ok := properties[name].(map[string]any); ok && !(root && (name == "metadata" || name == "apiVersion" || name == "kind")) {
				all = append(all, schemaNodes(p, false)...)
			}
		}
	}
	for _, keyword := range []string{"items", "additionalProperties", "not"} {
		if p, ok := s[keyword].(map[string]any); ok {
			all = append(all, schemaNodes(p, false)...)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := s[keyword].([]any)
		for _, b := range branches {
			if p, ok := b.(map[string]any); ok {
				all = append(all, schemaNodes(p, false)...)
			}
		}
	}
	return all
}

// A schemaEdit changes a schema, and reports whether it could.
type schemaEdit struct {
	name  string
	apply func(s map[string]any, r *rand.Rand) bool
}

func pickOne[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// anyKey chooses a key of a map; ok is false for an empty one.
func anyKey(r *rand.Rand, v any) (string, map[string]any, bool) {
	m, _ := v.(map[string]any)
	if len(m) == 0 {
		return "", nil, false
	}
	return pickOne(r, slices.Sorted(maps.Keys(m))...), m, true
}

func setFor(types ...string) func(s map[string]any, keyword string, value any) bool {
	return func(s map[string]any, keyword string, value any) bool {
		t, _ := s["type"].(string)
		if !slices.Contains(types, t) {
			return false
		}
		s[keyword] = value
		return true
	}
}

var (
	onText, onNumber, onList, onObject = setFor("string"), setFor("integer", "number"), setFor("array"), setFor("object")
	onAny                              = setFor("string", "integer", "number", "boolean", "array", "object", "")
)

func drop(keywords ...string) func(map[string]any, *rand.Rand) bool {
	return func(s map[string]any, r *rand.Rand) bool {
		for _, k := range keywords {
			if _, ok := s[k]; ok {
				delete(s, k)
				return true
			}
		}
		return false
	}
}

var schemaEdits = []schemaEdit{
	{"remove a property", func(s map[string]any, r *rand.Rand) bool {
		name, properties, ok := anyKey(r, s["properties"])
		if !ok {
			return false
		}
		delete(properties, name)
		list, _ := s["required"].([]any)
		s["required"] = slices.DeleteFunc(list, func(v any) bool { return v == name })
		return true
	}},
	{"add a property", func(s map[string]any, r *rand.Rand) bool {
		properties, ok := s["properties"].(map[string]any)
		if ok {
			properties["another"] = map[string]any{"type": "string", "maxLength": 3}
		}
		return ok
	}},
	{"require a property", func(s map[string]any, r *rand.Rand) bool {
		name, _, ok := anyKey(r, s["properties"])
		list, _ := s["required"].([]any)
		if !ok || slices.Contains(list, any(name)) {
			return false
		}
		s["required"] = append(list, name)
		return true
	}},
	{"require less", drop("required")},
	{"set a type", func(s map[string]any, r *rand.Rand) bool {
		if t, _ := s["type"].(string); t == "" || t == "object" || t == "array" {
			return false
		}
		s["type"] = pickOne(r, "string", "integer", "number", "boolean")
		return true
	}},
	{"int or string", func(s map[string]any, r *rand.Rand) bool {
		if t, _ := s["type"].(string); t != "string" && t != "integer" {
			return false
		}
		delete(s, "type")
		s["x-kubernetes-int-or-string"] = true
		return true
	}},
	{"set maxLength", func(s map[string]any, r *rand.Rand) bool { return onText(s, "maxLength", pickOne(r, 1, 5, 40, 253)) }},
	{"set minLength", func(s map[string]any, r *rand.Rand) bool { return onText(s, "minLength", pickOne(r, 0, 1, 3)) }},
	{"set a pattern", func(s map[string]any, r *rand.Rand) bool {
		return onText(s, "pattern", pickOne(r, "^[a-z]+$", "^(a|b)$", ".*", "^[a-z]([-a-z0-9]*[a-z0-9])?$", "x"))
	}},
	{"set a format", func(s map[string]any, r *rand.Rand) bool {
		return onText(s, "format", pickOne(r, "date-time", "byte", "unknown", "ipv4", "password", "duration"))
	}},
	{"set minimum", func(s map[string]any, r *rand.Rand) bool { return onNumber(s, "minimum", pickOne(r, 0, 1, -5)) }},
	{"set maximum", func(s map[string]any, r *rand.Rand) bool { return onNumber(s, "maximum", pickOne(r, 3, 100, 65535)) }},
	{"set multipleOf", func(s map[string]any, r *rand.Rand) bool { return onNumber(s, "multipleOf", pickOne(r, 1, 2, 5)) }},
	{"set an enum", func(s map[string]any, r *rand.Rand) bool { return onText(s, "enum", []any{"text", "other"}) }},
	{"remove an enum value", func(s map[string]any, r *rand.Rand) bool {
		list, _ := s["enum"].([]any)
		if len(list) < 2 {
			return false
		}
		s["enum"] = list[1:]
		return true
	}},
	{"add an enum value", func(s map[string]any, r *rand.Rand) bool {
		list, _ := s["enum"].([]any)
		if len(list) > 0 {
			s["enum"] = append(list, "another")
		}
		return len(list) > 0
	}},
	{"set maxItems", func(s map[string]any, r *rand.Rand) bool { return onList(s, "maxItems", pickOne(r, 0, 1)) }},
	{"set minItems", func(s map[string]any, r *rand.Rand) bool { return onList(s, "minItems", pickOne(r, 1, 2)) }},
	{"set maxProperties", func(s map[string]any, r *rand.Rand) bool { return onObject(s, "maxProperties", pickOne(r, 0, 1)) }},
	{"set minProperties", func(s map[string]any, r *rand.Rand) bool { return onObject(s, "minProperties", pickOne(r, 1, 3)) }},
	{"set a list type", func(s map[string]any, r *rand.Rand) bool {
		return onList(s, "x-kubernetes-list-type", pickOne(r, "set", "atomic"))
	}},
	{"set a rule", func(s map[string]any, r *rand.Rand) bool {
		return onText(s, "x-kubernetes-validations", []any{map[string]any{"rule": pickOne(r, "self != 'text'", "self == oldSelf")}})
	}},
	{"set a default", func(s map[string]any, r *rand.Rand) bool { return onText(s, "default", "text") }},
	{"toggle nullable", func(s map[string]any, r *rand.Rand) bool { return onAny(s, "nullable", s["nullable"] != true) }},
	{"set anyOf", func(s map[string]any, r *rand.Rand) bool {
		return onText(s, pickOne(r, "anyOf", "oneOf"), []any{map[string]any{"maxLength": 4}, map[string]any{"pattern": "^a"}})
	}},
	{"set not", func(s map[string]any, r *rand.Rand) bool { return onText(s, "not", map[string]any{"pattern": "^t"}) }},
	{"tighten a branch", func(s map[string]any, r *rand.Rand) bool {
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if list, _ := s[keyword].([]any); len(list) > 1 {
				s[keyword] = list[1:]
				return true
			}
		}
		return false
	}},
	{"keep no unknown fields", drop("x-kubernetes-preserve-unknown-fields", "additionalProperties")},
	{"keep unknown fields", func(s map[string]any, r *rand.Rand) bool {
		return s["additionalProperties"] == nil && onObject(s, "x-kubernetes-preserve-unknown-fields", true)
	}},
	{"values instead of properties", func(s map[string]any, r *rand.Rand) bool {
		if s["properties"] == nil {
			return false
		}
		delete(s, "properties")
		s["additionalProperties"] = map[string]any{"type": "string"}
		return true
	}},
	{"drop a bound", drop("maxLength", "minLength", "maximum", "minimum", "pattern", "enum", "format", "maxItems", "minItems", "maxProperties", "minProperties", "x-kubernetes-validations", "default")},
}

func refusedOnCreate(c *older.CRD) bool {
	hub := decodedHub(c.CRD)
	return hub == nil || !apiserver.OnCreate(hub, c.CRD.Version).Accepted()
}
