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
	var crd object
	if err := json.Unmarshal(manifest, &crd); err != nil {
		return nil, "", err
	}
	versions, _ := child(crd, "spec")["versions"].([]any)
	var done []string
	for range 1 + random.IntN(3) {
		version, _ := versions[random.IntN(len(versions))].(object)
		nodes := schemasOf(child(child(version, "schema"), "openAPIV3Schema"), "")
		n := nodes[0] // the root, more often than its share
		if random.IntN(4) > 0 {
			n = nodes[random.IntN(len(nodes))]
		}
		kind, _ := n.schema["type"].(string)
		options := slices.Concat(tightenings[kind], tightenings[""])
		if n.path != "" {
			options = append(options, unchanged)
		}
		option := options[random.IntN(len(options))]
		tighten(random, n.schema, option)
		done = append(done, version["name"].(string)+n.path+": "+option)
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
	schema object
}

// schemasOf are the schemas at and below one, that one first.
func schemasOf(schema object, path string) []schemaNode {
	all := []schemaNode{{path, schema}}
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		// The server has schemas of its own for the root's.
		if path == "" && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			continue
		}
		if below, ok := properties[name].(object); ok {
			all = append(all, schemasOf(below, path+"."+name)...)
		}
	}
	if items, ok := schema["items"].(object); ok {
		all = append(all, schemasOf(items, path+"[]")...)
	}
	if values, ok := schema["additionalProperties"].(object); ok {
		all = append(all, schemasOf(values, path+"{}")...)
	}
	return all
}

// What tightens a schema, and is no member of it.
const (
	require = "one of the properties is required"
	drop    = "one of the properties is dropped" // it is pruned from then on
)

// tightenings are the members that schemas of each type are given to refuse more, and under "" those for all. A rule may fail,
// do so at run time, or be about what the value was; those about strings and lists that have no bounds need some, or they may
// cost too much.
var tightenings = map[string][]string{
	"": {
		`{"x-kubernetes-validations":[{"rule":"false","message":"never"}]}`, `{"x-kubernetes-validations":[{"rule":"oldSelf.hasValue()","optionalOldSelf":true}]}`,
		`{"nullable":false}`, `{"not":{}}`,
	},
	"string": {
		`{"maxLength":1}`, `{"minLength":300}`, `{"pattern":"^z"}`, `{"enum":["one","two"]}`, `{"format":"date-time"}`, `{"anyOf":[{"minLength":200},{"pattern":"^y"}]}`,
		`{"x-kubernetes-validations":[{"rule":"self.size() < 3 || 1 / (self.size() - self.size()) == 1"}]}`,
	},
	"integer": {`{"maximum":0}`, `{"minimum":1000}`, `{"enum":[12]}`},
	"number":  {`{"maximum":0}`, `{"multipleOf":1000}`},
	"boolean": {`{"x-kubernetes-validations":[{"rule":"!self"}]}`, `{"enum":[false]}`},
	"array": {
		`{"maxItems":0}`, `{"minItems":3}`, `{"x-kubernetes-list-type":"set"}`, `{"x-kubernetes-list-type":"atomic"}`,
		`{"x-kubernetes-validations":[{"rule":"self.size() == 0 || 1 / (self.size() - self.size()) == 1"}]}`,
	},
	"object": {
		require, require, require, drop, `{"maxProperties":0}`, `{"minProperties":9}`,
		`{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`,
	},
}

// unchanged is not for the root: there it compares managedFields as well, which only the server knows.
const unchanged = `{"x-kubernetes-validations":[{"rule":"self == oldSelf"}]}`

// tighten changes a schema so that it refuses more. A rule is put before those that there are.
func tighten(random *rand.Rand, schema object, option string) {
	switch properties, names := propertiesOf(schema); {
	case option != require && option != drop:
		members := value(option).(object)
		if added, ok := members["x-kubernetes-validations"].(list); ok {
			old, _ := schema["x-kubernetes-validations"].(list)
			members["x-kubernetes-validations"] = append(added, old...)
		}
		maps.Copy(schema, members)
	case len(names) == 0:
	case option == drop:
		delete(properties, names[random.IntN(len(names))])
	default:
		required, _ := schema["required"].(list)
		schema["required"] = append(list{names[random.IntN(len(names))]}, required...)
	}
}

func propertiesOf(schema object) (properties object, names []string) {
	properties, _ = schema["properties"].(object)
	return properties, slices.Sorted(maps.Keys(properties))
}

// scale gives all versions a scale whose replicas are some property of spec.
func scale(random *rand.Rand, versions []any) {
	for _, v := range versions {
		version, _ := v.(object)
		root := child(child(version, "schema"), "openAPIV3Schema")
		spec, _ := child(root, "properties")["spec"].(object)
		if _, names := propertiesOf(spec); len(names) > 0 {
			child(version, "subresources")["scale"] = object{
				"specReplicasPath": ".spec." + names[random.IntN(len(names))], "statusReplicasPath": ".status.replicas"}
		}
	}
}
