package starter_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/starter"
	"github.com/crdlift/crdlift/internal/suite"
)

// TestUnusableValues finds values that a rule ends in an error for whatever else there is, and no others.
func TestUnusableValues(t *testing.T) {
	const mode = "mode: {type: string, enum: [None, Some]}, count: {type: integer, minimum: 1}, names: {type: array, items: {type: string}}"
	rule := func(expression string) string {
		return fmt.Sprintf("{type: object, properties: {%s}, x-kubernetes-validations: [{rule: %q}]}", mode, expression)
	}
	for name, test := range map[string]struct {
		spec  string
		cases string
		want  []string
	}{
		"an optional field without has, and none that is valid": {
			spec: rule("!has(self.mode) || self.mode != 'None' || self.count == 0"),
			want: []string{"spec.mode: None: no such key"},
		},
		"beside another value": {
			spec:  rule("!has(self.mode) || self.mode != 'None' || self.count == 0"),
			cases: "{name: some, set: {spec.mode: Some}}",
			want:  []string{"spec.mode: None: no such key"},
		},
		"the field alone would do": {
			spec: rule("!has(self.mode) || self.mode != 'None' || self.count > 4"),
		},
		"several fields would do": {
			spec: rule("!has(self.mode) || self.mode != 'None' || (self.count > 4 && size(self.names) > 1)"),
		},
		"another rule rejects what this one needs": {
			spec: fmt.Sprintf("{type: object, properties: {%s}, x-kubernetes-validations: [{rule: %q}, {rule: %q}]}", mode,
				"!has(self.mode) || self.mode != 'None' || self.count > 4", "!has(self.count) || self.count < 3"),
		},
		"a rule forbids it on purpose": {
			spec: rule("!has(self.mode) || self.mode != 'None'"),
		},
		"in a list": {
			spec: "{type: object, properties: {all: {type: array, items: " + rule("!has(self.mode) || self.mode != 'None' || self.count == 0") + "}}}",
			want: []string{"spec.all[*].mode: None: no such key"},
		},
		"in a map, of which a case has other entries": {
			spec:  "{type: object, properties: {all: {type: object, additionalProperties: " + rule("!has(self.mode) || self.mode != 'None' || self.count == 0") + "}}}",
			cases: "{name: some, set: {spec.all: {a: {count: 1}, b: {mode: Some}}}}",
			want:  []string{"spec.all[*].mode: None: no such key"},
		},
		"a number": {
			spec: `{type: object, properties: {mode: {type: integer, enum: [1, 2]}, count: {type: integer, minimum: 1}}, x-kubernetes-validations: [{rule: "!has(self.mode) || self.mode != 1 || self.count == 0"}]}`,
			want: []string{"spec.mode: 1: no such key"},
		},
		"by a rule of its own": {
			spec: `{type: object, properties: {mode: {type: string, enum: [a, abc], x-kubernetes-validations: [{rule: "self.substring(0, 2) == 'ab'"}]}}}`,
			want: []string{"spec.mode: a: "},
		},
		"a rule about something else fails for all objects with the list": {
			spec: `{type: object, properties: {mode: {type: string, enum: [a, b]}, count: {type: integer}}, x-kubernetes-validations: [{rule: "!has(self.count) || self.count > 1"}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := define(t, test.spec)
			results := []*suite.Result{{Definition: d, Case: &suite.Case{}}}
			if test.cases != "" {
				results = starter.Run(d, []byte("crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Shelf, spec: {}}\ncases:\n- "+test.cases+"\n"))
			}
			var got []string
			for _, u := range starter.UnusableValues(d, coverage.Of(results, coverage.Options{})[0]) {
				got = append(got, fmt.Sprintf("%s: %s: %s", u.Enum.Field, coverage.Shown(u.Value), u.Rule.Detail))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestUnusableValuesOfAcceptedCases tries none that a case shows to be accepted.
func TestUnusableValuesOfAcceptedCases(t *testing.T) {
	d := define(t, `{type: object, properties: {mode: {type: string, enum: [a, b, c]}, code: {type: string}}, x-kubernetes-validations: [{rule: "self.mode != 'b' || self.code.charAt(3) == 'q' && self.code.upperAscii() == 'ABCQEF'"}]}`)
	base := "crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Shelf, spec: {mode: a}}\ncases:\n- {name: a}\n"
	guess := starter.Run(d, []byte(base))
	if got := starter.UnusableValues(d, coverage.Of(guess, coverage.Options{})[0]); len(got) != 1 {
		t.Fatalf("%+v: the object with b is too easy to find", got)
	}
	results := starter.Run(d, []byte(base+"- {name: b, set: {spec: {mode: b, code: abcqef}}}\n"))
	if len(results) != 2 || !results[1].Passed() {
		t.Fatalf("%+v", results)
	}
	if got := starter.UnusableValues(d, coverage.Of(results, coverage.Options{})[0]); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}
