package xrd

import (
	"strconv"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// taken are the keywords that genCrdVersion of xcrd takes over from the schemas at the root, of spec and of status. It also makes them
// of type object, and adds properties.
var taken = map[string][]string{
	"":       {"description", "x-kubernetes-validations"},
	"spec":   {"description", "required", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations", "oneOf"},
	"status": {"description", "required", "x-kubernetes-validations", "oneOf"},
}

// longestName is the longest name of a composite resource and of a claim: it becomes the value of a label.
const longestName = 63

// schemaOf is the schema of a version as genCrdVersion of xcrd and its callers make it.
func (x *definition) schemaOf(was *yaml.Node, claim bool) *yaml.Node {
	root, properties := like(was), crd.Get(was, "properties")
	add(root, own("type"), own("object"))
	add(root, own("required"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{own("spec")}})
	share(root, was, taken[""]...)
	all := like(properties)
	for _, name := range []string{"apiVersion", "kind"} {
		add(all, own(name), typed(like(nil), "string"))
	}
	add(all, keyOf(properties, "metadata", "metadata"), metadataSchema(crd.Get(properties, "metadata")))
	add(all, keyOf(properties, "spec", "spec"), objectSchema("spec", crd.Get(properties, "spec"), x.specFields(claim)))
	add(all, keyOf(properties, "status", "status"), objectSchema("status", crd.Get(properties, "status"), x.statusFields(claim)))
	add(root, keyOf(was, "properties", "properties"), all)
	return root
}

// objectSchema is the schema of spec or status, with the properties that Crossplane adds in the place of others of their names.
func objectSchema(name string, was *yaml.Node, fields *yaml.Node) *yaml.Node {
	s := typed(like(was), "object")
	share(s, was, taken[name]...)
	written := crd.Get(was, "properties")
	if written != nil && written.Kind != yaml.MappingNode && !crd.IsNull(written) {
		share(s, was, "properties")
		return s
	}
	var names []string
	for _, e := range crd.Entries(fields) {
		names = append(names, e.Name)
	}
	properties := without(written, names...)
	properties.Content = append(properties.Content, fields.Content...)
	add(s, keyOf(was, "properties", "properties"), properties)
	return s
}

// metadataSchema is that of metadata: nothing of the XRD's but a limit of the name's length.
func metadataSchema(was *yaml.Node) *yaml.Node {
	written := crd.Get(was, "properties", "name")
	name := typed(like(written), "string")
	length := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: strconv.Itoa(longestName)}
	if limit := crd.Get(written, "maxLength"); limit != nil {
		if kind, n := yaml11.Resolve(limit); kind == yaml11.Int {
			if n, ok := n.(int64); ok && n < longestName {
				length = limit
			}
		} else if !crd.IsNull(limit) {
			length = limit // which no schema can have
		}
	}
	add(name, keyOf(written, "maxLength", "maxLength"), length)
	properties := like(crd.Get(was, "properties"))
	add(properties, keyOf(crd.Get(was, "properties"), "name", "name"), name)
	m := typed(like(was), "object")
	add(m, keyOf(was, "properties", "properties"), properties)
	return m
}

func typed(schema *yaml.Node, name string) *yaml.Node {
	add(schema, own("type"), own(name))
	return schema
}

// specFields are the properties that Crossplane writes into the schema of spec.
func (x *definition) specFields(claim bool) *yaml.Node {
	all, policy, field, fallback := added("spec"), "compositionUpdatePolicy", "defaultCompositionUpdatePolicy", "Automatic"
	scope := x.scope()
	switch {
	case claim:
		policy, field, fallback = "compositeDeletePolicy", "defaultCompositeDeletePolicy", "Background"
		all.Content = append(all.Content, added("claim").Content...)
	case scope == namespaced:
		all.Content = append(all.Content, added("namespaced").Content...)
	default:
		all.Content = append(all.Content, added("resources").Content...)
	}
	schema := crd.Get(all, policy)
	for _, value := range crd.Strings(crd.Get(schema, "enum")) {
		if value == crd.StringAt(x.spec, field) {
			fallback = value // the API server refuses others
		}
	}
	add(schema, own("default"), own(fallback))
	switch {
	case claim:
	case scope == legacyCluster:
		all.Content = append(all.Content, added("legacy").Content...)
	default:
		in := typed(like(nil), "object")
		add(in, own("description"), own("Configures how Crossplane will reconcile this composite resource"))
		add(in, own("properties"), all)
		all = like(nil)
		add(all, own("crossplane"), in)
	}
	return all
}

// statusFields are the properties that Crossplane writes into the schema of status.
func (x *definition) statusFields(claim bool) *yaml.Node {
	all := added("status")
	if claim || x.scope() == legacyCluster {
		all.Content = append(all.Content, added("legacyStatus").Content...)
	}
	return all
}
