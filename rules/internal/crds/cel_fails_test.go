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
	const guarded = "; guard the missing field with has() as well"
	for rule, test := range map[string]struct {
		objects   string   // in the message; "" for no finding
		witnesses []string // that make the rule fail or, without a finding, that do not
	}{
		"self.a > 1":                                     {"objects without spec.a", []string{"{r: 1}"}},
		"self.a > self.b":                                {"objects without spec.a or spec.b", []string{"{r: 1, a: 1}", "{r: 1, b: 1}"}},
		"self.a > 1 || self.b > 1":                       {"objects without spec.a and spec.b", []string{"{r: 1}"}},
		"self.r > 1 && self.a > 1":                       {"some objects without spec.a", []string{"{r: 2}"}},
		"!has(self.a) || self.a > self.b":                {"objects with spec.a and without spec.b" + guarded, []string{"{r: 1, a: 1}"}},
		"has(self.a) ? self.a > self.b : true":           {"objects with spec.a and without spec.b" + guarded, []string{"{r: 1, a: 1}"}},
		"!has(self.o) || self.o.p > 1":                   {"objects with spec.o and without spec.o.p", []string{"{r: 1, o: {}}"}},
		"self.o.q > 1":                                   {"objects without spec.o", []string{"{r: 1}"}},
		"!has(self.l) || self.l.all(i, i.x > i.w)":       {"objects with spec.l and without spec.l[*].x", []string{"{r: 1, l: [{w: 1}]}"}},
		"self.l.exists(i, i.w > 1)":                      {"objects without spec.l", []string{"{r: 1}"}},
		"!has(self.m) || self.m.all(k, self.m[k].x > 1)": {"objects with spec.m and without spec.m[*].x", []string{"{r: 1, m: {k: {}}}"}},
		"!has(self.l) || self.l[0].x > 1":                {"objects with spec.l and without spec.l[*].x", []string{"{r: 1, l: [{w: 1}]}"}},
		"self.a == oldSelf.a":                            {"objects without spec.a", nil}, // runs on updates only
		"size(self.name) > 1":                            {"objects without spec.name", []string{"{r: 1}"}},

		"!has(self.o) || !has(self.o.p) || self.o.p > self.b": {"objects with spec.o.p and without spec.b" + guarded, []string{"{r: 1, o: {p: 1}}"}},
		"!(has(self.a) || has(self.name)) || self.b > 1":      {"some objects without spec.b", []string{"{r: 1, a: 1}", "{r: 1, name: x}"}},
		"!has(self.l) || self.l.all(i, i.w > self.b)":         {"some objects with spec.l and without spec.b" + guarded, []string{"{r: 1, l: [{w: 1}]}"}}, // none with an empty list
		"has(self.name) ? self.a > self.b : self.a > 1":       {"objects without spec.a, or objects with spec.name and without spec.b" + guarded, []string{"{r: 1}", "{r: 1, name: x, a: 1}"}},

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
		if test.objects != "" {
			want = "the rule ends in an error for " + test.objects
			if !strings.HasSuffix(want, guarded) {
				want += "; guard it with has(), or require the field"
			}
		}
		if got := saidOf(t, missingHas, spec); got != want {
			t.Errorf("%s: got %q", rule, got)
		}
		for _, object := range test.witnesses {
			if fails := failsFor(t, spec, object); fails != (test.objects != "") {
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
		if found := strings.Contains(said, " without "+test.without+";"); found != (test.without != "") || test.without == "" && said != "" {
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

// gaugeSpec is a schema whose rule is %s.
const gaugeSpec = `
type: object
required: [c, s]
properties:
  c: {type: integer}
  p: {type: integer, minimum: 1}
  s: {type: string, maxLength: 20}
  e: {type: string, enum: [1Gi, 2Gi]}
  k: {type: string, enum: [fixed, free]}
  q: {type: string, maxLength: 9, pattern: '^[0-9]+Mi$'}
  d: {type: string, format: duration, maxLength: 9}
  x: {x-kubernetes-int-or-string: true, maxLength: 9}
  z: {x-kubernetes-int-or-string: true, maxLength: 9}
  l: {type: array, maxItems: 3, items: {type: string, maxLength: 9}}
  f: {type: array, minItems: 1, maxItems: 3, items: {type: string, maxLength: 9}}
  m: {type: object, maxProperties: 3, additionalProperties: {type: string, maxLength: 9}}
x-kubernetes-validations:
- rule: %q
  message: m
`

// TestValueUnguarded proves each finding with upstream: an object that the schema accepts makes the rule end in an error.
// Where the rule has no finding, none of the objects does.
func TestValueUnguarded(t *testing.T) {
	t.Parallel()
	const pattern = ", or give the field a pattern"
	for rule, test := range map[string]struct {
		said    string // behind "where"; "" for no finding
		objects []string
	}{
		"has(self.x) && self.x > 0":                                                         {`spec.x is a text such as "x-1"; check its type first: type(self.x) == string`, []string{"{c: 1, s: a, x: b}"}},
		"!has(self.x) || self.x.endsWith('%')":                                              {"spec.x is the number 80; check its type first: type(self.x) == string", []string{"{c: 1, s: a, x: 2}"}},
		"!has(self.x) || !has(self.z) || quantity(self.x) == quantity(self.z)":              {`spec.x is a text such as "x-1"; guard it with isQuantity()` + pattern, []string{"{c: 1, s: a, x: b, z: b}"}},
		"quantity(self.s).isGreaterThan(quantity('0'))":                                     {`spec.s is a text such as "s-1"; guard it with isQuantity()` + pattern, []string{"{c: 1, s: a}"}},
		"ip(self.s).family() == 4":                                                          {`spec.s is a text such as "s-1"; guard it with isIP()` + pattern, []string{"{c: 1, s: a}"}},
		"cidr(self.s).prefixLength() > 8":                                                   {`spec.s is a text such as "s-1"; guard it with isCIDR()` + pattern, []string{"{c: 1, s: a}"}},
		"semver(self.s).major() > 1":                                                        {`spec.s is a text such as "s-1"; guard it with isSemver()` + pattern, []string{"{c: 1, s: a}"}},
		"(!has(self.q) || quantity(self.q) == quantity('1Gi')) && ip(self.s).family() == 4": {`spec.s is a text such as "s-1"; guard it with isIP()` + pattern, []string{"{c: 1, s: a}"}},
		"!has(self.m) || self.m.all(k, int(self.m[k]) > 0)":                                 {`spec.m is a map such as {"key":"m-1"}; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a, m: {b: c}}"}},
		"int(self.s) > 3":                                                                   {`spec.s is a text such as "s-1"; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a}"}},
		"duration(self.s) > duration('1s')":                                                 {`spec.s is a text such as "s-1"; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a}"}},
		"self.s == '' || self.s.split('/')[1] != 'a'":                                       {`spec.s is a text such as "s-1"; check size() first`, []string{"{c: 1, s: a}"}},
		"self.s.substring(1) != 'a'":                                                        {"spec.s is an empty text; give the field a format, an enum or a pattern that excludes it", []string{"{c: 1, s: ''}"}},
		"!has(self.l) || self.l[0] != 'a'":                                                  {"spec.l is an empty list; check size() first", []string{"{c: 1, s: a, l: []}"}},
		"!has(self.m) || self.m['app'] != ''":                                               {"spec.m is an empty map; check first that the key is in the map", []string{"{c: 1, s: a, m: {}}"}},
		"100 / self.c > 3":                                                                  {"spec.c is the number 0; check for 0 first, or set a minimum", []string{"{c: 0, s: a}"}},
		"!has(self.k) || self.k == 'free' || quantity(self.s).isLessThan(quantity('1Gi'))":  {`spec.s is a text such as "s-1"; guard it with isQuantity()` + pattern, nil},
		"!has(self.l) || self.l.all(i, int(i) > 0)":                                         {`spec.l[*] is a text such as "l-1"; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a, l: [b]}"}},

		"!has(self.x) || type(self.x) == string || self.x > 0":                          {"", []string{"{c: 1, s: a, x: b}", "{c: 1, s: a, x: 1}"}},
		"isQuantity(self.s) && quantity(self.s).isGreaterThan(quantity('0'))":           {"", []string{"{c: 1, s: a}", "{c: 1, s: 1Gi}"}},
		"!has(self.e) || quantity(self.e).isGreaterThan(quantity('0'))":                 {"", []string{"{c: 1, s: a, e: 1Gi}", "{c: 1, s: a}"}},
		"!has(self.q) || quantity(self.q).isGreaterThan(quantity('0'))":                 {"", []string{"{c: 1, s: a, q: 1Mi}"}},
		"!has(self.d) || duration(self.d) > duration('1s')":                             {"", []string{"{c: 1, s: a, d: 1s}"}},
		"!has(self.f) || self.f[0] != 'a'":                                              {"", []string{"{c: 1, s: a, f: [b]}"}},
		"!has(self.m) || !('app' in self.m) || self.m['app'] != ''":                     {"", []string{"{c: 1, s: a, m: {}}", "{c: 1, s: a, m: {app: a}}"}},
		"!has(self.p) || 100 / self.p > 3":                                              {"", []string{"{c: 1, s: a, p: 1}"}},
		"self.c * 1000 > 3":                                                             {"", []string{"{c: 1, s: a}"}}, // what overflows is rejected, too
		"quantity('1Gi').isGreaterThan(quantity('0')) && self.s != ''":                  {"", []string{"{c: 1, s: a}"}},
		"!has(self.x) || (type(self.x) == int ? self.x > 0 : self.x.endsWith('%'))":     {"", []string{"{c: 1, s: a, x: b}", "{c: 1, s: a, x: 1}"}},
		"!has(self.l) || size(self.l) == 0 || self.l[0] != 'a'":                         {"", []string{"{c: 1, s: a, l: []}", "{c: 1, s: a, l: [b]}"}},
		"!has(self.l) || self.l.all(i, i.matches('^[0-9]+$') && int(i) > 0)":            {"", []string{"{c: 1, s: a, l: [b]}"}},
		"self.s.matches('^[^/]+/[^/]+$') && self.s.split('/')[1].matches('^[a-z0-9]+')": {"", []string{"{c: 1, s: a}", "{c: 1, s: a/b}"}},
	} {
		spec := fmt.Sprintf(gaugeSpec, rule)
		want := ""
		if test.said != "" {
			want = "the rule ends in an error where " + test.said
		}
		if got := saidOf(t, unguardedValues, spec); got != want {
			t.Errorf("%s: got %q", rule, got)
		}
		for _, object := range test.objects {
			if fails := failsFor(t, spec, object); fails != (test.said != "") {
				t.Errorf("%s ends in an error for %s: %v", rule, object, fails)
			}
		}
	}
}

// TestValueGuardedElsewhere: nobody is told of an error who is told by something else what to write.
func TestValueGuardedElsewhere(t *testing.T) {
	t.Parallel()
	const rule = "quantity(self.s).isGreaterThan(quantity('0'))"
	for other, said := range map[string]bool{
		"- rule: isQuantity(self.s)\n  message: not a quantity":     false,
		"- rule: self.c > 0\n  message: too small":                  true,
		"- rule: self.s.startsWith('1')\n  message: begins with 1":  false,
		"- rule: int(self.s) > 3\n  message: an error for the same": true,
	} {
		spec := fmt.Sprintf(gaugeSpec, rule) + other
		if got := saidOf(t, unguardedValues, spec); strings.Contains(got, "isQuantity") != said {
			t.Errorf("beside %s: got %q", other, got)
		}
	}
}

// TestManyUnguarded: what was not tried is said, since the rules of a large version take long in whole objects.
func TestManyUnguarded(t *testing.T) {
	t.Parallel()
	var fields, all strings.Builder
	for i := range 100 {
		fmt.Fprintf(&fields, "  s%d: {type: string, maxLength: 9}\n", i)
		fmt.Fprintf(&all, "- rule: '!has(self.s%d) || int(self.s%[1]d) > 0'\n  message: m\n", i)
	}
	said := strings.Split(saidOf(t, unguardedValues, "\ntype: object\nproperties:\n"+fields.String()+"x-kubernetes-validations:\n"+all.String()), "\n")
	tried := maxTrying / (1 + 100*101)
	if len(said) != tried+1 || !strings.HasPrefix(said[0], "the rule ends in an error where spec.s0 is") ||
		!strings.HasPrefix(said[tried], fmt.Sprintf("%d rules of this version may end in an error as well", 100-tried)) {
		t.Errorf("%d findings, the last %q", len(said), said[len(said)-1])
	}
}
