package crd

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// decodeV1beta1 decodes JSON as Kubernetes 1.21 did, into today's type. That server differs in three ways:
//
//   - It had no fields for later additions, so that no value of those is an error. (Values that decode are kept:
//     upstream converts them.)
//   - It had metadata.clusterName, which has to be a string.
//   - It distinguished upper from lower case in keys, but not below items, additionalProperties, additionalItems and
//     dependencies: their types decode themselves, with util/json.Unmarshal of apimachinery, which was encoding/json's.
//
// The JSON was made from tree.
func decodeV1beta1(tree *yaml.Node, raw []byte, obj *v1beta1.CustomResourceDefinition) (strict []error, err error) {
	if bytes.Contains(raw, []byte(`"clusterName"`)) {
		var older struct {
			Metadata struct {
				ClusterName string `json:"clusterName"`
			} `json:"metadata"`
		}
		if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &older); err != nil {
			return nil, err
		}
	}
	strict, err = kjson.UnmarshalStrict(respelled(tree, raw, false), obj)
	if err == nil {
		return strict, nil
	}
	*obj = v1beta1.CustomResourceDefinition{}
	if strict, again := kjson.UnmarshalStrict(respelled(tree, raw, true), obj); again == nil {
		return strict, nil
	}
	return nil, err
}

// respelled is the JSON of a tree with the keys below items and the like spelled as their fields are, and without the
// values of newer fields if told to. Hardly any manifest has such keys.
func respelled(tree *yaml.Node, raw []byte, dropNewer bool) []byte {
	r := &respelling{dropNewer: dropNewer}
	(&CRD{Node: tree, Version: V1beta1}).visit(r, true)
	if !r.found {
		return raw
	}
	own := &CRD{Node: parseJSON(raw), Version: V1beta1} // without aliases, so that a change is one in one place
	r.change = true
	own.visit(r, true)
	return appendJSON(nil, own.Node)
}

// appendJSON appends the JSON of a tree that was made of JSON. It keeps both of two keys that have become the same: they are
// decoded one after the other, and either may be of the wrong type.
func appendJSON(out []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			name, _ := json.Marshal(n.Content[i].Value)
			out = append(appendJSON(append(append(out, name...), ':'), n.Content[i+1]), ',')
		}
		return append(bytes.TrimSuffix(out, []byte(",")), '}')
	case yaml.SequenceNode:
		out = append(out, '[')
		for _, item := range n.Content {
			out = append(appendJSON(out, item), ',')
		}
		return append(bytes.TrimSuffix(out, []byte(",")), ']')
	}
	value, _ := yaml11.ToJSON(n) // it came from there
	return append(out, value...)
}

// A respelling is a walk that looks for keys in another case than their fields', and for newer fields.
type respelling struct {
	dropNewer bool
	change    bool // correct what is found
	found     bool
}

// value puts keys in order, as clients send them: they decode a manifest into maps. Of two spellings of a key, the server
// takes the last.
func (r *respelling) value(at *spot, n *yaml.Node) bool {
	if r.change && at.loose && n.Kind == yaml.MappingNode && at.shape.kind == object {
		entries := slices.Collect(slices.Chunk(n.Content, 2))
		slices.SortStableFunc(entries, func(a, b []*yaml.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
		n.Content = slices.Concat(entries...)
	}
	return true
}

func (r *respelling) entry(_ *spot, e Entry, f *field) {
	if f == nil || f.name == e.Name && !(f.newer && r.dropNewer) {
		return
	}
	r.found = true
	switch {
	case !r.change:
	case f.newer:
		*e.Value = yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	default:
		e.Key.Value = f.name
	}
}
