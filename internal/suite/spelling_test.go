package suite

import (
	"slices"
	"strings"
	"testing"
)

// told are what servers of some release say, and what the newest says of the same.
var told = []struct{ about, old, now string }{
	{"a text that is too long", "spec.a: Too long: may not be longer than 3", "spec.a: Too long: may not be more than 3 bytes"},
	{"the type instead of the value", `spec.a: Invalid value: "string": a must be short`, `spec.a: Invalid value: "long": a must be short`},
	{"the type instead of nothing", `spec: Invalid value: "object": a needs b`, "spec: Invalid value: a needs b"},
	{"the end of a text", `<nil>: Invalid value: "null"`, "<nil>: Invalid value: null: some validation rules were not checked because"},
	{"a text that begins with the type", `"string": a must be short`, `spec.a: Invalid value: "long": a must be short`},
	{"a number that is no integer", `spec.n in body must be of type integer: "number"`, `spec.n: Invalid value: "float64": spec.n in body must be of type int32: "float64"`},
	{"an object of a set", `spec.l[1]: Duplicate value: map[string]interface {}{"a":"b", "c":"d"}`, `spec.l[1]: Duplicate value: {"a":"b","c":"d"}`},
	{"blanks", "spec.a: Required  value\n", "spec.a: Required value"},
}

// Each spelling is needed for one of the texts.
func TestSpellings(t *testing.T) {
	same := func(i int) bool { return strings.Contains(spelled(told[i].now), spelled(told[i].old)) }
	for i, one := range told {
		if !same(i) {
			t.Errorf("%s: %q is %q, which is not in %q", one.about, one.old, spelled(one.old), spelled(one.now))
		}
	}
	all := spellings
	defer func() { spellings = all }()
	for i, s := range all {
		spellings = slices.Delete(slices.Clone(all), i, i+1)
		needed := false
		for j := range told {
			needed = needed || !same(j)
		}
		if !needed {
			t.Errorf("no text needs the spelling of %s", s.about)
		}
		if s.releases == "" {
			t.Errorf("no release has the spelling of %s", s.about)
		}
	}
}

// What differs in more than the spelling is not the same.
func TestSpelledOtherwise(t *testing.T) {
	for _, test := range []struct{ about, want, cause string }{
		{"another place", `spec.b: Invalid value: "string": a must be short`, `spec.a: Invalid value: "long": a must be short`},
		{"another message", `spec.a: Invalid value: "string": a must be long`, `spec.a: Invalid value: "long": a must be short`},
		{"another length", "spec.a: Too long: may not be longer than 4", "spec.a: Too long: may not be more than 3 bytes"},
		{"another member of a set", `Duplicate value: map[string]interface {}{"a":"c"}`, `spec.l[1]: Duplicate value: {"a":"b"}`},
		{"another value of an enum", `spec.a: Unsupported value: "c": supported values: "a"`, `spec.a: Unsupported value: "b": supported values: "a"`},
		{"another type", `spec.n in body must be of type string: "number"`, `spec.n: Invalid value: "float64": spec.n in body must be of type int32: "float64"`},
	} {
		if strings.Contains(spelled(test.cause), spelled(test.want)) {
			t.Errorf("%s: %q is taken for %q", test.about, test.want, test.cause)
		}
	}
}

// A text of several causes is looked for in each.
func TestPieces(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"a must be short", []string{"a must be short"}},
		{`Jar.example.com "test" is invalid: spec.a: Required value`, []string{"spec.a: Required value"}},
		{"invalid: spec.a: Required value", []string{"spec.a: Required value"}},
		{`is invalid: [spec.a: Required value, spec.b: Too long: may not be more than 3 bytes]`, []string{"spec.a: Required value", "spec.b: Too long: may not be more than 3 bytes"}},
		{"[spec.a: Required value,", []string{"spec.a: Required value"}},
		{"spec.a: Required value, <nil>", []string{"spec.a: Required value", "<nil>"}},
		{"spec.a: Required value, <nil>:", []string{"spec.a: Required value", "<nil>:"}},
		{`spec.a: Required value, <nil>: Invalid value: "null"`, []string{"spec.a: Required value", `<nil>: Invalid value: "null"`}},
		{"[0].a: Required value", []string{"[0].a: Required value"}},
		{"spec.l[0]: Invalid value: one, two: three", []string{"spec.l[0]: Invalid value: one, two: three"}},
		{"items[0]", []string{"items[0]"}},
	} {
		if got := pieces(test.text); !slices.Equal(got, test.want) {
			t.Errorf("the pieces of %q are %q, want %q", test.text, got, test.want)
		}
	}
}
