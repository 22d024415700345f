package repair

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// storageScalars marks fields that are scalars or lists in the storage version and objects in another one. Without
// a conversion webhook an object of the other version is stored as it is, and pruned by the storage version's schema,
// where nothing is declared below a scalar: it would be emptied.
func (r *repairer) storageScalars(versions *yaml.Node) {
	if r.policy.Pruned || !r.policy.KeepUnknown {
		return
	}
	var storage node
	var others []node
	for i, item := range versions.Content {
		root := node{level: rootLevel, Place: crd.Place{
			Node: crd.Get(item, "schema", "openAPIV3Schema"),
			Path: crd.Item("spec.versions", i) + ".schema.openAPIV3Schema",
		}}
		if root.Node == nil || root.Node.Kind != yaml.MappingNode {
			continue
		}
		if stored, _ := crd.BoolAt(item, "storage"); stored {
			storage = root
		} else {
			others = append(others, root)
		}
	}
	if storage.Node == nil {
		return
	}
	for _, other := range others {
		r.keepObjects(storage, other)
	}
}

// keepObjects walks two schemas of the same value.
func (r *repairer) keepObjects(storage, other node) {
	typ, otherType := storage.text("type"), other.text("type")
	if typ != otherType && typ != "object" && typ != "" && (otherType == "object" || otherType == "array" || other.marked()) && !storage.marked() {
		touched := storage.set(preserveKey, layout.Bool(true))
		r.add(policy.Safe, "schema-unknown-fields-kept", storage,
			"another version may have an object here, which "+preserveKey+": true keeps in storage", preserveKey).Touched = touched
	}
	byPath := map[string]node{}
	for _, child := range storage.children() {
		byPath[child.Path[len(storage.Path):]] = child
	}
	for _, child := range other.children() {
		if twin, ok := byPath[child.Path[len(other.Path):]]; ok {
			r.keepObjects(twin, child)
		}
	}
}
