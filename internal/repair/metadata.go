package repair

import (
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// rootMetadata reduces the root's metadata to what v1 allows: its type, and restrictions of name and generateName.
// What restricted nothing goes; what did restrict something goes only if the policy loosens.
func (r *repairer) rootMetadata(n node) {
	for _, e := range crd.Entries(n.Node) {
		switch {
		case e.Name == "type":
		case e.Name == "properties":
			r.metadataProperties(n)
		case e.Name == "description" || e.Name == "title" || e.Name == "nullable" || e.Name == "additionalProperties" && harmless(e.Value) || strings.HasPrefix(e.Name, "x-kubernetes-map-type") || e.Name == preserveKey:
			r.dropMetadata(n, e, policy.Safe, e.Name+" is not allowed on metadata and restricts nothing; it was removed")
		case e.Name == "required" && alwaysThere(e.Value):
			r.dropMetadata(n, e, policy.Safe, "required on metadata only names what is always there; it was removed")
		case r.policy.Loosen:
			r.dropMetadata(n, e, policy.Changes, e.Name+" is not allowed on metadata; it was removed and more objects are accepted now")
		}
	}
}

// harmless reports whether additionalProperties restricts nothing.
func harmless(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n.Kind == yaml.MappingNode && len(n.Content) == 0 || n.Kind == yaml.ScalarNode && n.Value == "true"
}

// alwaysThere reports whether a required list names nothing but fields that every stored object has.
func alwaysThere(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return crd.Deref(c).Value != "name" })
}

func (r *repairer) dropMetadata(n node, e crd.Entry, class policy.Class, message string) {
	r.drop(n, e.Name, class, "schema-metadata-freed", message)
}

// metadataProperties removes the members other than name and generateName.
func (r *repairer) metadataProperties(n node) {
	properties := node{Place: crd.Place{Node: n.get("properties"), Path: n.path("properties")}}
	for _, e := range n.entries("properties") {
		if e.Name == "name" || e.Name == "generateName" {
			continue
		}
		class, message := policy.Safe, "metadata."+e.Name+" may not be described and was not restricted; its schema was removed"
		if !restrictsNothing(e.Value, metaField(e.Name)) {
			if !r.policy.Loosen {
				continue
			}
			class, message = policy.Changes, "metadata."+e.Name+" may not be restricted; its schema was removed and more objects are accepted now"
		}
		at := crd.Place{Node: e.Key, Path: crd.Under(properties.Path, e.Name)}
		touched := append(layout.EveryNode(e.Value), properties.remove(e.Name)...)
		repair := r.addAt(at, class, "schema-metadata-freed", n, message)
		repair.Touched = touched
		repair.Fields = []string{crd.Under(properties.Path, e.Name), properties.Path}
	}
	if properties.Node != nil && len(properties.Node.Content) == 0 {
		touched := n.remove("properties")
		r.add(policy.Safe, "schema-metadata-freed", n, "an empty properties was removed from metadata", "properties").Touched = touched
	}
}

// metaField returns the Go type of a field of every object's metadata, nil when there is no such field, so that no
// validated object has it.
func metaField(name string) reflect.Type {
	if name == "clusterName" {
		return reflect.TypeFor[string]() // until Kubernetes 1.24
	}
	field, _ := crd.FieldType(reflect.TypeFor[metav1.ObjectMeta](), name)
	return field
}

// requiredByServer are the fields that the server itself insists on: validateOwnerReference upstream.
var requiredByServer = []string{"apiVersion", "kind", "name", "uid"}

// restrictsNothing reports whether a schema asks no more of a field of metadata than decoding into its Go type does.
func restrictsNothing(n *yaml.Node, t reflect.Type) bool {
	n = crd.Deref(n)
	switch {
	case crd.IsNull(n), t == nil: // decoding drops a field that the Go type does not have
		return true
	case n.Kind != yaml.MappingNode:
		return false
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return !slices.ContainsFunc(crd.Entries(n), func(e crd.Entry) bool { return restricts(n, e, t) })
}

// restricts reports whether one keyword of a schema asks more of a field than its Go type does.
func restricts(n *yaml.Node, e crd.Entry, t reflect.Type) bool {
	typ, format := jsonKind(t)
	switch e.Name {
	case "description", "title":
		return false
	case "type":
		return crd.StringAt(n, "type") != typ
	case "format":
		return crd.StringAt(n, "format") != format
	case "properties":
		return typ != "object" || t.Kind() != reflect.Struct || slices.ContainsFunc(crd.Entries(e.Value), func(p crd.Entry) bool {
			field, _ := crd.FieldType(t, p.Name)
			return !restrictsNothing(p.Value, field)
		})
	case "additionalProperties":
		return t.Kind() != reflect.Map || !restrictsNothing(e.Value, t.Elem())
	case "items":
		return t.Kind() != reflect.Slice || !restrictsNothing(e.Value, t.Elem())
	case "required":
		names := crd.Deref(e.Value).Content
		return t != reflect.TypeFor[metav1.OwnerReference]() || len(names) == 0 || slices.ContainsFunc(names, func(name *yaml.Node) bool {
			return !slices.Contains(requiredByServer, crd.Deref(name).Value)
		})
	}
	return true
}

// jsonKind returns the schema type of a Go type of metadata, and the format that schemas generated from it have.
func jsonKind(t reflect.Type) (typ, format string) {
	switch {
	case t == reflect.TypeFor[metav1.Time]():
		return "string", "date-time"
	case t == reflect.TypeFor[metav1.FieldsV1]():
		return "object", ""
	}
	switch t.Kind() {
	case reflect.String:
		return "string", ""
	case reflect.Bool:
		return "boolean", ""
	case reflect.Int64:
		return "integer", "int64"
	case reflect.Slice:
		return "array", ""
	}
	return "object", ""
}
