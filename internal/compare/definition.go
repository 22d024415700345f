package compare

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Outside of schemas, fields are compared by reflection, so that none is forgotten. These are left out, and why.
var notCompared = map[reflect.Type]map[string]string{
	reflect.TypeFor[v1.CustomResourceDefinition](): {
		"TypeMeta": "the two sides may be written in two API versions",
		"Status":   "the server writes it; what a manifest says is dropped",
	},
	reflect.TypeFor[v1.CustomResourceDefinitionSpec](): {
		"Versions":              "compared one by one, by name",
		"PreserveUnknownFields": "compared by what it means for the schemas",
	},
	reflect.TypeFor[metav1.ObjectMeta](): {
		"GenerateName":               "a CRD has a name",
		"SelfLink":                   "the server writes it",
		"UID":                        "the server writes it",
		"ResourceVersion":            "the server writes it",
		"Generation":                 "the server writes it",
		"CreationTimestamp":          "the server writes it",
		"DeletionTimestamp":          "the server writes it",
		"DeletionGracePeriodSeconds": "the server writes it",
		"ManagedFields":              "the server writes it",
	},
	reflect.TypeFor[v1.CustomResourceDefinitionVersion](): {
		"Schema": "compared keyword by keyword",
	},
}

// keys are the fields that tell the elements of a list of structs apart. Lists of strings are sets.
var keys = map[reflect.Type]string{
	reflect.TypeFor[v1.CustomResourceColumnDefinition](): "Name",
	reflect.TypeFor[v1.SelectableField]():                "JSONPath",
	reflect.TypeFor[metav1.OwnerReference]():             "UID",
}

// definition compares what does not belong to a version: at last, whether the CRD as a whole keeps unknown fields. A mark in every
// schema says the same.
func (c *comparer) definition() {
	c.walk(reflect.ValueOf(*c.old.v1), reflect.ValueOf(*c.new.v1), "", nil, nil)
	old, new := c.old.preserves(), c.new.preserves()
	loses := old && !new && !c.everyRootKeeps()
	if old != new && (new || loses) {
		steps := []string{"spec", "preserveUnknownFields"}
		c.field(Changed, "spec.preserveUnknownFields", "", old, new, steps, steps).Loses = loses
	}
}

// everyRootKeeps reports whether all versions that stay keep the unknown fields of their root now; it is false if none
// stays.
func (c *comparer) everyRootKeeps() bool {
	stay := 0
	for name, new := range c.new.named {
		if c.old.named[name] == nil {
			continue
		}
		if !c.new.keepsRoot(new) {
			return false
		}
		stay++
	}
	return stay > 0
}

// version compares the versions of a name; either side may lack its own.
func (c *comparer) version(name string) {
	c.name = name
	old, new := c.old.named[name], c.new.named[name]
	switch {
	case old == nil:
		c.field(Added, "versions", name, nil, name, nil, nil)
	case new == nil:
		c.field(Removed, "versions", name, name, nil, nil, nil).is.item = name
	default:
		c.walk(reflect.ValueOf(*old), reflect.ValueOf(*new), "", nil, nil)
		c.schemas(schemaOf(old), schemaOf(new))
	}
	c.name = ""
}

func schemaOf(v *v1.CustomResourceDefinitionVersion) *v1.JSONSchemaProps {
	if v.Schema == nil {
		return nil
	}
	return v.Schema.OpenAPIV3Schema
}

// field adds a change outside of schemas.
func (c *comparer) field(kind Kind, field, item string, old, new any, was, is []string) *Change {
	return c.add(&Change{
		Field: field, Item: item, Kind: kind, Old: old, New: new,
		was: place{side: c.old, version: c.name, steps: was}, is: place{side: c.new, version: c.name, steps: is},
	})
}

// walk compares two values of a type. The steps lead to them on each side; they differ where lists do.
func (c *comparer) walk(old, new reflect.Value, field string, was, is []string) {
	switch old.Kind() {
	case reflect.Struct:
		if _, ok := old.Interface().(metav1.Time); !ok {
			c.walkStruct(old, new, field, was, is)
			return
		}
	case reflect.Pointer:
		if c.walkPointer(old, new, field, was, is) {
			return
		}
	case reflect.Map:
		c.walkMap(old, new, field, was, is)
		return
	case reflect.Slice:
		if c.walkList(old, new, field, was, is) {
			return
		}
	}
	if !equality.Semantic.DeepEqual(old.Interface(), new.Interface()) {
		c.field(kindOf(old, new), field, "", jsonOf(old), jsonOf(new), was, is)
	}
}

// walkPointer compares the targets of pointers; where one side lacks a struct, it lacks each of its fields. It returns
// false where only the pointers need to be compared.
func (c *comparer) walkPointer(old, new reflect.Value, field string, was, is []string) bool {
	element := old.Type().Elem()
	if !old.IsNil() && !new.IsNil() {
		c.walk(old.Elem(), new.Elem(), field, was, is)
		return true
	}
	if old.IsNil() == new.IsNil() || element.Kind() != reflect.Struct {
		return false
	}
	n := len(c.changes)
	a, b := reflect.Zero(element), reflect.Zero(element)
	if !old.IsNil() {
		a = old.Elem()
	} else {
		b = new.Elem()
	}
	c.walk(a, b, field, was, is)
	return len(c.changes) > n
}

func (c *comparer) walkStruct(old, new reflect.Value, field string, was, is []string) {
	t := old.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if _, skip := notCompared[t][f.Name]; skip {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			c.walk(old.Field(i), new.Field(i), field, was, is)
			continue
		}
		c.walk(old.Field(i), new.Field(i), strings.TrimPrefix(field+"."+name, "."), step(was, name), step(is, name))
	}
}

func (c *comparer) walkMap(old, new reflect.Value, field string, was, is []string) {
	names := map[string]bool{}
	for _, m := range []reflect.Value{old, new} {
		for _, k := range m.MapKeys() {
			names[k.String()] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		k := reflect.ValueOf(name).Convert(old.Type().Key())
		a, b := old.MapIndex(k), new.MapIndex(k)
		if a.IsValid() && b.IsValid() && equality.Semantic.DeepEqual(a.Interface(), b.Interface()) {
			continue
		}
		c.field(kindOf(a, b), field, name, jsonOf(a), jsonOf(b), step(was, name), step(is, name))
	}
}

// walkList compares lists of strings as sets and lists of structs by their keys. It says false for other lists.
func (c *comparer) walkList(old, new reflect.Value, field string, was, is []string) bool {
	element := old.Type().Elem()
	key := func(v reflect.Value) string { return v.String() }
	if by := keys[element]; by != "" {
		key = func(v reflect.Value) string { return v.FieldByName(by).String() }
	} else if element.Kind() != reflect.String {
		return false
	}
	oldIndex, newIndex := indexBy(old, key), indexBy(new, key)
	before := len(c.changes)
	for i := range old.Len() {
		name := key(old.Index(i))
		if oldIndex[name] != i {
			continue // a duplicate
		}
		j, stays := newIndex[name]
		if !stays {
			c.field(Removed, field, name, jsonOf(old.Index(i)), nil, step(was, index(i)), is).is.item = name
			continue
		}
		if element.Kind() == reflect.Struct {
			n := len(c.changes)
			c.walk(old.Index(i), new.Index(j), field, step(was, index(i)), step(is, index(j)))
			for _, change := range c.changes[n:] {
				change.Item = name
			}
		}
	}
	for j := range new.Len() {
		name := key(new.Index(j))
		if _, there := oldIndex[name]; !there && newIndex[name] == j {
			c.field(Added, field, name, nil, jsonOf(new.Index(j)), was, step(is, index(j)))
		}
	}
	if len(c.changes) == before && !equality.Semantic.DeepEqual(old.Interface(), new.Interface()) {
		c.field(Changed, field, "", jsonOf(old), jsonOf(new), was, is) // the order, or duplicates
	}
	return true
}

// indexBy returns the first index of every key.
func indexBy(list reflect.Value, key func(reflect.Value) string) map[string]int {
	all := map[string]int{}
	for i := range list.Len() {
		addFirst(all, key(list.Index(i)), i)
	}
	return all
}

// kindOf reports whether a value appeared, disappeared or became another one. The zero value is as good as none.
func kindOf(old, new reflect.Value) Kind {
	none := func(v reflect.Value) bool { return !v.IsValid() || v.IsZero() }
	switch {
	case old.IsValid() && old.Kind() == reflect.Bool:
		return Changed
	case none(old) && !none(new):
		return Added
	case !none(old) && none(new):
		return Removed
	}
	return Changed
}

// jsonOf is a value as JSON has it.
func jsonOf(v reflect.Value) any {
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return nil
	}
	var out any
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

func step(steps []string, name string) []string { return append(steps[:len(steps):len(steps)], name) }
