// Package repair makes schemas of CustomResourceDefinitions structural, as apiextensions.k8s.io/v1 requires, without
// changing the behaviour of custom resources or, where the caller allows it, with a change that it names.
//
// It works on the kyaml tree of a CRD in v1 layout (every version with its own schema) and reports its repairs. Errors
// that it cannot repair are left for the validation to find. testdata/convert/README.md lists the cases.
//
// Read repair.go first: the policy and the repairs. node.go is one schema in its place, value.go repairs a schema that
// describes a value, and junctor.go with branch.go those in allOf, anyOf, oneOf and not; the other files are one repair
// each. single.go makes the repairs of one place, for rules. Package fast foresees where hardly any are made.
package repair

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Repair is one thing that was done to a CRD.
type Repair struct {
	Class   policy.Class // Safe or Changes
	ID      string       // the kind of repair, one of conversion.Kinds
	At      crd.Place    // the node, by its path in v1 layout
	Message string       // one line
	// Fields are the paths of the v1 object that differ because of it.
	Fields []string
	// Touched are nodes of the source whose lines do not come out as they went in.
	Touched []*yaml.Node
	Mark    bool // it added an x-kubernetes-preserve-unknown-fields mark
}

// Policy selects the repairs to make.
type Policy struct {
	// Pruned is true when the CRD already pruned unknown fields: then none need to be kept.
	Pruned bool
	// KeepUnknown marks every object so that unknown fields stay; KeepUnknownAtRoot the root only.
	KeepUnknown, KeepUnknownAtRoot bool
	// InferTypes writes the type that a node's keywords imply, instead of a mark, which needs no type.
	InferTypes bool
	// Loosen drops constraints that a structural schema cannot have: types inside anyOf and oneOf, constraints on root
	// metadata.
	Loosen bool
}

const (
	preserveKey    = "x-kubernetes-preserve-unknown-fields"
	intOrStringKey = "x-kubernetes-int-or-string"
	embeddedKey    = "x-kubernetes-embedded-resource"
)

// Schemas repairs the schemas of all versions of a CRD in v1 layout. A version without one gets one that keeps
// everything. Prunes is true when unknown fields are pruned somewhere that were kept before.
func Schemas(c *crd.CRD, policy Policy) (made []*Repair, prunes bool) {
	r := &repairer{policy: policy, named: map[*yaml.Node]typeSet{}}
	versions := crd.Get(c.Node, "spec", "versions")
	if versions == nil || versions.Kind != yaml.SequenceNode {
		return nil, false
	}
	for i, item := range versions.Content {
		version := crd.Place{Node: crd.Deref(item), Path: crd.Item("spec.versions", i)}
		if version.Node == nil || version.Node.Kind != yaml.MappingNode {
			continue
		}
		r.versionSchema(version)
	}
	r.storageScalars(versions)
	return r.made, r.prunes
}

type repairer struct {
	policy Policy
	made   []*Repair
	prunes bool
	named  map[*yaml.Node]typeSet // by the schema of a field: what branches around it name as its values
}

// versionSchema repairs one version, after giving it a schema when it has none.
func (r *repairer) versionSchema(version crd.Place) {
	schemaKey, schema := crd.Lookup(version.Node, "schema")
	schema = crd.Deref(schema)
	var root *yaml.Node
	if schema != nil && schema.Kind == yaml.MappingNode {
		root = crd.Get(schema, "openAPIV3Schema")
	}
	at := crd.Place{Node: root, Path: version.Path + ".schema.openAPIV3Schema"}
	if root != nil && root.Kind == yaml.MappingNode {
		r.value(node{Place: at, level: rootLevel})
		return
	}
	repair := &Repair{Class: policy.Safe, ID: "schema-added", Fields: []string{version.Path + ".schema"}, Mark: true,
		Message: "this version had no schema; it got one that keeps and accepts everything, as before"}
	repair.At = crd.Place{Node: version.Node, Path: version.Path}
	if schema != nil && schema.Kind == yaml.MappingNode {
		repair.At = crd.Place{Node: schemaKey, Path: version.Path + ".schema"}
	}
	repair.Touched = KeepEverything(version.Node, "schema")
	r.made = append(r.made, repair)
}

// KeepEverything returns a version, or a v1beta1 spec, which has none, a schema that accepts every object and prunes
// nothing. The key is "schema" or "validation". The nodes returned stood on lines that change.
func KeepEverything(in *yaml.Node, key string) (touched []*yaml.Node) {
	stub := layout.Mapping("type", layout.String("object"), preserveKey, layout.Bool(true))
	k, v := crd.Lookup(in, key)
	if schema := crd.Deref(v); schema != nil && schema.Kind == yaml.MappingNode {
		layout.Set(schema, "openAPIV3Schema", stub)
		return []*yaml.Node{k, schema}
	}
	if k != nil {
		touched = []*yaml.Node{k, v}
	}
	return append(touched, layout.SetBefore(in, key, layout.Mapping("openAPIV3Schema", stub), "subresources", "additionalPrinterColumns")...)
}

// add records a repair of a node: keywords are those that it set, changed or removed.
func (r *repairer) add(class policy.Class, rule string, n node, message string, keywords ...string) *Repair {
	return r.addAt(n.Place, class, rule, n, message, keywords...)
}

// drop removes a keyword of a node, and records that with all its lines.
func (r *repairer) drop(n node, keyword string, class policy.Class, rule, message string) *Repair {
	at := n.at(keyword)
	_, value := crd.Lookup(n.Node, keyword)
	touched := append(layout.EveryNode(value), n.remove(keyword)...)
	repair := r.addAt(at, class, rule, n, message, keyword)
	repair.Touched, repair.Mark = touched, false
	return repair
}

// addAt is add for a repair that is about a keyword of the node, rather than about the node.
func (r *repairer) addAt(at crd.Place, class policy.Class, rule string, n node, message string, keywords ...string) *Repair {
	repair := &Repair{Class: class, ID: rule, At: at, Message: message}
	for _, k := range keywords {
		repair.Fields = append(repair.Fields, crd.Join(n.Path, k))
		if k == preserveKey {
			repair.Mark = true
		}
	}
	r.made = append(r.made, repair)
	return repair
}

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
			"another version may have an object here; "+preserveKey+": true keeps it in storage", preserveKey).Touched = touched
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
