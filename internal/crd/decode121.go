package crd

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	kjson "sigs.k8s.io/json"
)

// decodeV1beta1 decodes as Kubernetes 1.21 did, into today's type. That server differs in three ways:
//
//   - It had no field for what came later, so that whatever stands there is no error. (Values that decode are kept:
//     upstream converts them.)
//   - It had metadata.clusterName, which has to be a string.
//   - It told upper from lower case in keys, but not below items, additionalProperties, additionalItems and
//     dependencies: their types decode themselves, with util/json.Unmarshal of apimachinery, which was encoding/json's.
func decodeV1beta1(raw []byte, obj *v1beta1.CustomResourceDefinition) (strict []error, err error) {
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
	if hasKeysInOtherCase(raw) {
		raw = rewrite(sorted(raw), false)
	}
	strict, err = kjson.UnmarshalStrict(raw, obj)
	if err == nil {
		return strict, nil
	}
	*obj = v1beta1.CustomResourceDefinition{}
	if strict, again := kjson.UnmarshalStrict(rewrite(raw, true), obj); again == nil {
		return strict, nil
	}
	return nil, err
}

// newer are the fields of today's v1beta1 that 1.21 did not have, by type.
var newer = map[string]string{
	"CustomResourceDefinitionSpec":      "selectableFields",
	"CustomResourceDefinitionVersion":   "selectableFields",
	"CustomResourceDefinitionStatus":    "observedGeneration",
	"CustomResourceDefinitionCondition": "observedGeneration",
	"JSONSchemaProps":                   "x-kubernetes-validations",
	"ManagedFieldsEntry":                "subresource",
}

// schemaFields maps the names of a schema's fields in lower case to their spelling.
var schemaFields = sync.OnceValue(func() map[string]string {
	fields := map[string]string{}
	for _, t := range []reflect.Type{reflect.TypeFor[v1beta1.JSONSchemaProps](), reflect.TypeFor[v1beta1.ExternalDocumentation]()} {
		for name := range fieldsOf(t) {
			fields[strings.ToLower(name)] = name
		}
	}
	return fields
})

// hasKeysInOtherCase says whether a key, anywhere, may be a schema's field written in another case. Hardly any manifest
// has one, so that hardly any is rewritten.
func hasKeysInOtherCase(raw []byte) bool {
	fields := schemaFields()
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		start, plain, lower := i+1, true, true
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				plain = false
				i++
			} else {
				plain = plain && raw[i] < utf8.RuneSelf
				lower = lower && (raw[i] < 'A' || 'Z' < raw[i])
			}
		}
		if i >= len(raw) || !bytes.HasPrefix(bytes.TrimLeft(raw[i+1:], " \t\r\n"), []byte(":")) {
			continue // a value
		}
		key := raw[start:i]
		if !plain {
			return true // letters beyond ASCII have cases too
		}
		if !lower {
			key = bytes.ToLower(key)
		}
		if name, ok := fields[string(key)]; ok && name != string(raw[start:i]) {
			return true
		}
	}
	return false
}

// sorted is JSON as clients send it: they decode a manifest into maps, and write these with their keys in order. Of two
// spellings of a key, the server takes the last.
func sorted(raw []byte) []byte {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var value any
	if in.Decode(&value) != nil {
		return raw
	}
	out, err := json.Marshal(value)
	if err != nil {
		return raw
	}
	return out
}

// rewrite spells the keys below items and the like as their fields are spelled, and takes newer fields' values away if
// told to. JSON that ends in the middle is left as it is, for a decoder to complain about.
func rewrite(raw []byte, dropNewer bool) []byte {
	r := rewriter{in: json.NewDecoder(bytes.NewReader(raw)), raw: raw, dropNewer: dropNewer}
	r.in.UseNumber()
	if !r.value(reflect.TypeFor[v1beta1.CustomResourceDefinition](), false) {
		return raw
	}
	return append(r.out, raw[r.done:]...)
}

// A rewriter copies JSON, with changes, while it walks through the type that it will be decoded into.
type rewriter struct {
	in        *json.Decoder
	raw, out  []byte
	done      int // so much of raw is in out, or left out
	dropNewer bool
}

// replace puts text in the place of raw[start:end].
func (r *rewriter) replace(start, end int, text string) {
	r.out = append(append(r.out, r.raw[r.done:start]...), text...)
	r.done = end
}

// value walks through one value; t is nil where the type does not matter. It returns false at the end of broken JSON.
func (r *rewriter) value(t reflect.Type, loose bool) bool {
	token, err := r.in.Token()
	if err != nil {
		return false
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && strings.HasPrefix(t.Name(), "JSONSchemaPropsOr") {
		schema, _ := t.FieldByName("Schema")
		t, loose = schema.Type.Elem(), true
	}
	switch token {
	case json.Delim('['):
		if t != nil && t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		for r.in.More() {
			if !r.value(t, loose) {
				return false
			}
		}
		_, err = r.in.Token()
	case json.Delim('{'):
		for r.in.More() {
			if !r.member(t, loose) {
				return false
			}
		}
		_, err = r.in.Token()
	}
	return err == nil
}

func (r *rewriter) member(t reflect.Type, loose bool) bool {
	before := r.in.InputOffset()
	token, err := r.in.Token()
	if err != nil {
		return false
	}
	var member reflect.Type
	start, end := int(before)+bytes.IndexByte(r.raw[before:], '"'), int(r.in.InputOffset())
	switch {
	case t == nil || opaque[t.Name()]:
	case t.Kind() == reflect.Map:
		member = t.Elem()
	case t.Kind() == reflect.Struct:
		key := token.(string)
		name := spelled(t, key, loose)
		if name != key {
			spelling, _ := json.Marshal(name)
			r.replace(start, end, string(spelling))
		}
		member = fieldsOf(t)[name]
		if r.dropNewer && newer[t.Name()] == name {
			return r.drop()
		}
	}
	return r.value(member, loose)
}

// spelled is the name of the field that a key is decoded into, or the key when there is none.
func spelled(t reflect.Type, key string, loose bool) string {
	fields := fieldsOf(t)
	if _, ok := fields[key]; ok || !loose {
		return key
	}
	for name := range fields {
		if strings.EqualFold(name, key) && newer[t.Name()] != name {
			return name
		}
	}
	return key
}

// drop makes the value that comes next null.
func (r *rewriter) drop() bool {
	start := int(r.in.InputOffset())
	if !r.value(nil, false) {
		return false
	}
	r.replace(start, int(r.in.InputOffset()), ":null")
	return true
}
