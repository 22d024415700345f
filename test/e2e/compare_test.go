package e2e

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// asV1 is what a manifest means as a v1 object, by upstream's decoding, defaulting and conversion of today.
func asV1(manifest []byte, version crd.Version) (*v1.CustomResourceDefinition, error) {
	decoded, err := crd.DecodeJSON(manifest, version)
	if err != nil {
		return nil, err
	}
	return crd.ToV1(decoded.Hub)
}

// noted are the fields of the v1 object that notes say something about.
func noted(notes []convert.Note) map[string]bool {
	fields := map[string]bool{}
	for _, n := range notes {
		for _, f := range n.Fields {
			fields[f] = true
		}
	}
	return fields
}

// difference is the path of the first field in which two CRDs differ, outside the excused ones; "" when there is none.
// What a server writes for itself does not count.
func difference(a, b *v1.CustomResourceDefinition, excused map[string]bool) (string, error) {
	x, err := generic(a)
	if err != nil {
		return "", err
	}
	y, err := generic(b)
	if err != nil {
		return "", err
	}
	return differs(x, y, "", excused), nil
}

func generic(c *v1.CustomResourceDefinition) (any, error) {
	c = c.DeepCopy()
	c.Status = v1.CustomResourceDefinitionStatus{}
	c.TypeMeta = metav1.TypeMeta{}
	c.ObjectMeta = metav1.ObjectMeta{Name: c.Name, Labels: c.Labels, Annotations: c.Annotations,
		OwnerReferences: c.OwnerReferences, Finalizers: c.Finalizers}
	// the server's own, which it gives every CRD
	c.Finalizers = slices.DeleteFunc(c.Finalizers, func(f string) bool { return f == v1.CustomResourceCleanupFinalizer })
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var out any
	return out, json.Unmarshal(raw, &out)
}

// differs walks two JSON values side by side. Absent, null and empty are the same, as they are for the server; a field
// below a missing one may be excused.
func differs(a, b any, path string, excused map[string]bool) string {
	if excused[path] || reflect.DeepEqual(a, b) || isEmpty(a) && isEmpty(b) {
		return ""
	}
	if x, ok := a.(map[string]any); ok {
		if y, ok := b.(map[string]any); ok {
			return membersDiffer(x, y, path, excused)
		}
	}
	if x, ok := a.([]any); ok {
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				if at := differs(x[i], y[i], crd.Item(path, i), excused); at != "" {
					return at
				}
			}
			return ""
		}
	}
	for f := range excused {
		if strings.HasPrefix(f, path+".") && (a == nil || b == nil) {
			return ""
		}
	}
	return path
}

func membersDiffer(x, y map[string]any, path string, excused map[string]bool) string {
	for _, key := range keysOf(x, y) {
		if at := differs(x[key], y[key], crd.Member(path, key), excused); at != "" {
			return at
		}
	}
	return ""
}

func keysOf(x, y map[string]any) []string {
	var keys []string
	for k := range x {
		keys = append(keys, k)
	}
	for k := range y {
		if _, ok := x[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// isEmpty reports whether a JSON value is what semantic equality takes for absent. An empty object is not: `subresources:
// {}` says something.
func isEmpty(v any) bool {
	list, ok := v.([]any)
	return v == nil || ok && len(list) == 0
}

// valuesDiffer is the path of the first difference between two values. Absent and null are not the same here.
func valuesDiffer(a, b any, path string) string {
	if x, ok := a.(map[string]any); ok {
		if y, ok := b.(map[string]any); ok {
			for _, key := range keysOf(x, y) {
				_, inX := x[key]
				_, inY := y[key]
				at := valuesDiffer(x[key], y[key], path+"."+key)
				if inX != inY {
					at = path + "." + key
				}
				if at != "" {
					return at
				}
			}
			return ""
		}
	}
	if x, ok := a.([]any); ok {
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				if at := valuesDiffer(x[i], y[i], crd.Item(path, i)); at != "" {
					return at
				}
			}
			return ""
		}
	}
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return path
}

// text is a value for an error message.
func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// A change is between values at a path, as JSON; "" for one that is not there.
type change struct {
	at      request.Path
	was, is string
}

// differences are all those between two values.
func differences(was, is any, at request.Path) (all []change) {
	x, isMap := was.(map[string]any)
	if y, both := is.(map[string]any); isMap && both {
		for _, key := range keysOf(x, y) {
			at, one, other := at.To(request.Key(key)), "", ""
			v, inX := x[key]
			w, inY := y[key]
			if inX && inY {
				all = append(all, differences(v, w, at)...)
				continue
			}
			if inX {
				one = text(v)
			}
			if inY {
				other = text(w)
			}
			all = append(all, change{at, one, other})
		}
		return all
	}
	list, isList := was.([]any)
	if other, both := is.([]any); isList && both && len(list) == len(other) {
		for i := range list {
			all = append(all, differences(list[i], other[i], at.To(request.Index(i)))...)
		}
		return all
	}
	if one, other := text(was), text(is); one != other {
		all = append(all, change{at, one, other})
	}
	return all
}
