package crds

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// pumpSpec is a schema whose rule is %s.
const pumpSpec = `
type: object
required: [r]
properties:
  r: {type: integer}
  a: {type: integer}
  b: {type: integer}
  u: {type: integer, default: 1}
  name: {type: string, maxLength: 10}
  o:
    type: object
    properties: {p: {type: integer}, q: {type: integer, default: 2}}
  l:
    type: array
    maxItems: 9
    items:
      type: object
      required: [w]
      properties: {x: {type: integer}, w: {type: integer}}
  m:
    type: object
    maxProperties: 9
    additionalProperties:
      type: object
      properties: {x: {type: integer}}
  either:
    type: object
    properties: {c: {type: integer}, d: {type: integer}}
    oneOf: [{required: [c]}, {required: [d]}]
x-kubernetes-validations:
- rule: %q
  message: m
`

// TestHasMissing proves each finding with upstream: an object that the schema accepts makes the rule fail. Where the rule
// has no finding, objects with and without the fields do not.
func TestHasMissing(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		without string   // in the message; "" for no finding
		objects []string // witnesses that make the rule fail or, without a finding, that do not
	}{
		"self.a > 1":                                     {"spec.a", []string{"{r: 1}"}},
		"self.a > self.b":                                {"spec.a or spec.b", []string{"{r: 1, a: 1}", "{r: 1, b: 1}"}},
		"self.a > 1 || self.b > 1":                       {"spec.a and spec.b", []string{"{r: 1}"}},
		"self.r > 1 && self.a > 1":                       {"spec.a", []string{"{r: 2}"}},
		"!has(self.a) || self.a > self.b":                {"spec.b", []string{"{r: 1, a: 1}"}},
		"has(self.a) ? self.a > self.b : true":           {"spec.b", []string{"{r: 1, a: 1}"}},
		"!has(self.o) || self.o.p > 1":                   {"spec.o.p", []string{"{r: 1, o: {}}"}},
		"self.o.q > 1":                                   {"spec.o", []string{"{r: 1}"}},
		"!has(self.l) || self.l.all(i, i.x > i.w)":       {"spec.l[*].x", []string{"{r: 1, l: [{w: 1}]}"}},
		"self.l.exists(i, i.w > 1)":                      {"spec.l", []string{"{r: 1}"}},
		"!has(self.m) || self.m.all(k, self.m[k].x > 1)": {"spec.m[*].x", []string{"{r: 1, m: {k: {}}}"}},
		"!has(self.l) || self.l[0].x > 1":                {"spec.l[*].x", []string{"{r: 1, l: [{w: 1}]}"}},
		"self.a == oldSelf.a":                            {"spec.a", nil}, // runs on updates only
		"size(self.name) > 1":                            {"spec.name", []string{"{r: 1}"}},

		"self.r > 1 && self.u > 1":                                        {"", []string{"{r: 1}", "{r: 2}"}},
		"!has(self.a) || self.a > 1":                                      {"", []string{"{r: 1}", "{r: 1, a: 1}"}},
		"has(self.a) && self.a > 1":                                       {"", []string{"{r: 1}", "{r: 1, a: 1}"}},
		"self.a > 1 && has(self.a)":                                       {"", []string{"{r: 1}", "{r: 1, a: 1}"}},
		"has(self.a) == has(self.b) && (!has(self.a) || self.a > self.b)": {"", []string{"{r: 1}", "{r: 1, a: 1}", "{r: 1, b: 1}", "{r: 1, a: 1, b: 2}"}},
		"self.?a.orValue(1) > self.?o.p.orValue(0)":                       {"", []string{"{r: 1}", "{r: 1, o: {}}", "{r: 1, o: {p: 1}}"}},
		"self.?a.optMap(a, a > 1).orValue(true)":                          {"", []string{"{r: 1}", "{r: 1, a: 1}"}},
		"!has(self.l) || self.l.filter(i, has(i.x)).all(i, i.w > 0)":      {"", []string{"{r: 1}", "{r: 1, l: [{w: 1}]}"}},
		"!has(self.o) || self.o.q > 1":                                    {"", []string{"{r: 1}", "{r: 1, o: {}}"}},
		"!has(self.either) || !has(self.either.c) || self.either.c > 1":   {"", []string{"{r: 1}", "{r: 1, either: {d: 1}}"}},
		"true || self.a > 1":                                              {"", []string{"{r: 1}"}},
		// not provable: who needs which value is for the rule to say
		"self.r == 1 || self.a > 1":              {"", []string{"{r: 1}"}},
		"!has(self.either) || self.either.c > 0": {"", []string{"{r: 1, either: {c: 1}}"}},
	} {
		spec := fmt.Sprintf(pumpSpec, rule)
		want := ""
		if test.without != "" {
			want = "the rule ends in an error for objects without " + test.without + "; guard it with has(), or require the field"
		}
		if got := saidOf(t, missingHas, spec); got != want {
			t.Errorf("%s: got %q", rule, got)
		}
		for _, object := range test.objects {
			if fails := failsFor(t, spec, object); fails != (test.without != "") {
				t.Errorf("%s ends in an error for %s: %v", rule, object, fails)
			}
		}
	}
}

// TestHasMissingBesideOthers: another rule that needs a field is told from one that only reads it, and asks for a third.
func TestHasMissingBesideOthers(t *testing.T) {
	t.Parallel()
	const second = "- rule: %q\n"
	for _, test := range []struct{ rule, other, without string }{
		{"self.name != 'b' || !has(self.a)", "self.name != 'a' || has(self.b)", "spec.name"},
		{"self.a > 1", "!has(self.o) || has(self.o.p)", "spec.a"},
		{"self.a > 1", "has(self.a)", ""},
		{"self.a > 1", "self.?a.orValue(2) > 1", ""},
		{"self.a > 1", "has(self.ab)", "spec.a"},
	} {
		spec := fmt.Sprintf(strings.Replace(pumpSpec, "  a: {type: integer}\n", "  a: {type: integer}\n  ab: {type: integer}\n", 1)+second, test.rule, test.other)
		said := saidOf(t, missingHas, spec)
		if found := strings.Contains(said, "for objects without "+test.without+";"); found != (test.without != "") || test.without == "" && said != "" {
			t.Errorf("%s beside %s: got %q", test.rule, test.other, said)
		}
	}
}

// saidOf is what a rule says of the schema of spec.
func saidOf(t *testing.T, rule *engine.Rule, spec string) string {
	t.Helper()
	manifest := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pumps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: pumps, kind: Pump}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:` + strings.ReplaceAll(spec, "\n", "\n            ")
	l := &engine.Linter{Rules: append([]*engine.Rule{rule}, enforcedCEL...), Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
	var said []string
	for _, f := range l.File("pump.yaml", []byte(manifest)).Findings {
		said = append(said, f.Message)
	}
	return strings.Join(said, "\n")
}

// failsFor reports whether a valid object makes a rule of the schema end in an error.
func failsFor(t *testing.T, spec, object string) bool {
	t.Helper()
	var external v1.JSONSchemaProps
	var value map[string]any
	if err := yaml.Unmarshal([]byte(spec), &external); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(object), &value); err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	value = normalNumbers(value).(map[string]any)
	defaulting.Default(value, structural)
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	if errs := validation.ValidateCustomResource(nil, value, validator); len(errs) > 0 {
		t.Fatalf("%s is not valid: %v", object, errs)
	}
	errs, _ := cel.NewValidator(structural, false, celconfig.PerCallLimit).Validate(context.Background(), field.NewPath("spec"), structural, value, nil, math.MaxInt64)
	said := fmt.Sprint(errs) // see validateExpressions
	return strings.Contains(said, " evaluating rule: m") || strings.Contains(said, " for rule: m")
}

// normalNumbers are values with the integers that the API server reads.
func normalNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for k, v := range value {
			value[k] = normalNumbers(v)
		}
	case []any:
		for i, v := range value {
			value[i] = normalNumbers(v)
		}
	case float64:
		return int64(value)
	}
	return value
}
