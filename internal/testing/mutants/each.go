package mutants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// A Change gives a field of a CRD, an element or a member another value, or takes it away.
type Change struct {
	steps []any  // names and indices, from the root
	value string // in JSON; "" to take it away
}

func (c Change) String() string {
	value := c.value
	if value == "" {
		value = "nothing"
	} else if len(value) > 100 {
		value = fmt.Sprintf("%s... (%d bytes)", value[:100], len(value))
	}
	return fmt.Sprintf("%v: %s", c.steps, value)
}

// Each lists a change for every value of every field that upstream has, at each place of a CRD in JSON: also of the fields that
// are not there yet. apiVersion and kind stay, which decide who judges.
func Each(raw []byte) []Change {
	m, err := newMutant(raw, nil)
	if err != nil {
		panic(err)
	}
	e := &each{v1: m.v1}
	of := reflect.TypeFor[v1beta1.CustomResourceDefinition]()
	if m.v1 {
		of = reflect.TypeFor[v1.CustomResourceDefinition]()
	}
	e.place(of, "", m.root, nil)
	return e.all
}

// With makes changes of a CRD in JSON.
func With(raw []byte, changes ...Change) []byte {
	m, err := newMutant(raw, nil)
	if err != nil {
		panic(err)
	}
	for _, c := range changes {
		var in any = m.root
		last := len(c.steps) - 1
		for _, step := range c.steps[:last] {
			if name, ok := step.(string); ok {
				in = in.(object)[name]
			} else {
				in = in.(list)[step.(int)]
			}
		}
		switch step := c.steps[last].(type) {
		case int:
			in.(list)[step] = value(c.value)
		case string:
			if delete(in.(object), step); c.value != "" {
				in.(object)[step] = value(c.value)
			}
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.root); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// An each collects changes.
type each struct {
	v1  bool // rather than v1beta1
	all []Change
}

// change lists those of one place.
func (e *each) change(name string, at []any) {
	_, element := at[len(at)-1].(int)
	for _, value := range slices.Concat(anyValues, e.ownValues(name)) {
		if value != "" || !element {
			e.all = append(e.all, Change{at, value})
		}
	}
}

// place lists the changes below a value of a type, which the field of a name has.
func (e *each) place(t reflect.Type, name string, v any, at []any) {
	switch t.Kind() {
	case reflect.Pointer:
		e.place(t.Elem(), name, v, at)
	case reflect.Map:
		members, _ := v.(object)
		for _, member := range keys(members) {
			e.member(t.Elem(), "", members[member], slices.Concat(at, []any{member}))
		}
	case reflect.Slice:
		elements, _ := v.(list)
		for i := range elements {
			e.member(t.Elem(), "", elements[i], slices.Concat(at, []any{i}))
		}
	case reflect.Struct:
		if members, ok := v.(object); ok {
			e.fields(t, members, at)
		} else if elements, ok := t.FieldByName("JSONSchemas"); ok {
			e.place(elements.Type, name, v, at)
		}
	}
}

// fields lists the changes of the fields of a struct.
func (e *each) fields(t reflect.Type, members object, at []any) {
	if of, ok := t.FieldByName("Schema"); ok && strings.HasPrefix(t.Name(), "JSONSchemaPropsOr") {
		e.place(of.Type, "", members, at)
		return
	}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case !field.IsExported() || name == "-" || len(at) == 0 && field.Name == "TypeMeta":
		case name == "":
			e.fields(field.Type, members, at)
		default:
			e.member(field.Type, name, members[name], slices.Concat(at, []any{name}))
		}
	}
}

func (e *each) member(t reflect.Type, name string, v any, at []any) {
	e.change(name, at)
	e.place(t, name, v, at)
}

// ownValues are those that a field of a name is most likely to be given.
func (e *each) ownValues(name string) []string {
	values := valuesOf[name]
	if name == "additionalPrinterColumns" && e.v1 {
		values = slices.Clone(values)
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], "JSONPath", "jsonPath")
		}
	}
	return values
}
