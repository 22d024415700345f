package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// What kustomize reads of a schema when it merges a patch: see PatchStrategyAndKeyList of sigs.k8s.io/kustomize/kyaml/openapi.
const (
	strategy  = "x-kubernetes-patch-strategy"
	mergeKey  = "x-kubernetes-patch-merge-key"
	mergeKeys = "x-kubernetes-list-map-keys"
	ofKinds   = "x-kubernetes-group-version-kind"

	definitions = "#/definitions/"
)

// A tree is a schema as JSON.
type tree = map[string]any

// A merger knows how kustomize merges built-in kinds.
type merger struct {
	builtIn tree            // definitions
	kept    map[string]bool // those by which lists are merged
}

// ForKustomize is the file that `openapi.path` of a kustomization takes: by which keys a strategic merge patch merges the lists of the
// served versions of CRDs. For kustomize, it takes the place of all built-in definitions, and so it has these as well, as far as they
// are about lists that are merged. An error is about a CRD that cannot be read.
func ForKustomize(crds []*objects.Definition) ([]byte, error) {
	builtIn, err := kustomize.Definitions()
	if err != nil {
		return nil, err
	}
	m := &merger{builtIn, map[string]bool{}}
	all := m.keep()
	for _, d := range crds {
		spec := d.Hub.Spec
		path := strings.Split(spec.Group, ".")
		slices.Reverse(path)
		for _, v := range spec.Versions {
			if !v.Served {
				continue
			}
			made := tree{}
			if root := d.Root(v.Name); root != nil {
				raw, err := yaml11.ToJSON(root.Node)
				if err == nil {
					err = json.Unmarshal(raw, &made)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: version %s: %w", d.Name, v.Name, err)
				}
			}
			m.addKeys(made, nil)
			made = m.lists(made)
			fields := m.each(made["properties"])
			fields["metadata"] = tree{"$ref": definitions + "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
			made["properties"] = fields
			made[ofKinds] = []any{tree{"group": spec.Group, "version": v.Name, "kind": spec.Names.Kind}}
			all[strings.Join(append(slices.Clone(path), v.Name, spec.Names.Kind), ".")] = made
		}
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetIndent("", " ")
	err = to.Encode(tree{"definitions": all})
	return out.Bytes(), err
}

// keep returns the built-in definitions by which lists are merged.
func (m *merger) keep() tree {
	all := tree{}
	for more := true; more; {
		more = false
		for name, d := range m.builtIn {
			if !m.kept[name] && len(m.lists(d.(tree))) > 0 {
				m.kept[name], more = true, true
			}
		}
	}
	for name := range m.kept { // now with all that they refer to
		d := m.builtIn[name].(tree)
		all[name] = m.lists(d)
		if kinds := d[ofKinds]; kinds != nil {
			all[name].(tree)[ofKinds] = kinds
		}
	}
	return all
}

// lists is what a schema says about lists that are merged; empty where it says nothing. What is below one that is replaced does not
// matter. Fields without a list have no schema then, so that kustomize still knows an object in one by its apiVersion and kind.
func (m *merger) lists(s tree) tree {
	if ref, _ := s["$ref"].(string); m.kept[strings.TrimPrefix(ref, definitions)] {
		return tree{"$ref": ref}
	}
	out := m.each(tree{"additionalProperties": s["additionalProperties"]})
	if properties := m.each(s["properties"]); len(properties) > 0 {
		out["properties"] = properties
	}
	if how, _ := s[strategy].(string); slices.Contains(strings.Split(how, ","), "merge") {
		maps.Copy(out, m.each(tree{"items": s["items"]}))
		for _, keyword := range []string{"type", strategy, mergeKey, mergeKeys} {
			if value := s[keyword]; value != nil {
				out[keyword] = value
			}
		}
	}
	return out
}

// each is what lists says of those of some schemas of which it says something.
func (m *merger) each(of any) tree {
	out := tree{}
	schemas, _ := of.(tree)
	for name, s := range schemas {
		if s, is := s.(tree); is {
			if lists := m.lists(s); len(lists) > 0 {
				out[name] = lists
			}
		}
	}
	return out
}

// addKeys has a schema of a CRD say by which keys lists are merged. In a pod, which a built-in definition describes as well,
// they are those of a Deployment: the same patch has to do the same.
func (m *merger) addKeys(s, like tree) {
	if ref, _ := like["$ref"].(string); ref != "" {
		like, _ = m.builtIn[strings.TrimPrefix(ref, definitions)].(tree)
	}
	if isPod(s) {
		like, _ = m.builtIn["io.k8s.api.core.v1.PodSpec"].(tree)
	}
	switch is := s["x-kubernetes-list-type"]; {
	case like[strategy] != nil && is != "atomic":
		for _, keyword := range []string{strategy, mergeKey, mergeKeys} {
			if value := like[keyword]; value != nil {
				s[keyword] = value
			}
		}
	case is == "map", is == "set":
		ownKeys(s)
	}
	below := func(of, like any) {
		if of, is := of.(tree); is {
			like, _ := like.(tree)
			m.addKeys(of, like)
		}
	}
	below(s["items"], like["items"])
	below(s["additionalProperties"], nil)
	properties, _ := s["properties"].(tree)
	alike, _ := like["properties"].(tree)
	for name, p := range properties {
		below(p, alike[name])
	}
}

// ownKeys has a list say how it is merged by its list type. kustomize loses items that lack a key, so that each has to be there: one with
// a default may be left out, and the list is replaced. Of sets, it merges those of scalars.
func ownKeys(s tree) {
	items, _ := s["items"].(tree)
	keys, _ := s[mergeKeys].([]any)
	required, _ := items["required"].([]any)
	properties, _ := items["properties"].(tree)
	missable := slices.ContainsFunc(keys, func(key any) bool {
		name, _ := key.(string)
		p, _ := properties[name].(tree)
		return !slices.Contains(required, key) || p["default"] != nil
	})
	isScalar := slices.Contains([]any{"string", "integer", "number"}, items["type"])
	if len(keys) == 1 {
		s[mergeKey] = keys[0]
		delete(s, mergeKeys)
	}
	if isScalar || len(keys) > 0 && !missable {
		s[strategy] = "merge"
	}
}

// isPod reports whether a schema describes what a pod has: a list of containers, which are told by their fields.
func isPod(s tree) bool {
	properties, _ := s["properties"].(tree)
	list, _ := properties["containers"].(tree)
	container, _ := list["items"].(tree)
	fields, _ := container["properties"].(tree)
	return !slices.ContainsFunc([]string{"name", "image", "command", "env", "volumeMounts"}, func(field string) bool { return fields[field] == nil })
}
