package request_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// An object that breaks a constraint of its root may be written as it is where all of it is declared: what the server
// adds to the metadata is no change.
func TestUpdateWithoutChange(t *testing.T) {
	t.Parallel()
	v := serveCRD(t, `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  version: v1
  validation: {openAPIV3Schema: {required: [spec], properties: {apiVersion: {type: string}, kind: {type: string}, more: {type: string},
    metadata: {type: object, properties: {name: {type: string}, namespace: {type: string}, resourceVersion: {type: string}}}}}}
`).Version("v1")
	old := object(t, "more: a")
	old["metadata"].(request.Object)["managedFields"] = []any{request.Object{"manager": "a", "operation": "Update"}}
	if o := v.Update(old, old); !o.Accepted() {
		t.Errorf("no change is rejected: %v, %v", toldAll(o), o.Err)
	}
	changed := runtime.DeepCopyJSON(old)
	changed["more"] = "b"
	if o := v.Update(changed, old); o.Accepted() || len(o.Causes) != 1 || told(o.Causes[0]) != "spec missing: required at " {
		t.Errorf("a change is not rejected: %v, %v", toldAll(o), o.Err)
	}
}

// A rule that is not met only warns, of the value and the rule, where the update leaves the value as it is. Rules that
// compare with the old value and errors at run time are never excused, nor is a value that holds what is not declared.
func TestRatchetedRules(t *testing.T) {
	t.Parallel()
	schema := `{type: object, x-kubernetes-validations: [{rule: "!has(self.root)", message: no root}], properties: {root: {type: string},
		spec: {type: object, properties: {
			a: {type: string, x-kubernetes-validations: [{rule: "self != ''", message: empty}, {rule: "self != 'bad'", message: bad}, {rule: "self.size() < 3", messageExpression: "'long: ' + self"}]},
			at: {type: object, x-kubernetes-validations: [{rule: "self.b > 1", message: small, fieldPath: .b}], properties: {b: {type: integer}}},
			items: {type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k],
				x-kubernetes-validations: [{rule: "self.v > 1", message: v}], properties: {k: {type: string, maxLength: 9}, v: {type: integer}}}},
			atomic: {type: array, maxItems: 9, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self != 'bad'", message: bad}]}},
			later: {type: integer, x-kubernetes-validations: [{rule: "self > oldSelf", message: later}]},
			free: {type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "has(self.c)", message: no c}], properties: {c: {type: string}}}}},
		status: {type: object, properties: {s: {type: string, x-kubernetes-validations: [{rule: "self != 'bad'", message: bad}]}}}}}`
	for _, test := range []struct {
		about, old, new string
		status          bool
		warnings        []string
		causes          []string
	}{
		{"two rules of a value", "spec: {a: bad}", "spec: {a: bad, later: 1}", false, []string{
			"spec.a: x-kubernetes-validations at properties/spec/properties/a 1 (bad)",
			"spec.a: x-kubernetes-validations at properties/spec/properties/a 2 (failed rule: self.size() < 3)"}, nil},
		{"another value", "spec: {a: bad}", "spec: {a: worse}", false, nil, []string{"spec.a: x-kubernetes-validations at properties/spec/properties/a 2 (long: worse)"}},
		{"a rule with a fieldPath", "spec: {at: {b: 1}}", "spec: {at: {b: 1}, a: b}", false, []string{"spec.at.b: x-kubernetes-validations at properties/spec/properties/at 0 (small)"}, nil},
		{"an item that moves, and one that is new", "spec: {items: [{k: x, v: 1}]}", "spec: {items: [{k: z, v: 1}, {k: x, v: 1}]}", false,
			[]string{"spec.items[1]: x-kubernetes-validations at properties/spec/properties/items/items 0 (v)"},
			[]string{"spec.items[0]: x-kubernetes-validations at properties/spec/properties/items/items 0 (v)"}},
		{"an atomic list that stays", "spec: {atomic: [bad]}", "spec: {atomic: [bad], a: b}", false, []string{"spec.atomic[0]: x-kubernetes-validations at properties/spec/properties/atomic/items 0 (bad)"}, nil},
		{"an atomic list that does not", "spec: {atomic: [bad]}", "spec: {atomic: [bad, b]}", false, nil, []string{"spec.atomic[0]: x-kubernetes-validations at properties/spec/properties/atomic/items 0 (bad)"}},
		{"a rule that compares", "spec: {later: 1}", "spec: {later: 1}", false, nil, []string{"spec.later: x-kubernetes-validations at properties/spec/properties/later 0 (later)"}},
		{"an error at run time", "spec: {at: {}}", "spec: {at: {}, a: b}", false, nil, []string{"spec.at: x-kubernetes-validations at properties/spec/properties/at 0 (no such key)"}},
		{"the root, whose metadata is not declared", "root: a", "root: a", false, nil, []string{": x-kubernetes-validations at  0 (no root)"}},
		{"a value with what is not declared", "spec: {free: {d: {}}}", "spec: {free: {d: {}}}", false, nil, []string{"spec.free: x-kubernetes-validations at properties/spec/properties/free 0 (no c)"}},
		{"one without", "spec: {free: {}}", "spec: {free: {}, a: b}", false, []string{"spec.free: x-kubernetes-validations at properties/spec/properties/free 0 (no c)"}, nil},
		{"a spec on an update of the status", "spec: {a: bad}", "status: {s: good}", true, []string{
			"spec.a: x-kubernetes-validations at properties/spec/properties/a 1 (bad)",
			"spec.a: x-kubernetes-validations at properties/spec/properties/a 2 (failed rule: self.size() < 3)"}, nil},
		{"the same status", "status: {s: bad}", "status: {s: bad}", true, []string{"status.s: x-kubernetes-validations at properties/status/properties/s 0 (bad)"}, nil},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			c := contestOf(t, versionOne(schema, status))
			write, compare := c.version.Update, c.update
			if test.status {
				write, compare = c.version.UpdateStatus, c.updateStatus
			}
			o := write(object(t, test.new), object(t, test.old))
			if compare(object(t, test.new), object(t, test.old)); len(c.failures) > 0 {
				t.Error(c.failures[0])
			}
			var before []string // what a server from before ratcheting says
			for _, cause := range toldAll(write(object(t, test.new), object(t, test.old), request.ToRelease(29))) {
				before = append(before, cause[:strings.LastIndex(cause, " (")])
			}
			var warnings []string
			for _, w := range o.Warnings {
				if w.Kind != request.Ratcheted || w.Cause.Composed || w.Cause.Schema == nil || w.Path.String() != w.Cause.Path.String() {
					t.Errorf("warning is %+v", w)
				}
				warnings = append(warnings, told(*w.Cause))
			}
			if causes := toldAll(o); !slices.Equal(warnings, test.warnings) || !slices.Equal(causes, test.causes) || o.Accepted() != (test.causes == nil) {
				t.Errorf("warnings are\n%s\nwant\n%s\nand causes\n%s\nwant\n%s", lines(warnings), lines(test.warnings), lines(causes), lines(test.causes))
			}
			for _, told := range slices.Concat(test.warnings, test.causes) {
				if !slices.Contains(before, told[:strings.LastIndex(told, " (")]) {
					t.Errorf("1.29 does not reject it for\n  %s\n but for\n%s", told, lines(before))
				}
			}
		})
	}
}

// What an update leaves as it was is excused since 1.30, and on an update of the status since 1.33.
func TestRatchetingByRelease(t *testing.T) {
	t.Parallel()
	schema := `{type: object, properties: {spec: {type: object, properties: {a: {type: string, maxLength: 1}, b: {type: string}, c: {type: string, x-kubernetes-validations: [{rule: "self == ''"}]}}},
		status: {type: object, properties: {a: {type: string, maxLength: 1}, b: {type: string}}}}}`
	const ofSchema, ofRule = "spec: {a: long", "spec: {c: full"
	for _, test := range []struct {
		about, old, new  string
		status, unknown  bool
		minor            int
		accepted, warned bool
	}{
		{"the schema, in 1.29", ofSchema + "}", ofSchema + ", b: x}", false, false, 29, false, false},
		{"the schema, in 1.30", ofSchema + "}", ofSchema + ", b: x}", false, false, 30, true, false},
		{"the schema, in the newest", ofSchema + "}", ofSchema + ", b: x}", false, false, 0, true, false},
		{"a rule, in 1.29", ofRule + "}", ofRule + ", b: x}", false, false, 29, false, false},
		{"a rule, in 1.30", ofRule + "}", ofRule + ", b: x}", false, false, 30, true, true},
		{"the status, in 1.32", "status: {a: long}", "status: {a: long, b: x}", true, false, 32, false, false},
		{"the status, in 1.33", "status: {a: long}", "status: {a: long, b: x}", true, false, 33, true, false},
		{"a rule of the spec on an update of the status, in 1.32", ofRule + "}", "status: {b: x}", true, false, 32, false, false},
		{"a rule of the spec on an update of the status, in 1.33", ofRule + "}", "status: {b: x}", true, false, 33, true, true},
		{"the status of an unknown object, in 1.29", "", "status: {a: long}", false, true, 29, false, false},
		{"the status of an unknown object, in 1.30", "", "status: {a: long}", false, true, 30, true, false},
	} {
		v := serveCRD(t, versionOne(schema, status)).Version("v1")
		write, old := v.Update, object(t, test.old)
		if test.status {
			write = v.UpdateStatus
		}
		if test.unknown {
			old = nil
		}
		got := write(object(t, test.new), old, request.ToRelease(test.minor))
		if got.Accepted() != test.accepted || len(got.Warnings) > 0 != test.warned {
			t.Errorf("%s: causes %v, warnings %v", test.about, toldAll(got), got.Warnings)
		}
	}
}

func lines(texts []string) string { return "  " + strings.Join(texts, "\n  ") }
