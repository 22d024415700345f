package krm

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A decoder reads a functionConfig into Go values, by their JSON names. It collects the errors, with messages for the
// author of the functionConfig.
type decoder struct{ errors []error }

// decode reads the valid parts of a functionConfig, and returns all errors.
func decode(n *yaml.Node, to any) (wrong []error) {
	d := &decoder{}
	d.value("", n, reflect.ValueOf(to).Elem())
	return d.errors
}

// fail adds an error at a path; "" is the functionConfig itself.
func (d *decoder) fail(path, format string, args ...any) {
	where := "functionConfig: "
	if path != "" {
		where += path + ": "
	}
	d.errors = append(d.errors, errors.New(text.OneLine(where+fmt.Sprintf(format, args...))))
}

// value reads the value at a path. Null counts as absent.
func (d *decoder) value(path string, n *yaml.Node, to reflect.Value) {
	if n = crd.Deref(n); crd.IsNull(n) {
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		d.value(path, n, to.Elem())
	case reflect.Struct:
		d.fields(path, n, to)
	case reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		d.entries(path, n, func(e crd.Entry) {
			value := reflect.New(to.Type().Elem()).Elem()
			d.value(crd.Join(path, e.Name), e.Value, value)
			to.SetMapIndex(reflect.ValueOf(e.Name), value)
		})
	case reflect.Bool:
		kind, b := yaml11.Resolve(n)
		if n.Kind != yaml.ScalarNode || kind != yaml11.Bool {
			d.fail(path, "must be true or false, not %s", crd.Describe(n))
			return
		}
		to.SetBool(b.(bool))
	case reflect.String:
		// As it is written: to YAML, a version such as 1.30 is a number, and off a boolean.
		if n.Kind != yaml.ScalarNode {
			d.fail(path, "must be a string, not %s", crd.Describe(n))
			return
		}
		to.SetString(n.Value)
	}
}

// fields reads a mapping whose keys are known.
func (d *decoder) fields(path string, n *yaml.Node, to reflect.Value) {
	known := map[string]reflect.Value{}
	var names []string
	for i := range to.NumField() {
		if !to.Type().Field(i).IsExported() {
			continue
		}
		name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
		known[name] = to.Field(i)
		names = append(names, name)
	}
	d.entries(path, n, func(e crd.Entry) {
		if field, ok := known[e.Name]; ok {
			d.value(crd.Join(path, e.Name), e.Value, field)
			return
		}
		d.fail(path, "unknown key %s; known here: %s", text.Misspelt(e.Name, names), strings.Join(names, ", "))
	})
}

func (d *decoder) entries(path string, n *yaml.Node, visit func(crd.Entry)) {
	if n.Kind != yaml.MappingNode {
		d.fail(path, "must be a mapping, not %s", crd.Describe(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := crd.Deref(n.Content[i]).Value
		if seen[key] {
			d.fail(path, "duplicate key %s", text.Quoted(key).Brief())
		}
		seen[key] = true
	}
	for _, e := range crd.Entries(n) {
		visit(e)
	}
}
