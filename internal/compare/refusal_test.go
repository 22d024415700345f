package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// TestRefusal looks for the smallest value that is rejected now, and for the proof that there is none.
func TestRefusal(t *testing.T) {
	t.Parallel()
	const name = "'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'"
	for _, test := range []struct{ about, old, new, field, want string }{
		{"a shorter text", "{type: string, maxLength: 253}", "{type: string, maxLength: 63}", "maxLength", "64 characters"},
		{"a shorter text that matches", "{type: string, maxLength: 253, pattern: " + name + "}", "{type: string, maxLength: 63, pattern: " + name + "}", "maxLength", "64 characters"},
		{"parts of a length", "{type: string, pattern: '^([a-z]{3}-)+$'}", "{type: string, pattern: '^([a-z]{3}-)+$', maxLength: 8}", "maxLength", "12 characters"},
		{"a longer text", "{type: string}", "{type: string, minLength: 1}", "minLength", `""`},
		{"a smaller number", "{type: integer, maximum: 9}", "{type: integer, maximum: 7}", "maximum", "8"},
		{"a larger number", "{type: integer}", "{type: integer, minimum: 10}", "minimum", "9"},
		{"a fraction", "{type: number}", "{type: number, minimum: 0}", "minimum", "-0.5"},
		{"an enum", "{type: string}", "{type: string, enum: [a, b]}", "enum", `"A"`},
		{"an enum without the empty text", "{type: string, enum: [a, '']}", "{type: string, enum: [a]}", "enum", `""`},
		{"a pattern", "{type: string}", "{type: string, pattern: '^b'}", "pattern", `"a"`},
		{"a pattern that all values of an enum match", "{type: string, enum: [System]}", "{type: string, pattern: ^S, maxLength: 9}", "pattern", "none"},
		{"a length that all values of an enum have", "{type: string, enum: [System]}", "{type: string, pattern: ^S, maxLength: 9}", "maxLength", "none"},
		{"a pattern that one value of an enum does not match", "{type: string, enum: [System, Other]}", "{type: string, pattern: ^S}", "pattern", `"Other"`},
		{"all integers between bounds", "{type: integer, minimum: 3, maximum: 10}", "{type: integer, enum: [10, 3, 4, 5, 6, 7, 8, 9]}", "enum", "none"},
		{"all integers between excluded bounds", "{type: integer, minimum: 3, exclusiveMinimum: true, maximum: 5.5}", "{type: integer, enum: [4, 5]}", "enum", "none"},
		{"an enum that leaves out an integer", "{type: integer, minimum: 3, maximum: 10}", "{type: integer, enum: [3, 4, 5, 7, 8, 9, 10]}", "enum", "6"},
		{"the same as bounds", "{type: integer, enum: [3, 4, 5]}", "{type: integer, minimum: 3, maximum: 5}", "minimum", "none"},
		{"bounds that leave out an integer", "{type: integer, enum: [3, 4, 6]}", "{type: integer, minimum: 3, maximum: 5}", "maximum", "6"},
		{"the multiples between bounds", "{type: integer, minimum: 0, maximum: 900, multipleOf: 300}", "{type: integer, enum: [0, 300, 600, 900]}", "enum", "none"},
		{"numbers between bounds", "{type: number, minimum: 3, maximum: 5}", "{type: number, enum: [3, 5]}", "enum", "4"},
		{"null besides", "{type: integer, nullable: true, minimum: 1, maximum: 2}", "{type: integer, nullable: true, enum: [1, 2]}", "enum", "<nil>"},
		{"null that is dropped now", "{type: integer, nullable: true, minimum: 1, maximum: 2}", "{type: integer, enum: [1, 2]}", "enum", "none"},
		{"both booleans", "{type: boolean}", "{type: boolean, enum: [true, false]}", "enum", "none"},
		{"one boolean", "{type: boolean}", "{type: boolean, enum: [true]}", "enum", "false"},
		{"null besides booleans", "{type: boolean, nullable: true}", "{type: boolean, nullable: true, enum: [true, false]}", "enum", "<nil>"},
		{"too many integers to try", "{type: integer, minimum: 1, maximum: 65535}", "{type: integer, enum: [1, 65535]}", "enum", "2"},
		{"bounds the wrong way round", "{type: integer, minimum: 5, maximum: 3}", "{type: integer, enum: [9]}", "enum", "not found"},
		{"line breaks", "{type: string, pattern: '^(http|ssh)://'}", "{type: string, pattern: '^(http|ssh)://.*$'}", "pattern", "unprintable"},
		{"line breaks in what was free", "{type: string}", "{type: string, pattern: '^.*$'}", "pattern", "unprintable"},
		{"line breaks among others", "{type: string, pattern: '^a'}", "{type: string, pattern: '^a.$'}", "pattern", `"a"`},
		{"objects", "{type: object}", "{type: object, maxProperties: 1}", "maxProperties", "not tried"},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			all, err := compare.CRDs(inputs.CRD(t, withSpec(test.old)), inputs.CRD(t, withSpec(test.new)))
			if err != nil {
				t.Fatal(err)
			}
			got := "no such change"
			for _, c := range all.Changes {
				if c.Field == test.field {
					got = refusal(c.Node.Refusal(c.Field))
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func refusal(r compare.Refusal) string {
	text, isText := r.Witness.(string)
	switch {
	case !r.Tried:
		return "not tried"
	case r.None:
		return "none"
	case r.Unprintable:
		return "unprintable"
	case !r.Found:
		return "not found"
	case isText && len(text) > 8:
		return fmt.Sprintf("%d characters", len(text))
	case isText:
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(r.Witness)
}

// TestRefusalOfSeveral looks for one value that several keywords reject.
func TestRefusalOfSeveral(t *testing.T) {
	t.Parallel()
	all, err := compare.CRDs(inputs.CRD(t, withSpec("{type: string}")), inputs.CRD(t, withSpec("{type: string, minLength: 1, maxLength: 63, pattern: '^[a-z]+$'}")))
	if err != nil {
		t.Fatal(err)
	}
	if got := refusal(all.Changes[0].Node.Refusal("minLength", "maxLength", "pattern")); got != `""` {
		t.Errorf("got %s", got)
	}
}

// TestFromKubernetes tells changes that come with a new version of k8s.io/api from those of the CRD's own.
func TestFromKubernetes(t *testing.T) {
	t.Parallel()
	const selector = "{type: object, properties: {matchLabels: {type: object}, matchExpressions: {type: array, items: {type: object}}}%s}"
	const reference = "{type: object, properties: {name: {type: string%s}, key: {type: string}, optional: {type: boolean}}}"
	const env = "{type: object, properties: {env: {type: array%s, items: {type: object, required: [name], properties: {name: {type: string}}}}}}"
	const own = "{type: object, properties: {zone: {type: string%s}}%s}"
	for _, test := range []struct {
		about, old, new string
		known, inPod    bool
	}{
		{"a selector", fmt.Sprintf(selector, ""), fmt.Sprintf(selector, ", x-kubernetes-map-type: atomic"), true, false},
		{"a selector back", fmt.Sprintf(selector, ", x-kubernetes-map-type: atomic"), fmt.Sprintf(selector, ""), false, false},
		{"a name", fmt.Sprintf(reference, ""), fmt.Sprintf(reference, ", default: ''"), true, false},
		{"a name with a default of its own", fmt.Sprintf(reference, ""), fmt.Sprintf(reference, ", default: a"), false, false},
		{"env", fmt.Sprintf(env, ""), fmt.Sprintf(env, ", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]"), false, true},
		{"env as a set", fmt.Sprintf(env, ""), fmt.Sprintf(env, ", x-kubernetes-list-type: set"), false, false},
		{"a type of its own", fmt.Sprintf(own, "", ""), fmt.Sprintf(own, "", ", x-kubernetes-map-type: atomic"), false, false},
		{"a default of its own", fmt.Sprintf(own, "", ""), fmt.Sprintf(own, ", default: ''", ""), false, false},
	} {
		t.Run(strings.ReplaceAll(test.about, " ", "-"), func(t *testing.T) {
			t.Parallel()
			all, err := compare.CRDs(inputs.CRD(t, withSpec(test.old)), inputs.CRD(t, withSpec(test.new)))
			if err != nil || len(all.Changes) != 1 {
				t.Fatal(len(all.Changes), err)
			}
			if c := all.Changes[0]; c.FromKubernetes() != test.known || c.MergesAsInPod() != test.inPod {
				t.Errorf("%s: %v, %v", describe(c), c.FromKubernetes(), c.MergesAsInPod())
			}
		})
	}
}

// TestWitnessBound: of values that are as many as their schemas are large, the first are tried, up to the limit. The only value that
// is rejected is the last: it is found among few, and not known of many.
func TestWitnessBound(t *testing.T) {
	t.Parallel()
	for values, want := range map[int]string{500: "500", 2000: "not found"} {
		var enum strings.Builder
		for i := range values {
			fmt.Fprintf(&enum, "%d, ", i+1)
		}
		short := strings.TrimSuffix(enum.String(), fmt.Sprintf("%d, ", values))
		all, err := compare.CRDs(inputs.CRD(t, withSpec("{type: integer, enum: ["+enum.String()+"]}")), inputs.CRD(t, withSpec("{type: integer, enum: ["+short+"]}")))
		if err != nil {
			t.Fatal(err)
		}
		if got := refusal(all.Changes[0].Node.Refusal("enum")); got != want {
			t.Errorf("of %d values: got %s, want %s", values, got, want)
		}
	}
}
