package crds

import (
	"fmt"
	"strings"
	"testing"
)

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
		"has(self.x) && self.x > 0":                                                         {`spec.x is a text such as "x-1"; ask for its type first: type(self.x) == string`, []string{"{c: 1, s: a, x: b}"}},
		"!has(self.x) || self.x.endsWith('%')":                                              {"spec.x is the number 80; ask for its type first: type(self.x) == string", []string{"{c: 1, s: a, x: 2}"}},
		"!has(self.x) || !has(self.z) || quantity(self.x) == quantity(self.z)":              {`spec.x is a text such as "x-1"; guard it with isQuantity()` + pattern, []string{"{c: 1, s: a, x: b, z: b}"}},
		"quantity(self.s).isGreaterThan(quantity('0'))":                                     {`spec.s is a text such as "s-1"; guard it with isQuantity()` + pattern, []string{"{c: 1, s: a}"}},
		"ip(self.s).family() == 4":                                                          {`spec.s is a text such as "s-1"; guard it with isIP()` + pattern, []string{"{c: 1, s: a}"}},
		"cidr(self.s).prefixLength() > 8":                                                   {`spec.s is a text such as "s-1"; guard it with isCIDR()` + pattern, []string{"{c: 1, s: a}"}},
		"semver(self.s).major() > 1":                                                        {`spec.s is a text such as "s-1"; guard it with isSemver()` + pattern, []string{"{c: 1, s: a}"}},
		"(!has(self.q) || quantity(self.q) == quantity('1Gi')) && ip(self.s).family() == 4": {`spec.s is a text such as "s-1"; guard it with isIP()` + pattern, []string{"{c: 1, s: a}"}},
		"!has(self.m) || self.m.all(k, int(self.m[k]) > 0)":                                 {`spec.m is a map such as {"key":"m-1"}; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a, m: {b: c}}"}},
		"int(self.s) > 3":                                                                   {`spec.s is a text such as "s-1"; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a}"}},
		"duration(self.s) > duration('1s')":                                                 {`spec.s is a text such as "s-1"; give the field a format, an enum or a pattern that excludes it`, []string{"{c: 1, s: a}"}},
		"self.s == '' || self.s.split('/')[1] != 'a'":                                       {`spec.s is a text such as "s-1"; ask for the size() first`, []string{"{c: 1, s: a}"}},
		"self.s.substring(1) != 'a'":                                                        {"spec.s is an empty text; give the field a format, an enum or a pattern that excludes it", []string{"{c: 1, s: ''}"}},
		"!has(self.l) || self.l[0] != 'a'":                                                  {"spec.l is an empty list; ask for the size() first", []string{"{c: 1, s: a, l: []}"}},
		"!has(self.m) || self.m['app'] != ''":                                               {"spec.m is an empty map; ask whether the key is in the map first", []string{"{c: 1, s: a, m: {}}"}},
		"100 / self.c > 3":                                                                  {"spec.c is the number 0; exclude 0 first, or by a minimum", []string{"{c: 0, s: a}"}},
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
		"self.c * 1000 > 3":                                                             {"", []string{"{c: 1, s: a}"}}, // what overflows is refused, too
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
