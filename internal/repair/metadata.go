package repair

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// metaTypes are the fields of every object's metadata with the only type that the server lets them have: a schema that
// says no more than that restricts nothing.
var metaTypes = map[string]string{
	"namespace": "string", "selfLink": "string", "uid": "string", "resourceVersion": "string",
	"generation": "integer", "creationTimestamp": "string", "deletionTimestamp": "string",
	"deletionGracePeriodSeconds": "integer", "labels": "object", "annotations": "object",
	"ownerReferences": "array", "finalizers": "array", "clusterName": "string", "managedFields": "array",
}

// rootMetadata reduces the root's metadata to what v1 allows: its type, and restrictions of name and generateName
// (H12). What restricted nothing goes; what did restrict something goes only if the policy loosens.
func (r *repairer) rootMetadata(n node) {
	for _, e := range crd.Entries(n.Node) {
		switch {
		case e.Name == "type":
		case e.Name == "properties":
			r.metadataProperties(n)
		case e.Name == "description" || e.Name == "title" || e.Name == "nullable" || e.Name == "additionalProperties" && harmless(e.Value) || strings.HasPrefix(e.Name, "x-kubernetes-map-type") || e.Name == preserveKey:
			r.dropMetadata(n, e, Safe, e.Name+" is not allowed on metadata and restricts nothing; it was removed")
		case e.Name == "required" && alwaysThere(e.Value):
			r.dropMetadata(n, e, Safe, "required on metadata only names what is always there; it was removed")
		case r.policy.Loosen:
			r.dropMetadata(n, e, Changes, e.Name+" is not allowed on metadata; it was removed and more objects are accepted now")
		}
	}
}

// harmless says whether additionalProperties restricts nothing.
func harmless(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n.Kind == yaml.MappingNode && len(n.Content) == 0 || n.Kind == yaml.ScalarNode && n.Value == "true"
}

// alwaysThere says whether a required list names nothing but fields that every stored object has.
func alwaysThere(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return crd.Deref(c).Value != "name" })
}

func (r *repairer) dropMetadata(n node, e crd.Entry, class Class, message string) {
	touched := append(everyNode(e.Value), n.remove(e.Name)...)
	r.add(class, "schema-metadata-restricted", n, message, e.Name).Touched = touched
	if len(n.Node.Content) == 0 {
		n.Node.Style |= yaml.FlowStyle
	}
}

// metadataProperties removes the members other than name and generateName.
func (r *repairer) metadataProperties(n node) {
	properties := node{Place: crd.Place{Node: n.get("properties"), Path: n.path("properties")}}
	for _, e := range n.entries("properties") {
		if e.Name == "name" || e.Name == "generateName" {
			continue
		}
		class, message := Safe, "metadata."+e.Name+" may not be described and was not restricted; its schema was removed"
		if !saysOnlyType(e.Value, metaTypes[e.Name]) {
			if !r.policy.Loosen {
				continue
			}
			class, message = Changes, "metadata."+e.Name+" may not be restricted; its schema was removed and more objects are accepted now"
		}
		touched := append(everyNode(e.Value), properties.remove(e.Name)...)
		repair := r.add(class, "schema-metadata-restricted", n, message)
		repair.Touched = touched
		repair.Fields = []string{crd.Under(properties.Path, e.Name), properties.Path}
	}
	if properties.Node != nil && len(properties.Node.Content) == 0 {
		touched := n.remove("properties")
		r.add(Safe, "schema-metadata-restricted", n, "an empty properties was removed from metadata", "properties").Touched = touched
	}
}

// saysOnlyType says whether a schema asks no more than a type that the value always has.
func saysOnlyType(n *yaml.Node, typ string) bool {
	n = crd.Deref(n)
	if crd.IsNull(n) {
		return true
	}
	if n.Kind != yaml.MappingNode {
		return false
	}
	for _, e := range crd.Entries(n) {
		switch e.Name {
		case "description", "title":
		case "type":
			if t := crd.StringAt(n, "type"); typ == "" || t != typ {
				return false
			}
		case "format":
			if v := crd.StringAt(n, "format"); v != "date-time" && v != "int64" {
				return false
			}
		case "additionalProperties", "items":
			if typ != "object" && typ != "array" || !saysOnlyType(e.Value, "string") {
				return false
			}
		default:
			return false
		}
	}
	return true
}
