package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/runtime"
	fieldpath "k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scheme knows the types of both API versions and upstream's own defaulting and conversion between them.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
}

// An Object is a CustomResourceDefinition as an API server holds it after decoding and defaulting.
type Object struct {
	// Hub is the internal type, which all versions convert to. It has the shape of v1beta1.
	Hub *apiextensions.CustomResourceDefinition
	// Strict lists what only strict decoding complains about: unknown and duplicate fields. A server drops them.
	Strict []error
	// Known says that UnknownFields has nothing to tell; it may also have nothing when this is false.
	Known bool
	// PlainKeys says that no mapping has a key twice, and none has a plain one that is not a string to YAML 1.1. They may
	// be like that when this is false, too.
	PlainKeys bool
}

// Decode reads a CRD as the API server of its version does: YAML 1.1, case-sensitive JSON, that version's defaulting,
// conversion to the internal type. The error is the one that the server would answer with 400, or reports that the
// version does not exist.
func (c *CRD) Decode() (*Object, error) {
	if c.decoded != nil {
		return c.decoded()
	}
	return c.decode()
}

func (c *CRD) decode() (*Object, error) {
	if obj, in := newObject(c.Version), (&decoder{toHub: true}); obj != nil && in.into(c.Node, obj) {
		d, err := toHub(obj, nil)
		if err == nil {
			in.restore(d.Hub)
			d.Known, d.PlainKeys = true, !in.oddKeys
		}
		return d, err
	}
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return nil, err
	}
	return decodeJSON(c.Node, raw, c.Version)
}

// newObject is an empty object of an API version; nil for a version that does not exist.
func newObject(version Version) runtime.Object {
	switch version {
	case V1:
		return &v1.CustomResourceDefinition{}
	case V1beta1:
		return &v1beta1.CustomResourceDefinition{}
	}
	return nil
}

// DecodeJSON is Decode for a CRD in JSON.
func DecodeJSON(raw []byte, version Version) (*Object, error) {
	return decodeJSON(parseJSON(raw), raw, version)
}

func decodeJSON(tree *yaml.Node, raw []byte, version Version) (decoded *Object, err error) {
	defer crashed(&err)
	obj := newObject(version)
	var strict []error
	switch obj := obj.(type) {
	case *v1.CustomResourceDefinition:
		strict, err = kjson.UnmarshalStrict(raw, obj)
	case *v1beta1.CustomResourceDefinition:
		strict, err = decodeV1beta1(tree, raw, obj)
	default:
		err = fmt.Errorf("there is no version %q of %s: it is v1, or v1beta1 on servers up to 1.21", version, Group)
	}
	if err != nil {
		return nil, err
	}
	return toHub(obj, strict)
}

func crashed(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("decoding failed: %v", p)
	}
}

func toHub(obj runtime.Object, strict []error) (decoded *Object, err error) {
	defer crashed(&err)
	scheme.Default(obj)
	hub := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(obj, hub, nil); err != nil {
		return nil, err
	}
	if keeps := hub.Spec.PreserveUnknownFields; keeps != nil {
		// Convert_bool_To_Pointer_bool of apimachinery points into the object, and so would keep all of it.
		hub.Spec.PreserveUnknownFields = new(*keeps)
	}
	return &Object{Hub: hub, Strict: strict}, nil
}

// ToV1 converts with upstream's own functions, which never default the result. The two share what they have in common:
// neither may be modified below its own fields.
func ToV1(hub *apiextensions.CustomResourceDefinition) (*v1.CustomResourceDefinition, error) {
	out := &v1.CustomResourceDefinition{}
	if err := scheme.Convert(hub, out, nil); err != nil {
		return nil, err
	}
	return out, nil
}

// DecodeSchema reads one schema as the API server holds it, without the CRD around it. Both API versions write schemas
// the same way.
func DecodeSchema(n *yaml.Node) (out *apiextensions.JSONSchemaProps, err error) {
	defer crashed(&err)
	if out = new(apiextensions.JSONSchemaProps); n != nil && decodeNodes(n, out) {
		return out, nil
	}
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	var in v1.JSONSchemaProps
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &in); err != nil {
		return nil, err
	}
	out = new(apiextensions.JSONSchemaProps)
	return out, scheme.Convert(&in, out, nil)
}

// embedded is what objectmeta looks at of an embedded resource without what is in it.
var embedded = &structuralschema.Structural{Extensions: structuralschema.Extensions{XEmbeddedResource: true}}

// Mistyped is the error of objectmeta.Coerce about a value that it rejects: of several the first by the names on the way.
// Upstream returns the first in the order of its maps. The value is not changed.
func Mistyped(at *fieldpath.Path, value any, s *structuralschema.Structural) *fieldpath.Error {
	if s == nil {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if s.XEmbeddedResource {
				alone := map[string]any{key: runtime.DeepCopyJSONValue(value[key])}
				if err := objectmeta.Coerce(at, alone, embedded, false, false); err != nil {
					return err
				}
			}
			below, schema := at.Child(key), (*structuralschema.Structural)(nil)
			if property, declared := s.Properties[key]; declared {
				schema = &property
			} else if s.AdditionalProperties != nil {
				below, schema = at.Key(key), s.AdditionalProperties.Structural
			}
			if err := Mistyped(below, value[key], schema); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := Mistyped(at.Index(i), item, s.Items); err != nil {
				return err
			}
		}
	}
	return nil
}

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
