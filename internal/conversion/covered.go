package conversion

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// notedFields are the paths of fields that may differ, with all below them.
type notedFields map[string]bool

// cover reports whether two values of upstream's types differ in noted fields at most. It is firstDifference for most
// conversions, without the JSON of the values: where it is false, that has the last word.
func (noted notedFields) cover(a, b reflect.Value, at *step) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil() || noted.has(at)
		}
		return noted.cover(a.Elem(), b.Elem(), at)
	case reflect.Struct:
		return noted.coverStruct(a, b, at)
	case reflect.Slice:
		switch {
		case a.Type().Elem().Kind() == reflect.Uint8:
			return bytes.Equal(a.Bytes(), b.Bytes()) || noted.has(at)
		case a.Len() != b.Len():
			return noted.has(at)
		}
		for i := range a.Len() {
			if !noted.cover(a.Index(i), b.Index(i), &step{above: at, index: i}) {
				return false
			}
		}
		return true
	case reflect.Map:
		return noted.coverMap(a, b, at)
	case reflect.String:
		return a.String() == b.String() || noted.has(at)
	case reflect.Bool:
		return a.Bool() == b.Bool() || noted.has(at)
	}
	return equality.Semantic.DeepEqual(a.Interface(), b.Interface()) || noted.has(at)
}

func (noted notedFields) coverStruct(a, b reflect.Value, at *step) bool {
	of := membersOf(a.Type())
	if of.union { // of a schema, whose members are those of the union, and something else
		one, other := a.FieldByName("Schema"), b.FieldByName("Schema")
		if !one.IsNil() && !other.IsNil() && isEmptyBeside(a) && isEmptyBeside(b) {
			return noted.cover(one, other, at)
		}
	}
	if of.opaque {
		return equality.Semantic.DeepEqual(a.Interface(), b.Interface()) || noted.has(at)
	}
	for _, m := range of.members {
		one, other := a.Field(m.index), b.Field(m.index)
		if one.IsZero() && other.IsZero() {
			continue
		}
		below := at
		if m.name != "" {
			below = &step{above: at, name: m.name}
		}
		if !noted.cover(one, other, below) {
			return false
		}
	}
	return true
}

// isEmptyBeside reports whether a union with a schema has no list, which would be its JSON.
func isEmptyBeside(union reflect.Value) bool {
	for _, field := range union.Fields() {
		if field.Kind() == reflect.Slice && field.Len() > 0 {
			return false
		}
	}
	return true
}

func (noted notedFields) coverMap(a, b reflect.Value, at *step) bool {
	if one, ok := a.Interface().(map[string]v1.JSONSchemaProps); ok {
		return noted.coverSchemas(one, b.Interface().(map[string]v1.JSONSchemaProps), at)
	}
	for key, value := range a.Seq2() {
		below := &step{above: at, name: key.String()}
		if other := b.MapIndex(key); other.IsValid() && !noted.cover(value, other, below) || !other.IsValid() && !noted.has(below) {
			return false
		}
	}
	for key := range b.Seq() {
		if !a.MapIndex(key).IsValid() && !noted.has(&step{above: at, name: key.String()}) {
			return false
		}
	}
	return true
}

// coverSchemas is coverMap for schemas by their names, which nearly all of a CRD is, without a copy for each.
func (noted notedFields) coverSchemas(a, b map[string]v1.JSONSchemaProps, at *step) bool {
	var here struct{ one, other v1.JSONSchemaProps }
	one, other := reflect.ValueOf(&here.one).Elem(), reflect.ValueOf(&here.other).Elem()
	for name := range a {
		below := &step{above: at, name: name}
		twin, ok := b[name]
		if !ok && !noted.has(below) {
			return false
		}
		if here.one, here.other = a[name], twin; ok && !noted.cover(one, other, below) {
			return false
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok && !noted.has(&step{above: at, name: name}) {
			return false
		}
	}
	return true
}

// A step leads from a value to a member of it, or to an item if it has no name. The first leads nowhere.
type step struct {
	above *step
	name  string
	index int
}

// has reports whether the field at a place, or one that holds it, is noted.
func (noted notedFields) has(at *step) bool {
	_, has := noted.find(at)
	return has
}

func (noted notedFields) find(at *step) (path string, has bool) {
	if at.above == nil {
		return "", noted[""]
	}
	path, has = noted.find(at.above)
	if at.name != "" {
		path = crd.Member(path, at.name)
	} else {
		path = crd.Item(path, at.index)
	}
	return path, has || noted[path]
}

// The members of a struct, as JSON has them.
type members struct {
	members []member
	opaque  bool // it has a way of its own to become JSON
	union   bool // of a schema and something else
}

type member struct {
	index int
	name  string // "" for a struct whose members are those of the one that holds it
}

var knownMembers sync.Map // members by reflect.Type

func membersOf(t reflect.Type) members {
	if known, ok := knownMembers.Load(t); ok {
		return known.(members)
	}
	of := members{
		opaque: reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()),
		union:  strings.HasPrefix(t.Name(), "JSONSchemaPropsOr"),
	}
	for field := range t.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
			of.members = append(of.members, member{field.Index[0], name})
		}
	}
	knownMembers.Store(t, of)
	return of
}
