package crd

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/yaml11"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// decodeNodes reads a tree into one of upstream's types as kjson.UnmarshalStrict reads its JSON, without making that
// JSON. It knows what nearly all manifests are made of. It is false for a tree that has anything else: an alias, a field
// that the type has not, a key twice, a value of another type. Then the object is half read, and upstream has to be
// asked.
func decodeNodes(n *yaml.Node, obj any) bool {
	return decodeNode(n, reflect.ValueOf(obj).Elem(), 0)
}

// deepest is as deep as decodeNodes goes.
const deepest = 1000

func decodeNode(n *yaml.Node, v reflect.Value, depth int) bool {
	if depth > deepest || n.Kind == yaml.AliasNode {
		return false
	}
	t := v.Type()
	how := howToDecode(t)
	if yaml11.IsNull(n) {
		return true // null leaves every type of upstream's at its zero value
	}
	switch how.as {
	case asPointer:
		v.Set(reflect.New(t.Elem()))
		return decodeNode(n, v.Elem(), depth)
	case asScalar:
		return n.Kind == yaml.ScalarNode && decodeScalar(n, v)
	case asStruct:
		return n.Kind == yaml.MappingNode && how.decodeFields(n, v, depth)
	case asMap:
		return n.Kind == yaml.MappingNode && decodeMap(n, v, depth)
	case asSlice:
		return n.Kind == yaml.SequenceNode && decodeSlice(n, v, depth)
	case asSchemaOr:
		return decodeSchemaOr(n, v, depth)
	}
	// a schema in such a value is read less strictly, and may have fields that nobody knows
	return (n.Kind == yaml.ScalarNode || opaque[t.Name()]) && !hasAlias(n, depth) && decodeJSON(n, v)
}

// decodeJSON leaves a value to upstream's decoder.
func decodeJSON(n *yaml.Node, v reflect.Value) bool {
	raw, err := yaml11.ToJSON(n)
	return err == nil && kjson.UnmarshalCaseSensitivePreserveInts(raw, v.Addr().Interface()) == nil
}

// hasAlias says whether there is an alias in a tree, or so much that nobody looked.
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

func decodeMap(n *yaml.Node, v reflect.Value, depth int) bool {
	t := v.Type()
	m := reflect.MakeMapWithSize(t, len(n.Content)/2)
	v.Set(m)
	value := reflect.New(t.Elem()).Elem()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, ok := memberName(n.Content[i])
		if !ok {
			return false
		}
		value.SetZero()
		if !decodeNode(n.Content[i+1], value, depth+1) {
			return false
		}
		m.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), value)
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

func decodeSlice(n *yaml.Node, v reflect.Value, depth int) bool {
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		if !decodeNode(item, v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

// A manner is how values of a type are read.
type manner struct {
	as     int
	fields map[string]structField // of a struct
}

const (
	asJSON    = iota // by the type's own UnmarshalJSON, or rare enough not to matter
	asPointer        // to what is read in another manner
	asScalar
	asStruct
	asMap
	asSlice
	asSchemaOr // a schema, or something else: JSONSchemaPropsOrBool, JSONSchemaPropsOrArray
)

type structField struct {
	nth   int // for telling whether it is there twice
	index []int
}

var manners sync.Map // of manner, by reflect.Type

func howToDecode(t reflect.Type) *manner {
	if known, ok := manners.Load(t); ok {
		return known.(*manner)
	}
	how := &manner{as: asJSON}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		how.as = asPointer
	case strings.HasSuffix(t.Name(), "PropsOrBool"), strings.HasSuffix(t.Name(), "PropsOrArray"):
		how.as = asSchemaOr
	case own:
	case kind == reflect.String, kind == reflect.Bool, kind == reflect.Float64, kind == reflect.Int32, kind == reflect.Int64:
		how.as = asScalar
	case kind == reflect.Map:
		how.as = asMap
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		how.as = asSlice
	case kind == reflect.Struct:
		how.as, how.fields = asStruct, map[string]structField{}
		for name := range fieldsOf(t) {
			how.fields[name] = structField{len(how.fields), fieldIndex(t, name)}
		}
	}
	manners.Store(t, how)
	return how
}

// fieldIndex is the way to the field that has a name in JSON.
func fieldIndex(t reflect.Type, name string) []int {
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
			return f.Index
		}
	}
	return nil
}

func (how *manner) decodeFields(n *yaml.Node, v reflect.Value, depth int) bool {
	var seen uint64
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, ok := memberName(n.Content[i])
		if !ok {
			return false
		}
		f, ok := how.fields[name]
		if !ok || f.nth > 63 || seen&(1<<f.nth) != 0 {
			return false
		}
		seen |= 1 << f.nth
		if !decodeNode(n.Content[i+1], v.FieldByIndex(f.index), depth+1) {
			return false
		}
	}
	return true
}

// decodeSchemaOr does what UnmarshalJSON of those types does.
func decodeSchemaOr(n *yaml.Node, v reflect.Value, depth int) bool {
	allows := v.FieldByName("Allows")
	switch {
	case n.Kind == yaml.MappingNode:
		if allows.IsValid() {
			allows.SetBool(true)
		}
		return decodeNode(n, v.FieldByName("Schema"), depth)
	case n.Kind == yaml.ScalarNode && allows.IsValid():
		return decodeScalar(n, allows)
	case n.Kind == yaml.SequenceNode && !allows.IsValid():
		return decodeNode(n, v.FieldByName("JSONSchemas"), depth)
	}
	return false
}
