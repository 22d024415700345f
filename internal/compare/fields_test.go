package compare

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestKeywordsAreComplete fails when upstream adds a keyword to schemas that is not compared.
func TestKeywordsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, k := range keywords {
		for _, name := range k.fields {
			seen[name]++
		}
	}
	schema := reflect.TypeFor[v1.JSONSchemaProps]()
	for i := range schema.NumField() {
		if name := schema.Field(i).Name; seen[name] != 1 {
			t.Errorf("JSONSchemaProps.%s is compared %d times", name, seen[name])
		}
		delete(seen, schema.Field(i).Name)
	}
	if len(seen) > 0 {
		t.Errorf("there are no fields %v", seen)
	}
}

// TestEveryKeywordCounts sets each keyword on one side, by reflection, and wants to be told.
func TestEveryKeywordCounts(t *testing.T) {
	t.Parallel()
	schema := reflect.TypeFor[v1.JSONSchemaProps]()
	for i := range schema.NumField() {
		field := schema.Field(i)
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for _, swap := range []bool{false, true} {
			plain, set := &v1.JSONSchemaProps{Type: "object"}, &v1.JSONSchemaProps{Type: "object"}
			if field.Name == "ExclusiveMaximum" || field.Name == "ExclusiveMinimum" {
				bound := 1.0
				plain.Maximum, set.Maximum, plain.Minimum, set.Minimum = &bound, &bound, &bound, &bound
			}
			if field.Name == "XListMapKeys" {
				list := "map"
				plain.XListType, set.XListType = &list, &list
			}
			fill(reflect.ValueOf(set).Elem().Field(i), 0)
			c := sides(plain, set)
			if swap {
				c = sides(set, plain)
			}
			if n := len(c.changes); n == 0 {
				t.Errorf("%s: nothing is said (swapped: %v)", tag, swap)
				continue
			}
			for _, change := range c.changes {
				if !strings.HasPrefix(change.Field, tag) && field.Name != "XIntOrString" {
					t.Errorf("%s: said to be about %s", tag, change.Field)
				}
			}
		}
		same := &v1.JSONSchemaProps{}
		fill(reflect.ValueOf(same).Elem().Field(i), 0)
		c := &comparer{old: &side{v1: &v1.CustomResourceDefinition{}}, new: &side{v1: &v1.CustomResourceDefinition{}}}
		c.node(&Node{Old: same, New: same.DeepCopy(), effect: func(e Effect) Effect { return e }})
		if len(c.changes) > 0 {
			t.Errorf("%s: equal and yet %s", tag, c.changes[0].Field)
		}
	}
}

// sides compares two schemas.
func sides(old, new *v1.JSONSchemaProps) *comparer {
	c := &comparer{old: &side{v1: &v1.CustomResourceDefinition{}}, new: &side{v1: &v1.CustomResourceDefinition{}}}
	c.schemas(old, new)
	return c
}

// TestEveryFieldCounts sets each field of a CRD outside of schemas on one side, by reflection, and wants to be told.
func TestEveryFieldCounts(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]map[string]bool{}
	root := reflect.TypeFor[v1.CustomResourceDefinition]()
	var visit func(typ reflect.Type, path []int, names []string)
	visit = func(typ reflect.Type, path []int, names []string) {
		for i := range typ.NumField() {
			field := typ.Field(i)
			if seen[typ] == nil {
				seen[typ] = map[string]bool{}
			}
			seen[typ][field.Name] = true
			if notCompared[typ][field.Name] != "" {
				continue
			}
			at, named := append(slices.Clone(path), i), append(slices.Clone(names), field.Name)
			element := field.Type
			for element.Kind() == reflect.Pointer {
				element = element.Elem()
			}
			if element.Kind() == reflect.Struct && element.NumField() > 0 && element != reflect.TypeFor[metav1.Time]() {
				visit(element, at, named)
				continue
			}
			crd := &v1.CustomResourceDefinition{}
			fill(reachable(reflect.ValueOf(crd).Elem(), at), 0)
			c := &comparer{old: &side{v1: &v1.CustomResourceDefinition{}}, new: &side{v1: crd}}
			c.definition()
			if len(c.changes) == 0 {
				t.Errorf("%s: nothing is said", strings.Join(named, "."))
			}
		}
	}
	visit(root, nil, nil)
	versionFields(t, seen)
	for typ, fields := range notCompared {
		for name := range fields {
			if !seen[typ][name] {
				t.Errorf("%s has no field %s", typ, name)
			}
		}
	}
}

// versionFields does the same for the fields of a version.
func versionFields(t *testing.T, seen map[reflect.Type]map[string]bool) {
	typ := reflect.TypeFor[v1.CustomResourceDefinitionVersion]()
	seen[typ] = map[string]bool{}
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		seen[typ][name] = true
		if name == "Name" {
			continue // by which versions are told apart
		}
		plain, set := v1.CustomResourceDefinitionVersion{Name: "v1"}, v1.CustomResourceDefinitionVersion{Name: "v1"}
		fill(reflect.ValueOf(&set).Elem().Field(i), 0)
		c := &comparer{
			old: &side{v1: &v1.CustomResourceDefinition{Spec: v1.CustomResourceDefinitionSpec{Versions: []v1.CustomResourceDefinitionVersion{plain}}}},
			new: &side{v1: &v1.CustomResourceDefinition{Spec: v1.CustomResourceDefinitionSpec{Versions: []v1.CustomResourceDefinitionVersion{set}}}},
		}
		c.version("v1")
		if len(c.changes) == 0 {
			t.Errorf("versions.%s: nothing is said", name)
		}
	}
}

// reachable is the field at a path of indexes, with what pointers on the way lack.
func reachable(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// fill sets a value to something other than its zero value.
func fill(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[v1.JSON]() {
		v.Set(reflect.ValueOf(v1.JSON{Raw: []byte("5")}))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(5)
	case reflect.Uint8:
		v.SetUint(5)
	case reflect.Float64:
		v.SetFloat(5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x").Convert(v.Type().Key()), value)
	case reflect.Struct:
		if depth < 1 {
			for i := range v.NumField() {
				fill(v.Field(i), depth+1)
			}
		}
	}
}
