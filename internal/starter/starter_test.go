package starter_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/starter"
)

// define is a CRD whose objects have a spec of a schema in YAML, on one line.
func define(t *testing.T, spec string) *objects.Definition {
	t.Helper()
	src := fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {kind: Shelf, listKind: ShelfList, plural: shelves, singular: shelf}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
`, spec)
	all := objects.Definitions("crd.yaml", "crd.yaml", []byte(src), true)
	if len(all) != 1 {
		t.Fatalf("%s: not a CRD", spec)
	}
	return all[0]
}

// start starts a suite, all of which has to pass, and returns its text and what it tests.
func start(t *testing.T, d *objects.Definition, o starter.Options) (text string, r *coverage.Report) {
	t.Helper()
	s, why := starter.New(d, d.Storage(), o)
	if why != "" {
		t.Fatal(why)
	}
	written := s.Text("")
	results := starter.Run(d, written)
	if len(results) == 0 {
		t.Fatalf("the suite does not run:\n%s", written)
	}
	for _, one := range results {
		if !one.Passed() && one.Case.Skip == "" {
			t.Errorf("%s fails in\n%s", one.Case.Name, written)
		}
	}
	farFrom(t, d.Name, results)
	return string(written), coverage.Of(results, coverage.Options{})[0]
}

// TestRules finds an object that nothing but a rule rejects, whatever form the rule has.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ properties, rule string }{
		{"a: {type: integer}, b: {type: integer}", "!has(self.a) || has(self.b)"},
		{"a: {type: integer}, b: {type: integer}", "has(self.a) == has(self.b)"},
		{"a: {type: string}, b: {type: string}", "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1"},
		{"a: {type: integer}, b: {type: integer}", "!has(self.a) || !has(self.b) || self.a < self.b"},
		{"a: {type: integer, default: 3}, b: {type: integer, default: 3}", "self.a <= self.b"},
		{"a: {type: number, default: 1.5}", "self.a > 1.25"},
		{"a: {type: integer, default: 7}", "self.a >= 7 && self.a != 9"},
		{"a: {type: string, maxLength: 90}", "!has(self.a) || size(self.a) <= 60"},
		{"a: {type: string, maxLength: 90}", "!has(self.a) || self.a.size() != 17"},
		{"a: {type: array, maxItems: 50, items: {type: string, maxLength: 9}}", "!has(self.a) || self.a.size() < 20"},
		{"a: {type: object, maxProperties: 50, additionalProperties: {type: string}}", "!has(self.a) || size(self.a) < 4"},
		{"a: {type: string}", "!has(self.a) || self.a.matches('^[a-z]+$')"},
		{"a: {type: string, default: pre-x}", "self.a.startsWith('pre-')"},
		{"a: {type: string, enum: [p, q, r], default: p}", "self.a in ['p', 'q']"},
		{"a: {type: string}, b: {type: string}", "has(self.a) && self.a == 'special' ? has(self.b) && self.b == 'extra' : true"},
		{"a: {type: boolean}, b: {type: boolean}", "!(has(self.a) && self.a && has(self.b) && !self.b)"},
		{"a: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}", "!has(self.a) || self.a.all(x, x != 'never')"},
		{"a: {type: array, maxItems: 9, items: {type: object, properties: {k: {type: string}, num: {type: integer}}}}", "!has(self.a) || self.a.all(x, self.a.exists_one(y, has(x.k) && has(y.k) && y.k == x.k))"},
		{"a: {type: array, maxItems: 9, items: {type: object, properties: {k: {type: string}, num: {type: integer}}}}", "!has(self.a) || !self.a.exists(x, has(x.num) && x.num == 417)"},
		{"a: {type: object, maxProperties: 9, additionalProperties: {type: string}}", "!has(self.a) || self.a.all(k, !k.startsWith('example.com/'))"},
		{"a: {type: string, default: 5m}", "duration(self.a) < duration('1h')"},
		{"a: {x-kubernetes-int-or-string: true, default: 5}", "quantity(string(self.a)).isLessThan(quantity('5k'))"},
		{"a: {type: string, default: 'https://example.com'}", "isURL(self.a) && url(self.a).getScheme() == 'https'"},
		{"a: {type: object, properties: {b: {type: integer}}}", "!has(self.a) || !has(self.a.b) || self.a.b < 3 || self.a.b > 5"},
		{"a: {type: string}", "self.?a.orValue('none') != 'some'"},
		{"a: {type: string}", "!self.?a.hasValue() || self.a != ''"},
		{"a: {type: integer}, b: {type: string}", "!has(self.a) || self.b.startsWith('x')"}, // which fails without b
		// those that compare
		{"a: {type: string}", "!has(oldSelf.a) || has(self.a)"},
		{"a: {type: string}", "!has(oldSelf.a) || !has(self.a) || self.a == oldSelf.a"},
		{"a: {type: string, enum: [p, q, r]}", "!(has(oldSelf.a) && oldSelf.a == 'q' && has(self.a) && self.a == 'r')"},
		{"a: {type: integer, default: 4}", "self.a >= oldSelf.a"},
		{"a: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}", "!has(oldSelf.a) || has(self.a) && oldSelf.a.all(x, x in self.a)"},
		{"a: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9}}", "!has(oldSelf.a) || has(self.a) && self.a.size() >= oldSelf.a.size()"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			d := define(t, fmt.Sprintf("{type: object, properties: {%s}, x-kubernetes-validations: [{rule: %q, message: not so}]}", test.properties, test.rule))
			text, r := start(t, d, starter.Options{Which: starter.RulesOnly})
			var f figure
			if f.add(r, rulesOf...); f != (figure{1, 1}) {
				t.Errorf("%s rules are tested by\n%s", f, text)
			}
		})
	}
}

// TestKeywords finds a value that nothing but a keyword rejects.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		"{type: string, enum: [a, b]}", "{type: boolean, enum: [true]}", "{type: integer, enum: [1, 2, 99999]}", "{type: string, enum: [Other, other]}",
		"{type: string, pattern: '^[a-z]+$'}", "{type: string, pattern: '^.{3,}$'}", "{type: string, pattern: '^[^/]*$'}", "{type: string, pattern: '^[a-z]*$', minLength: 4, maxLength: 4}",
		"{x-kubernetes-int-or-string: true, pattern: '^[0-9]+%?$'}",
		"{type: string, format: date-time}", "{type: string, format: ipv4}", "{type: string, format: uuid}", "{type: string, format: byte}",
		"{type: integer, format: int32}", "{type: number, format: float}",
		"{type: integer, minimum: 3}", "{type: integer, minimum: 3, exclusiveMinimum: true}", "{type: number, minimum: 0.5}", "{type: integer, maximum: 7}",
		"{type: integer, minimum: 8, maximum: 16, multipleOf: 4}",
		"{type: string, minLength: 3}", "{type: string, maxLength: 12}", "{type: string, maxLength: 20, pattern: '^[a-z]+([.][a-z])*$'}",
		"{type: array, minItems: 2, items: {type: string}}", "{type: array, maxItems: 3, items: {type: string}}",
		"{type: array, maxItems: 3, x-kubernetes-list-type: set, items: {type: string}}",
		"{type: array, maxItems: 3, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [num], items: {type: object, required: [num], properties: {num: {type: integer}}}}",
		"{type: array, maxItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [num], items: {type: object, required: [num], properties: {num: {type: string, enum: [a, b, c]}}}}",
		"{type: object, minProperties: 2, additionalProperties: {type: string}}", "{type: object, maxProperties: 2, additionalProperties: {type: string}}",
		"{type: object, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}",
		"{type: object, required: [a], properties: {a: {type: string}}}",
		"{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}",
		"{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}",
		"{type: object, properties: {a: {type: string}, b: {type: string}}, not: {required: [a, b]}}",
		"{type: string, default: d}", "{type: object, default: {a: 1}, properties: {a: {type: integer}, b: {type: integer, default: 2}}}",
	} {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			for _, spec := range []string{"{type: object, properties: {field: %s}}", "{type: object, properties: {list: {type: array, items: {type: object, properties: {field: %s}}}}}",
				"{type: object, properties: {map: {type: object, additionalProperties: {type: object, properties: {field: %s}}}}}"} {
				text, r := start(t, define(t, fmt.Sprintf(spec, schema)), starter.Options{Which: starter.All})
				for _, c := range r.Constraints {
					if c.State != coverage.Tested {
						t.Errorf("%s of %s is %s by\n%s", c.Keyword, c.Field, c.State, text)
					}
				}
			}
		})
	}
}

// TestUnlikely writes cases for the rest where a keyword is for values of another type, a default is never used, or a rule is true for all
// that an enum has.
func TestUnlikely(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"{type: object, properties: {a: {type: boolean, multipleOf: 2, enum: [true]}}}":                                                                                           "spec.a",
		"{type: object, properties: {o: {type: object, properties: {list: {type: array, items: {type: string, nullable: true, default: p}}, name: {type: string, default: q}}}}}": "spec.o.name",
		"{type: object, properties: {a: {type: string, enum: [s, m], x-kubernetes-validations: [{rule: self != 'l'}]}}}":                                                          "spec.a",
		"{type: object, properties: {a: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: size(self) != 99999999999}]}}}":                                            "spec.a",
	} {
		text, r := start(t, define(t, spec), starter.Options{Which: starter.All})
		var tested []string
		for _, c := range r.Constraints {
			if c.State == coverage.Tested {
				tested = append(tested, c.Field)
			}
		}
		if !slices.Equal(tested, []string{want}) || strings.Contains(text, "skip") != strings.Contains(spec, "size(") {
			t.Errorf("%q are tested by\n%s\nwant %s", tested, text, want)
		}
	}
}

// TestNamed says which rule rejects where its message does not, and has each accepted object once.
func TestNamed(t *testing.T) {
	t.Parallel()
	text, r := start(t, define(t, `{type: object, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}, o: {type: object, required: [p, q],
		properties: {p: {type: boolean}, q: {type: boolean}}}}, x-kubernetes-validations: [{rule: '!has(self.a) || self.a < 5', message: too many},
		{rule: '!has(self.b) || self.b < 7', message: too many}, {rule: '!has(self.c) || self.c < 9', messageExpression: '"so many"', message: many}]}`),
		starter.Options{Which: starter.All})
	for _, c := range r.Constraints {
		if c.State != coverage.Tested {
			t.Errorf("%s %s of %q is %s", c.Keyword, c.Value, c.Field, c.State)
		}
	}
	for want, n := range map[string]int{"by: rule, rule: ": 3, "rejected: too many": 0, ": accepted": 1} {
		if strings.Count(text, want) != n {
			t.Errorf("%q is there %d times, not %d, in\n%s", want, strings.Count(text, want), n, text)
		}
	}
}

// TestUsual leaves out what no person would test, and what makes a suite too long.
func TestUsual(t *testing.T) {
	t.Parallel()
	d := define(t, `{type: object, properties: {size: {type: integer, minimum: 1, format: int32}, template: {type: object, properties: {
		metadata: {type: object, properties: {name: {type: string, pattern: a}}}, kind: {type: string, enum: [a]}}}}}, status: {type: object, properties: {
		conditions: {type: array, items: {type: object, properties: {type: {type: string, pattern: a}}}}, phase: {type: string, pattern: b}, parts: {type: array, items: {type: object, properties: {
		conditions: {type: array, items: {type: object, properties: {type: {type: string, pattern: a}}}}}}}}}`)
	text, r := start(t, d, starter.Options{})
	var tested []string
	for _, c := range r.Constraints {
		if c.State == coverage.Tested {
			tested = append(tested, c.Field)
		}
	}
	if want := []string{"spec.template.kind", "status.phase"}; !slices.Equal(slices.Sorted(slices.Values(tested)), want) {
		t.Errorf("%q are tested by\n%s\nwant %q", tested, text, want)
	}
	if strings.Contains(text, "no case here") {
		t.Errorf("a short suite leaves out something:\n%s", text)
	}

	var properties []string
	for i := range 100 {
		properties = append(properties, fmt.Sprintf("f%d: {type: string, enum: [a, b]}", i))
	}
	d = define(t, "{type: object, properties: {"+strings.Join(properties, ", ")+"}}")
	text, r = start(t, d, starter.Options{})
	var f figure
	f.add(r)
	if n := strings.Count(text, "\n"); n > 300 || n < 280 || !strings.Contains(text, fmt.Sprintf("\n# %d more constraints have no case, to keep the suite short", f.all-f.tested)) {
		t.Errorf("the suite has %d lines and tests %s constraints; it ends in\n%s", n, f, text[len(text)-200:])
	}
	if again, _ := start(t, d, starter.Options{}); again != text {
		t.Error("the same CRD makes another suite the second time")
	}
	if text, _ = start(t, d, starter.Options{Which: starter.All}); strings.Count(text, "reject:") != 100 {
		t.Errorf("all constraints have %d tables", strings.Count(text, "reject:"))
	}
}

// TestAppend adds to suites of other forms than that of a start.
func TestAppend(t *testing.T) {
	t.Parallel()
	d := define(t, "{type: object, properties: {a: {type: string, enum: [p, q]}, b: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]}}, x-kubernetes-validations: [{rule: 'true', message: always}]}")
	for name, text := range map[string]string{
		"no base":             "crdtest: v1\ncases:\n- name: own\n  object: {apiVersion: shop.example.com/v1, kind: Shelf}\n",
		"no last new line":    "crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Shelf}\ncases:\n- name: own",
		"cases first":         "crdtest: v1\ncases:\n- name: own\n  set: {spec.b: 1}\n\n# the base is below\nbase: {apiVersion: shop.example.com/v1, kind: Shelf, metadata: {labels: {a: b}}}\n",
		"a base that is none": "crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Shelf, spec: {a: z}}\ncases:\n- name: own\n  rejected: {at: spec.a}\n",
	} {
		_, changed, err := starter.Append(d, "shelf.crdtest.yaml", []byte(text), starter.Usual)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, line := range bytes.SplitAfter([]byte(text), []byte("\n")) {
			if !bytes.Contains(changed, line) {
				t.Errorf("%s: %q is gone from\n%s", name, line, changed)
			}
		}
		results := starter.Run(d, changed)
		if len(results) < 2 {
			t.Errorf("%s: %d cases in\n%s", name, len(results), changed)
		}
		for _, r := range results {
			if !r.Passed() && r.Case.Skip == "" {
				t.Errorf("%s: %q fails in\n%s", name, r.Case.Name, changed)
			}
		}
		if _, again, err := starter.Append(d, "shelf.crdtest.yaml", changed, starter.Usual); err != nil || !bytes.Equal(again, changed) {
			t.Errorf("%s: a second time (%v), it becomes\n%s", name, err, again)
		}
	}
	for text, want := range map[string]string{
		"crdtest: v1\ncases: [": "does not parse",
		"crdtest: v1\n":         "the suite cannot be run",
		"crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Rack}\ncases:\n- name: own\n": "it tests another CRD; write the cases into another file",
	} {
		if _, _, err := starter.Append(d, "shelf.crdtest.yaml", []byte(text), starter.Usual); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
