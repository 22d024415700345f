package xrd

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// rebuilt are the mappings of a schema that Crossplane makes anew, by their paths in it, with what messages call them.
var rebuilt = map[string]string{
	"": "the schema", "properties": "the schema",
	"properties[metadata]": "metadata", "properties[metadata].properties": "metadata", "properties[metadata].properties[name]": "metadata.name",
	"properties[spec]": "spec", specFields: "spec", "properties[status]": "status", statusFields: "status",
}

// These are the paths of the fields of a resource that its author chooses.
const (
	specFields   = "properties[spec].properties"
	statusFields = "properties[status].properties"
)

// taken are the keywords that genCrdVersion of xcrd takes over from them.
var taken = map[string][]string{
	"":                   {"description", "x-kubernetes-validations"},
	"properties[spec]":   {"description", "required", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations", "oneOf"},
	"properties[status]": {"description", "required", "x-kubernetes-validations", "oneOf"},
}

// longestName is the longest name that a composite resource or a claim can have: it becomes the value of a label.
const longestName = 63

// schemaOf is the schema of a version as genCrdVersion of xcrd and its callers make it.
func (x *definition) schemaOf(was *yaml.Node, kind string) *yaml.Node {
	base, own := added("base"), added(kind)
	crd.Get(base, "properties", "spec", "properties").Content = x.withPolicy(crd.Get(own, "spec"), kind).Content
	crd.Get(base, "properties", "status", "properties").Content = crd.Get(own, "status").Content
	length := crd.Get(base, "properties", "metadata", "properties", "name", "maxLength")
	if written := crd.Get(was, "properties", "metadata", "properties", "name", "maxLength"); written != nil {
		if _, v := yaml11.Resolve(written); !crd.IsNull(written) {
			if n, isInt := v.(int64); !isInt || n < longestName {
				*length = *written
			}
		}
	}
	return rebuild(was, base, "")
}

// rebuild is a mapping of a schema with what Crossplane writes into it, and what it takes over.
func rebuild(was, own *yaml.Node, path string) *yaml.Node {
	if was = crd.Deref(was); was != nil && was.Kind != yaml.MappingNode && !crd.IsNull(was) {
		return was // which no schema can have
	}
	made := like(was)
	if path == specFields || path == statusFields {
		made = without(was, namesOf(crd.Entries(own))...)
	}
	for _, e := range crd.Entries(own) {
		key, value, below := e.Key, e.Value, crd.Member(path, e.Name)
		if rebuilt[below] != "" {
			value = rebuild(crd.Get(was, e.Name), value, below)
		}
		if value.Line > 0 {
			key = keyOf(was, e.Name, e.Name)
		}
		add(made, key, value)
	}
	share(made, was, taken[path]...)
	return made
}

// withPolicy adds the default of a policy that the XRD has, or the API server for it, to the fields of spec.
func (x *definition) withPolicy(spec *yaml.Node, kind string) *yaml.Node {
	in, policy, field, value := spec, "compositionUpdatePolicy", "defaultCompositionUpdatePolicy", "Automatic"
	if kind == claims {
		policy, field, value = "compositeDeletePolicy", "defaultCompositeDeletePolicy", "Background"
	} else if kind != legacyCluster {
		in = crd.Get(spec, "crossplane", "properties")
	}
	schema := crd.Get(in, policy)
	for _, known := range crd.Strings(crd.Get(schema, "enum")) { // the API server rejects others
		if known == crd.StringAt(x.spec, field) {
			value = known
		}
	}
	add(schema, own("default"), own(value))
	return spec
}
