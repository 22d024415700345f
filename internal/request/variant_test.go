package request_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/request"
)

const ruled = `{type: object, required: [spec], properties: {spec: {type: object, required: [size], properties: {
  size: {type: integer, maximum: 9},
  parts: {type: array, items: {type: object, properties: {name: {type: string}}, x-kubernetes-validations: [{rule: self.name != 'a'}]}},
  labels: {type: object, additionalProperties: {type: string, maxLength: 9}}},
  x-kubernetes-validations: [{rule: self.size > 1}]}}}`

// TestVariants has a version judge without its rules, under a schema that lacks a keyword, and by another rule at each kind of node.
func TestVariants(t *testing.T) {
	t.Parallel()
	s := serve(t, ruled)
	v := s.Version("v1")
	small, large := object(t, "spec: {size: 1}"), object(t, "spec: {size: 10}")
	without, err := v.WithoutRules()
	if err != nil || !without.Create(small).Accepted() || without.Create(large).Accepted() {
		t.Error("without rules, the schema has to be all there is", err)
	}
	loose := v.Schema.DeepCopy()
	spec := loose.Properties["spec"]
	size := spec.Properties["size"]
	size.Maximum = nil
	spec.Properties["size"] = size
	under, err := v.Under(loose)
	if err != nil || !under.Create(large).Accepted() || under.Create(small).Accepted() {
		t.Error("under a schema without a bound, the rules have to count", err)
	}
	if v.Create(small).Accepted() || v.Create(large).Accepted() {
		t.Error("the version itself has to stay as it is")
	}

	full, old := object(t, "spec: {size: 5, parts: [{name: b}], labels: {k: v}}"), object(t, "spec: {size: 4}")
	for _, c := range []struct {
		path         []string
		rule         string
		old          request.Object
		refuses      bool
		of           any
		refusesValue bool
	}{
		{nil, "self.spec.size < 5", nil, true, full, true},
		{[]string{"properties", "spec"}, "self.size == 5", nil, false, full["spec"], false},
		{[]string{"properties", "spec", "properties", "size"}, "self >= oldSelf", old, false, int64(5), false},
		{[]string{"properties", "spec", "properties", "size"}, "self == oldSelf", old, true, int64(5), false}, // without an old value it is not asked
		{[]string{"properties", "spec", "properties", "size"}, "self == oldSelf", nil, false, int64(5), false},
		{[]string{"properties", "spec", "properties", "parts", "items"}, "self.name == 'a'", nil, true, map[string]any{"name": "a"}, false},
		{[]string{"properties", "spec", "properties", "labels", "additionalProperties"}, "self != 'v'", nil, true, "w", false},
		{[]string{"properties", "spec", "properties", "parts"}, "self[1].name == 'b'", nil, true, []any{}, true}, // an error at run time
	} {
		with := v.Ruled(c.path).With(apiextensionsv1.ValidationRule{Rule: c.rule})
		if got := with.Refuses(full, c.old); got != c.refuses {
			t.Errorf("%s at %v: rejects %v, want %v", c.rule, c.path, got, c.refuses)
		}
		if got := with.RefusesValue(c.of); got != c.refusesValue {
			t.Errorf("%s at %v: rejects the value %v, want %v", c.rule, c.path, got, c.refusesValue)
		}
	}
	for _, path := range [][]string{{"properties", "gone"}, {"items"}, {"additionalProperties"}, {"properties", "spec", "anyOf", "0"}} {
		if v.Ruled(path) != nil {
			t.Errorf("there is no node at %v", path)
		}
	}
}
