package crds

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/crd"
)

// values has values of each type, of several sizes.
var values = map[string][]any{
	"integer": {int64(-1), int64(0), int64(1), int64(2), int64(3), int64(1000)},
	"number":  {-1.5, 0.0, 1.0, 2.5, 1000.0},
	"string":  {"", "a", "1", "true", "abcdefghij"},
	"boolean": {true, false},
	"array":   {[]any{}, []any{"a"}, []any{"a", "b", "c", "d"}},
	"object":  {map[string]any{}, map[string]any{"a": "b"}, map[string]any{"a": "b", "c": "d", "e": "f"}},
}

// valid counts the values of a type that upstream's validator accepts.
func valid(t *testing.T, schema, typ string) int {
	t.Helper()
	return accepted(t, schema, values[typ]...)
}

// accepted counts the values that upstream's validator accepts.
func accepted(t *testing.T, schema string, values ...any) int {
	t.Helper()
	var external v1.JSONSchemaProps
	if err := yaml.Unmarshal([]byte(schema), &external); err != nil {
		t.Fatal(err)
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, internal, nil); err != nil {
		t.Fatal(err)
	}
	v, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, value := range values {
		if v.Validate(value).IsValid() {
			n++
		}
	}
	return n
}

// TestNeverApplied proves with upstream's validator that each keyword is looked at for the types that crd.KeywordTypes names,
// and for no others.
func TestNeverApplied(t *testing.T) {
	t.Parallel()
	strict := map[string]string{ // reject at least one of the values
		"minimum": "1", "maximum": "1", "multipleOf": "2", "exclusiveMinimum": "true, minimum: 1", "exclusiveMaximum": "true, maximum: 1",
		"minLength": "2", "maxLength": "2", "pattern": "^x$", "minItems": "1", "maxItems": "1", "items": "{type: integer}",
		"minProperties": "1", "maxProperties": "1", "properties": "{a: {type: integer}}", "required": "[a]",
		"additionalProperties": "{type: integer}",
	}
	n := 0
	for keyword, applies := range crd.KeywordTypes {
		n++
		for typ, all := range values {
			looked := valid(t, "{type: "+typ+", "+keyword+": "+strict[keyword]+"}", typ) < len(all)
			want := false
			for _, a := range applies {
				want = want || a == typ
			}
			if looked != want {
				t.Errorf("%s on type %s is looked at: %v, want %v", keyword, typ, looked, want)
			}
		}
	}
	if n != len(strict) {
		t.Errorf("%d keywords are for some types only, want %d", n, len(strict))
	}
}

// TestNoValueIsValid proves that nothing meets bounds that cross, and that no value equals an enum's of another type.
func TestNoValueIsValid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, typ string }{
		{"{type: integer, minimum: 3, maximum: 2}", "integer"},
		{"{type: number, minimum: 1, maximum: 1, exclusiveMinimum: true}", "number"},
		{"{type: number, minimum: 1, maximum: 1, exclusiveMaximum: true}", "number"},
		{"{type: string, minLength: 2, maxLength: 1}", "string"},
		{"{type: array, minItems: 2, maxItems: 1}", "array"},
		{"{type: object, minProperties: 2, maxProperties: 1}", "object"},
		{"{type: object, required: [a, c], maxProperties: 1}", "object"},
		{"{type: integer, minimum: 1, maximum: 2, exclusiveMinimum: true, exclusiveMaximum: true}", "integer"},
		{"{type: string, maxLength: -1}", "string"},
		{"{type: array, maxItems: -1}", "array"},
		{"{type: object, maxProperties: -1}", "object"},
		{"{type: integer, multipleOf: 0}", "integer"},
		{"{type: number, multipleOf: -2}", "number"},
		{"{x-kubernetes-int-or-string: true, multipleOf: 0}", "integer"},
		{"{type: integer, multipleOf: 0.5}", "integer"},
		{"{type: number, multipleOf: 0.5}", "integer"},
		{"{type: integer, minimum: 0.5}", "integer"},
		{"{type: integer, maximum: 1e30}", "integer"},
		{"{type: integer, format: int32, maximum: 4294967295}", "integer"},
		{"{type: number, format: float, maximum: 1e300}", "number"},
		{"{type: string, enum: [1, true, 2.5]}", "string"},
		{"{type: integer, enum: ['a', true, 2.5]}", "integer"},
		{"{type: boolean, enum: ['true', 1]}", "boolean"},
		{"{type: array, enum: [a]}", "array"},
		{"{type: object, enum: [a]}", "object"},
	} {
		if n := valid(t, c.schema, c.typ); n != 0 {
			t.Errorf("%s accepts %d values", c.schema, n)
		}
	}
	if accepted(t, "{type: object, additionalProperties: false}", map[string]any{"a": "b"}) != 0 {
		t.Error("additionalProperties: false takes a field")
	}
	for _, c := range []struct{ schema, typ string }{ // nor are these what they look like
		{"{type: number, multipleOf: 0.5}", "number"},
		{"{type: integer, multipleOf: 1.0}", "integer"},
		{"{type: integer, exclusiveMinimum: true}", "integer"},
		{"{type: string, minLength: -1}", "string"},
		{"{type: integer, format: uint32, maximum: 4294967295}", "integer"},
		{"{x-kubernetes-int-or-string: true, minimum: 0.5}", "integer"},
	} {
		if valid(t, c.schema, c.typ) == 0 {
			t.Errorf("%s accepts nothing", c.schema)
		}
	}
	if valid(t, "{type: string, enum: []}", "string") != len(values["string"]) {
		t.Error("an empty enum rejects something")
	}
}

// TestEnumRefusesNull proves what schema-nullable-enum says.
func TestEnumRefusesNull(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]int{
		"{type: string, nullable: true}":                                      1,
		"{type: string, nullable: true, enum: []}":                            1,
		"{type: string, nullable: true, enum: [a]}":                           0,
		"{type: string, nullable: true, enum: [a, null]}":                     0,
		"{type: integer, nullable: true, enum: [1, null]}":                    0,
		"{x-kubernetes-int-or-string: true, nullable: true, enum: [1, null]}": 0,
	} {
		if n := accepted(t, schema, nil); n != want {
			t.Errorf("%s accepts null: %v", schema, n == 1)
		}
	}
}
