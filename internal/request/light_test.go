package request

import (
	"encoding/json"
	"math"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// TestLight: what passes without upstream passes with it, and what upstream rejects does not.
func TestLight(t *testing.T) {
	t.Parallel()
	values := []any{
		nil, true, "", "a", "äöü", "abcdef", "10", int64(0), int64(5), int64(10), int64(-3), int64(math.MaxInt32 + 1), 1.5, 2.0,
		[]any{}, []any{"a"}, map[string]any{}, map[string]any{"a": nil}, map[string]any{"a": "b", "b": int64(1)},
	}
	for schema, passing := range map[string]int{
		`{"type": "string"}`: 5, `{"type": "string", "nullable": true, "description": "d"}`: 5, `{"type": "string", "enum": ["a", "10"]}`: 2,
		`{"type": "string", "maxLength": 3}`: 3, `{"type": "string", "minLength": 2, "maxLength": 6}`: 3, `{"type": "string", "pattern": "a"}`: 0,
		`{"type": "string", "format": "date"}`: 0, `{"type": "string", "format": "int32"}`: 0, `{"type": "boolean"}`: 1,
		`{"type": "integer"}`: 4, `{"type": "integer", "minimum": 0, "maximum": 10}`: 1, `{"type": "integer", "multipleOf": 5}`: 0,
		`{"type": "integer", "format": "int32", "maximum": 4294967295}`: 0, `{"type": "integer", "format": "int32"}`: 4, `{"type": "integer", "format": "int64"}`: 4,
		`{"type": "integer", "minimum": 0, "exclusiveMinimum": true}`: 0, `{"type": "integer", "enum": [5]}`: 0, `{"type": "number"}`: 0,
		`{"type": "array"}`: 2, `{"type": "array", "maxItems": 0}`: 0, `{"type": "array", "items": {"type": "integer"}}`: 2,
		`{"type": "object"}`: 3, `{"type": "object", "required": ["a"]}`: 2, `{"type": "object", "minProperties": 1}`: 0,
		`{"type": "string", "anyOf": [{"minLength": 1}]}`: 0, `{}`: 0, `{"type": ["string", "integer"]}`: 0,
	} {
		s := &spec.Schema{}
		if err := json.Unmarshal([]byte(schema), s); err != nil {
			t.Fatal(err)
		}
		l, passed := newLight(s), 0
		alone := *s
		alone.Items = nil
		for _, value := range values {
			if !l.passes(value) {
				continue
			}
			passed++
			if errs := validate.NewSchemaValidator(&alone, nil, "", strfmt.Default).Validate(value).Errors; len(errs) > 0 {
				t.Errorf("%s lets %v pass, of which upstream says %v", schema, value, errs)
			}
		}
		if passed != passing {
			t.Errorf("%s lets %d values pass, want %d", schema, passed, passing)
		}
	}
}
