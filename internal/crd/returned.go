package crd

import (
	"encoding/json"

	"github.com/crdlift/crdlift/internal/yaml11"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Discrepancy is an entry of a manifest that an API server does not return as it is written.
type Discrepancy struct {
	Key   Place // of the entry
	Value *yaml.Node
	// Returned is what the server returns in place of the value, as decoded from JSON. It is nil where the server leaves out the
	// entry.
	Returned any
}

// Discrepancies lists the entries of a v1 CRD's metadata and spec that an API server does not return as they are written, in the
// order of the text. They are found by decoding and encoding with upstream's types, which leave out an optional field that has
// its zero value. It lists only what programs that compare a manifest with a cluster see: they take null for absence, and know
// one number where YAML has 1 and 1.0. What the server adds is no discrepancy, nor is a field that it does not know, for which it
// rejects the manifest.
//
// It is empty for a CRD that does not decode, and for one of v1beta1, which servers return as v1.
func (c *CRD) Discrepancies() []Discrepancy {
	d, err := c.Decode()
	if err != nil || c.Version != V1 {
		return nil
	}
	value, err := returned(d)
	if err != nil {
		return nil
	}
	r := &returning{unknown: map[*yaml.Node]bool{}}
	if !d.Known {
		for _, u := range c.UnknownFields() {
			r.unknown[u.Key] = true
		}
	}
	for _, e := range Entries(c.Node) {
		if e.Name == "metadata" || e.Name == "spec" { // the server writes the status
			r.compare(Place{e.Value, e.Name}, value[e.Name])
		}
	}
	return r.found
}

// returned is a CRD as servers encode what they have read.
func returned(d *Object) (value map[string]any, err error) {
	defer crashed(&err)
	stored, err := ToV1(d.Hub)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(stored)
	if err != nil {
		return nil, err
	}
	return value, kjson.UnmarshalCaseSensitivePreserveInts(raw, &value)
}

// A returning is a walk through a manifest and what servers return for it.
type returning struct {
	unknown map[*yaml.Node]bool // the keys of fields that servers do not know
	found   []Discrepancy
}

// passedOver is the metadata that programs do not compare as it is: kubectl and others that apply add annotations, so that there
// always are some, and the server sets the time.
var passedOver = map[string]bool{"annotations": true, "creationTimestamp": true}

// compare compares a value with what is returned for it, of the same kind and, if it is a list, of the same length.
func (r *returning) compare(at Place, value any) {
	switch value := value.(type) {
	case []any:
		for i, item := range at.Items() {
			r.compare(item, value[i])
		}
	case map[string]any:
		for _, e := range Entries(at.Node) {
			if r.unknown[e.Key] || IsNull(e.Value) || at.Path == "metadata" && passedOver[e.Name] {
				continue
			}
			path, is := Member(at.Path, e.Name), value[e.Name]
			if alike(e.Value, is) {
				r.compare(Place{e.Value, path}, is)
			} else {
				r.found = append(r.found, Discrepancy{Place{e.Key, path}, e.Value, is})
			}
		}
	}
}

// alike reports whether a value that is not null is that from JSON, apart from what a mapping or the items of a list have in them.
func alike(n *yaml.Node, value any) bool {
	switch n = Deref(n); value := value.(type) {
	case map[string]any:
		return n.Kind == yaml.MappingNode
	case []any:
		return n.Kind == yaml.SequenceNode && len(n.Content) == len(value)
	default: // nil where nothing is returned
		_, written := yaml11.Resolve(n)
		return value != nil && number(written) == number(value)
	}
}

// number makes a float64 of every number, as programs that compare do, and leaves other values.
func number(value any) any {
	switch value := value.(type) {
	case int64:
		return float64(value)
	case uint64:
		return float64(value)
	}
	return value
}
