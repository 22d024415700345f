package crd

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/equality"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// decodeNodes reads a tree into one of upstream's types as kjson.UnmarshalStrict reads its JSON, without making that
// JSON. It knows what nearly all manifests are made of, and returns false for a tree that has anything else: an alias, a
// field that the type has not, a key twice, a value of another type. Then the object is half read, and upstream has to be
// asked. It does not walk, since it needs neither paths nor what merge keys bring in, and stops at the first surprise.
func decodeNodes(n *yaml.Node, obj any) bool { return (&decoder{}).into(n, obj) }

type decoder struct {
	toHub   bool                             // schemas are decoded into the internal type
	schemas []*apiextensions.JSONSchemaProps // that were
	oddKeys bool                             // there may be keys that Decoded.PlainKeys rules out
}

func (d *decoder) into(n *yaml.Node, obj any) bool {
	v := reflect.ValueOf(obj).Elem()
	return d.node(n, shapeOf(v.Type()), v, 0)
}

// schema decodes the schema of a CRD into the internal type, which upstream's conversion would otherwise copy it to field
// by field. What it leaves for the conversion is its number: the same for schemas that are alike, for conversion asks
// whether all are like the first (Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec).
func (d *decoder) schema(n *yaml.Node, v reflect.Value, depth int) bool {
	s := &apiextensions.JSONSchemaProps{}
	if !d.node(n, shapeFor[apiextensions.JSONSchemaProps](), reflect.ValueOf(s).Elem(), depth) {
		return false
	}
	number := len(d.schemas)
	if number > 0 && equality.Semantic.DeepEqual(s, d.schemas[0]) {
		if !reflect.DeepEqual(s, d.schemas[0]) {
			return false // one has an empty list or map where the other has none
		}
		number = 0
	} else {
		d.schemas = append(d.schemas, s)
	}
	v.FieldByName("ID").SetString(strconv.Itoa(number))
	return true
}

func (d *decoder) restore(hub *apiextensions.CustomResourceDefinition) {
	restore := func(v *apiextensions.CustomResourceValidation) {
		if v != nil && v.OpenAPIV3Schema != nil {
			number, _ := strconv.Atoi(v.OpenAPIV3Schema.ID)
			v.OpenAPIV3Schema = d.schemas[number]
		}
	}
	restore(hub.Spec.Validation)
	for _, v := range hub.Spec.Versions {
		restore(v.Schema)
	}
}

// deepest is as deep as decodeNodes goes.
const deepest = 1000

func (d *decoder) node(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	if depth > deepest || n.Kind == yaml.AliasNode {
		return false
	}
	if yaml11.IsNull(n) {
		return true // null leaves every type of upstream's at its zero value
	}
	if s.kind == pointer {
		v.Set(reflect.New(s.elem.typ))
		s, v = s.elem, v.Elem()
		if d.toHub && s.isSchema() && s.typ != shapeFor[apiextensions.JSONSchemaProps]().typ {
			return d.schema(n, v, depth)
		}
	}
	switch {
	case s.kind == union:
		return d.union(n, s, v, depth)
	case s.kind == leaf:
		return n.Kind == yaml.ScalarNode && decodeScalar(n, v)
	case s.kind == object && n.Kind == yaml.MappingNode:
		return d.fields(n, s, v, depth)
	case s.kind == dictionary && n.Kind == yaml.MappingNode:
		return d.dictionary(n, s, v, depth)
	case s.kind == list && n.Kind == yaml.SequenceNode && !s.isBytes():
		return d.list(n, s, v, depth)
	case s.kind == opaque:
		d.oddKeys = d.oddKeys || len(n.Content) > 0
		return !hasAlias(n, depth) && decodeByUpstream(n, v)
	}
	return s.isBytes() && n.Kind == yaml.ScalarNode && decodeByUpstream(n, v)
}

func decodeByUpstream(n *yaml.Node, v reflect.Value) bool {
	raw, err := yaml11.ToJSON(n)
	return err == nil && kjson.UnmarshalCaseSensitivePreserveInts(raw, v.Addr().Interface()) == nil
}

// hasAlias reports whether a tree has an alias, or is too deep to be searched.
func hasAlias(n *yaml.Node, depth int) bool {
	if n.Kind == yaml.AliasNode || depth > deepest {
		return true
	}
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return hasAlias(c, depth+1) })
}

func decodeScalar(n *yaml.Node, v reflect.Value) bool {
	if v.Kind() == reflect.String {
		text, ok := yaml11.Text(n)
		if !ok || !utf8.ValidString(text) {
			return false
		}
		v.SetString(text)
		return true
	}
	switch _, value := yaml11.Resolve(n); value := value.(type) {
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(value)
			return true
		}
	case int64:
		switch {
		case v.CanInt() && !v.OverflowInt(value):
			v.SetInt(value)
			return true
		case v.Kind() == reflect.Float64:
			v.SetFloat(float64(value))
			return true
		}
	case float64:
		if v.Kind() == reflect.Float64 && !math.IsInf(value, 0) && !math.IsNaN(value) {
			v.SetFloat(value)
			return true
		}
	}
	return false
}

func (d *decoder) dictionary(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	m := reflect.MakeMapWithSize(s.typ, len(n.Content)/2)
	v.Set(m)
	key, value := reflect.New(s.typ.Key()).Elem(), reflect.New(s.elem.typ).Elem()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, ok := memberName(n.Content[i])
		if !ok {
			return false
		}
		d.oddKeys = d.oddKeys || name != n.Content[i].Value
		value.SetZero()
		if !d.node(n.Content[i+1], s.elem, value, depth+1) {
			return false
		}
		key.SetString(name)
		m.SetMapIndex(key, value)
	}
	return m.Len() == len(n.Content)/2 // no key twice
}

// memberName is the name of a key that is neither an alias nor a merge key.
func memberName(key *yaml.Node) (string, bool) {
	if key.Kind != yaml.ScalarNode || yaml11.IsMerge(key) {
		return "", false
	}
	name, ok := yaml11.Key(key)
	return name, ok && utf8.ValidString(name)
}

func (d *decoder) list(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	v.Set(reflect.MakeSlice(s.typ, len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		if !d.node(item, s.elem, v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

func (d *decoder) fields(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	var seen uint64
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, ok := memberName(n.Content[i])
		if !ok {
			return false
		}
		f := s.fields[name]
		if f == nil || f.nth > 63 || seen&(1<<f.nth) != 0 {
			return false
		}
		seen |= 1 << f.nth
		if !d.node(n.Content[i+1], f.shape, v.FieldByIndex(f.index), depth+1) {
			return false
		}
	}
	return true
}

// decodeUnion does what UnmarshalJSON of those types does. A schema in such a value is read less strictly, and may have
// unknown fields, which is left to upstream.
func (d *decoder) union(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	boolean := s.other.shape.kind == leaf
	side := s.other
	if n.Kind == yaml.MappingNode {
		side = s.schema
		if boolean {
			v.FieldByIndex(s.other.index).SetBool(true)
		}
	} else if boolean != (n.Kind == yaml.ScalarNode) {
		return false
	}
	return d.node(n, side.shape, v.FieldByIndex(side.index), depth)
}
