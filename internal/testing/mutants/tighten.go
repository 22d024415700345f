package mutants

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Tighter is a v1 manifest in JSON that rejects more than the given one, at a few places of its schemas, and says where. It may
// be one that a server rejects.
func Tighter(random *rand.Rand, manifest []byte) (changed []byte, about string, err error) {
	m, err := newMutant(manifest, random)
	if err != nil {
		return nil, "", err
	}
	var done []string
	for range 1 + random.IntN(3) {
		nodes := structuralSchemas(pick(m, m.versions()...))
		n := nodes[0] // the root, more often than its share
		if random.IntN(4) > 0 {
			n = pick(m, nodes...)
		}
		kind, _ := n.Members()["type"].(string)
		options := slices.Concat(tightenings[kind], tightenings[""])
		if len(n.at) > 0 {
			options = append(options, unchanged)
		}
		option := pick(m, options...)
		m.tighten(n.Members(), option)
		done = append(done, fmt.Sprintf("%v: %s", n.at, option))
	}
	if random.IntN(8) == 0 {
		m.scale()
		done = append(done, "a scale subresource")
	}
	changed, err = json.Marshal(m.root)
	return changed, strings.Join(done, "; "), err
}

// structuralSchemas are the schemas of a version outside of anyOf and the like, each by one of its fields, the root first. The
// server has schemas of its own for apiVersion, kind and metadata of the root.
func structuralSchemas(version object) []Place {
	root := child(child(version, "schema"), "openAPIV3Schema")
	of := reflect.TypeFor[v1.JSONSchemaProps]()
	own := []any{"apiVersion", "kind", "metadata"}
	return slices.DeleteFunc(places(of, root, nil), func(p Place) bool {
		return p.of != of || p.step != "type" || len(p.at) > 1 && p.at[0] == any("properties") && slices.Contains(own, p.at[1]) ||
			slices.ContainsFunc(p.at, func(step any) bool { return slices.Contains([]any{"allOf", "anyOf", "oneOf", "not"}, step) })
	})
}

// tighten changes a schema so that it rejects more. Another rule is put before those that there are.
func (m *mutant) tighten(schema object, option string) {
	properties, _ := schema["properties"].(object)
	name := pick(m, slices.Sorted(maps.Keys(properties))...)
	switch {
	case option == require && name != "":
		required, _ := schema["required"].(list)
		schema["required"] = append(list{name}, required...)
	case option == drop: // it is pruned from then on
		delete(properties, name)
	case option != require:
		some := value(option).(object)
		old, _ := schema["x-kubernetes-validations"].(list)
		maps.Copy(schema, some)
		if added, ok := some["x-kubernetes-validations"].(list); ok {
			schema["x-kubernetes-validations"] = append(added, old...)
		}
	}
}

// What is no member of a schema.
const (
	require = "one of the properties is required"
	drop    = "one of the properties is dropped"
)

// tightenings are what schemas of each type are given, and under "" those of all. A rule may fail, do so at run time, or be about what
// the value was; those about strings and lists that have no bounds need some, or they may cost too much.
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
	"object": {require, require, require, `{"maxProperties":0}`, `{"minProperties":9}`, `{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`, drop},
}

// unchanged is not for the root: there it compares managedFields as well, which only the server knows.
const unchanged = `{"x-kubernetes-validations":[{"rule":"self == oldSelf"}]}`

// scale gives all versions a scale whose replicas are some property of spec.
func (m *mutant) scale() {
	for _, version := range m.versions() {
		properties := child(child(child(version, "schema"), "openAPIV3Schema"), "properties")
		spec, _ := properties["spec"].(object)
		below, _ := spec["properties"].(object)
		if name := pick(m, slices.Sorted(maps.Keys(below))...); name != "" {
			child(version, "subresources")["scale"] = object{"specReplicasPath": ".spec." + name, "statusReplicasPath": ".status.replicas"}
		}
	}
}
