package crd

import (
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/yaml11"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// decodeNodes reads a tree into one of upstream's types as kjson.UnmarshalStrict reads its JSON, without making that
// JSON. It knows what nearly all manifests are made of, and returns false for a tree that has anything else: an alias, a
// field that the type has not, a key twice, a value of another type. Then the object is half read, and upstream has to be
// asked. It does not walk, since it needs neither paths nor what merge keys bring in, and stops at the first surprise.
func decodeNodes(n *yaml.Node, obj any) bool {
	v := reflect.ValueOf(obj).Elem()
	return decodeNode(n, shapeOf(v.Type()), v, 0)
}

// deepest is as deep as decodeNodes goes.
const deepest = 1000

func decodeNode(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	if depth > deepest || n.Kind == yaml.AliasNode {
		return false
	}
	if yaml11.IsNull(n) {
		return true // null leaves every type of upstream's at its zero value
	}
	if s.kind == pointer {
		v.Set(reflect.New(s.elem.typ))
		s, v = s.elem, v.Elem()
	}
	switch {
	case s.kind == union:
		return decodeUnion(n, s, v, depth)
	case s.kind == leaf:
		return n.Kind == yaml.ScalarNode && decodeScalar(n, v)
	case s.kind == object && n.Kind == yaml.MappingNode:
		return decodeFields(n, s, v, depth)
	case s.kind == dictionary && n.Kind == yaml.MappingNode:
		return decodeMap(n, s, v, depth)
	case s.kind == list && n.Kind == yaml.SequenceNode && !s.isBytes():
		return decodeList(n, s, v, depth)
	case s.kind == opaque:
		return !hasAlias(n, depth) && decodeByUpstream(n, v)
	}
	return s.isBytes() && n.Kind == yaml.ScalarNode && decodeByUpstream(n, v)
}

// decodeByUpstream leaves a value to upstream's decoder.
func decodeByUpstream(n *yaml.Node, v reflect.Value) bool {
	raw, err := yaml11.ToJSON(n)
	return err == nil && kjson.UnmarshalCaseSensitivePreserveInts(raw, v.Addr().Interface()) == nil
}

// hasAlias reports whether a tree has an alias, or is too deep to be searched.
func hasAlias(n *yaml.Node, depth int) bool {
	if n.Kind == yaml.AliasNode || depth > deepest {
		return true
	}
	for _, c := range n.Content {
		if hasAlias(c, depth+1) {
			return true
		}
	}
	return false
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

func decodeMap(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	m := reflect.MakeMapWithSize(s.typ, len(n.Content)/2)
	v.Set(m)
	value := reflect.New(s.elem.typ).Elem()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, ok := memberName(n.Content[i])
		if !ok {
			return false
		}
		value.SetZero()
		if !decodeNode(n.Content[i+1], s.elem, value, depth+1) {
			return false
		}
		m.SetMapIndex(reflect.ValueOf(name).Convert(s.typ.Key()), value)
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

func decodeList(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
	v.Set(reflect.MakeSlice(s.typ, len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		if !decodeNode(item, s.elem, v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

func decodeFields(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
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
		if !decodeNode(n.Content[i+1], f.shape, v.FieldByIndex(f.index), depth+1) {
			return false
		}
	}
	return true
}

// decodeUnion does what UnmarshalJSON of those types does. A schema in such a value is read less strictly, and may have
// unknown fields, which is left to upstream.
func decodeUnion(n *yaml.Node, s *shape, v reflect.Value, depth int) bool {
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
	return decodeNode(n, side.shape, v.FieldByIndex(side.index), depth)
}
