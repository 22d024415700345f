package mutants

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Tighter is a v1 manifest in JSON that refuses more than the given one, at a few places of its schemas, and says where. It may
// be one that a server refuses.
func Tighter(random *rand.Rand, manifest []byte) (changed []byte, about string, err error) {
	var crd map[string]any
	if err := json.Unmarshal(manifest, &crd); err != nil {
		return nil, "", err
	}
	versions, _ := child(crd, "spec")["versions"].([]any)
	var done []string
	for range 1 + random.IntN(3) {
		version, _ := versions[random.IntN(len(versions))].(map[string]any)
		nodes := schemasOf(child(child(version, "schema"), "openAPIV3Schema"), "")
		n := nodes[0] // the root, more often than its share
		if random.IntN(4) > 0 {
			n = nodes[random.IntN(len(nodes))]
		}
		kind, _ := n.schema["type"].(string)
		options := append(slices.Clone(tightenings[kind]), tightenings[""]...)
		if n.path != "" {
			options = append(options, unchanged)
		}
		option := options[random.IntN(len(options))]
		option.make(random, n.schema)
		done = append(done, version["name"].(string)+n.path+": "+option.about)
	}
	if random.IntN(8) == 0 {
		scale(random, versions)
		done = append(done, "a scale subresource")
	}
	changed, err = json.Marshal(crd)
	return changed, strings.Join(done, "; "), err
}

// A schemaNode is a schema outside of anyOf and the like, and where it is.
type schemaNode struct {
	path   string
	schema map[string]any
}

// schemasOf are the schemas at and below one, that one first.
func schemasOf(schema map[string]any, path string) []schemaNode {
	all := []schemaNode{{path, schema}}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		// The server has schemas of its own for the root's.
		if path == "" && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			continue
		}
		if below, ok := properties[name].(map[string]any); ok {
			all = append(all, schemasOf(below, path+"."+name)...)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		all = append(all, schemasOf(items, path+"[]")...)
	}
	if values, ok := schema["additionalProperties"].(map[string]any); ok {
		all = append(all, schemasOf(values, path+"{}")...)
	}
	return all
}

// A tightening changes a schema so that it refuses more.
type tightening struct {
	about string
	make  func(random *rand.Rand, schema map[string]any)
}

func set(key string, value any) func(*rand.Rand, map[string]any) {
	return func(_ *rand.Rand, schema map[string]any) { schema[key] = value }
}

// rules adds a rule; those about strings and lists that have no bounds need some, or they may cost too much.
func rule(rule map[string]any) tightening {
	return tightening{"rule " + rule["rule"].(string), func(_ *rand.Rand, schema map[string]any) {
		rules, _ := schema["x-kubernetes-validations"].([]any)
		schema["x-kubernetes-validations"] = append([]any{rule}, rules...)
	}}
}

// tightenings are those for each type, and under "" those for all. A rule may fail, do so at run time, or be about what
// the value was.
var tightenings = map[string][]tightening{
	"": {
		rule(map[string]any{"rule": "false", "message": "never"}),
		rule(map[string]any{"rule": "oldSelf.hasValue()", "optionalOldSelf": true}),
		{"not null", func(_ *rand.Rand, schema map[string]any) { delete(schema, "nullable") }},
		{"nothing of it", set("not", map[string]any{})},
	},
	"string": {
		{"maxLength", set("maxLength", 1)}, {"minLength", set("minLength", 300)}, {"pattern", set("pattern", "^z")},
		{"enum", set("enum", []any{"one", "two"})}, {"format", set("format", "date-time")},
		{"anyOf", set("anyOf", []any{map[string]any{"minLength": 200}, map[string]any{"pattern": "^y"}})},
		rule(map[string]any{"rule": "self.size() < 3 || 1 / (self.size() - self.size()) == 1"}),
	},
	"integer": {{"maximum", set("maximum", 0)}, {"minimum", set("minimum", 1000)}, {"enum", set("enum", []any{12})}},
	"number":  {{"maximum", set("maximum", 0)}, {"multipleOf", set("multipleOf", 1000)}},
	"boolean": {rule(map[string]any{"rule": "!self"}), {"enum", set("enum", []any{false})}},
	"array": {
		{"maxItems", set("maxItems", 0)}, {"minItems", set("minItems", 3)},
		{"set", set("x-kubernetes-list-type", "set")}, {"atomic", set("x-kubernetes-list-type", "atomic")},
		rule(map[string]any{"rule": "self.size() == 0 || 1 / (self.size() - self.size()) == 1"}),
	},
	"object": {
		{"required", requireSome}, {"required", requireSome}, {"required", requireSome},
		{"maxProperties", set("maxProperties", 0)}, {"minProperties", set("minProperties", 9)},
		{"an embedded resource", embed}, {"a field less", dropOne},
	},
}

// unchanged is not for the root: there it compares managedFields as well, which only the server knows.
var unchanged = rule(map[string]any{"rule": "self == oldSelf"})

func propertiesOf(schema map[string]any) (map[string]any, []string) {
	properties, _ := schema["properties"].(map[string]any)
	return properties, slices.Sorted(maps.Keys(properties))
}

func requireSome(random *rand.Rand, schema map[string]any) {
	if _, names := propertiesOf(schema); len(names) > 0 {
		required, _ := schema["required"].([]any)
		schema["required"] = append([]any{names[random.IntN(len(names))]}, required...)
	}
}

func embed(_ *rand.Rand, schema map[string]any) {
	schema["x-kubernetes-embedded-resource"] = true
	schema["x-kubernetes-preserve-unknown-fields"] = true
}

// dropOne removes a property, which is pruned from then on.
func dropOne(random *rand.Rand, schema map[string]any) {
	if properties, names := propertiesOf(schema); len(names) > 0 {
		delete(properties, names[random.IntN(len(names))])
	}
}

// scale gives all versions a scale whose replicas are some property of spec.
func scale(random *rand.Rand, versions []any) {
	for _, v := range versions {
		version, _ := v.(map[string]any)
		root := child(child(version, "schema"), "openAPIV3Schema")
		spec, _ := child(root, "properties")["spec"].(map[string]any)
		if _, names := propertiesOf(spec); len(names) > 0 {
			child(version, "subresources")["scale"] = map[string]any{
				"specReplicasPath": ".spec." + names[random.IntN(len(names))], "statusReplicasPath": ".status.replicas"}
		}
	}
}
