package xrds

import (
	"maps"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// smallest is an XRD without what does not matter for the difference. It stays a whole one.
func smallest(t testing.TB, src []byte) []byte {
	t.Helper()
	object := objectOf(t, src)
	refused := byCrossplane(t, object).err
	holds := func() bool {
		spec, _ := object["spec"].(map[string]any)
		if spec["group"] == nil || spec["names"] == nil || spec["versions"] == nil || object["kind"] == nil || object["apiVersion"] == nil {
			return false
		}
		src, now := asYAML(t, object), byCrossplane(t, object).err
		return kindOf(refused) == kindOf(now) && compare(t, src)+compareLost(t, src) != ""
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for _, without := range removals(object) {
			undo := without()
			if holds() {
				shrunk = true
				break
			}
			undo()
		}
	}
	return asYAML(t, object)
}

// kindOf is how an error ends, which says what kind of error it is.
func kindOf(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	return text[max(0, len(text)-20):]
}

// removals take one entry or item each out of a value, outer ones first. Each returns what puts it back.
func removals(value any) (all []func() (undo func())) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			in := v[key]
			all = append(all, func() func() {
				delete(v, key)
				return func() { v[key] = in }
			})
			if list, ok := in.([]any); ok {
				for i := range list {
					all = append(all, func() func() {
						v[key] = slices.Delete(slices.Clone(list), i, i+1)
						return func() { v[key] = in }
					})
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, removals(v[key])...)
		}
	case []any:
		for _, in := range v {
			all = append(all, removals(in)...)
		}
	}
	return all
}

func asYAML(t testing.TB, value any) []byte {
	t.Helper()
	src, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return src
}
