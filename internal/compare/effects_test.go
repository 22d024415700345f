package compare_test

import (
	"fmt"
	"testing"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// scalars are schemas of numbers, texts and booleans.
var scalars = []string{
	"{type: integer}", "{type: integer, minimum: 2}", "{type: integer, minimum: 2, exclusiveMinimum: true}", "{type: integer, minimum: 4}",
	"{type: integer, maximum: 5}", "{type: integer, maximum: 5, exclusiveMaximum: true}", "{type: integer, maximum: 3}", "{type: integer, minimum: 2, maximum: 5}",
	"{type: integer, multipleOf: 2}", "{type: integer, multipleOf: 4}", "{type: integer, multipleOf: 3}", "{type: integer, enum: [2, 3]}", "{type: integer, enum: [3, 2]}",
	"{type: integer, enum: [3, 4]}", "{type: integer, format: int32}", "{type: integer, format: int64}", "{type: integer, not: {minimum: 3}}",
	"{type: integer, anyOf: [{minimum: 5}, {maximum: 2}]}", "{type: integer, anyOf: [{minimum: 5}]}", "{type: integer, allOf: [{minimum: 5}, {maximum: 7}]}",
	"{type: integer, allOf: [{minimum: 5}]}",
	"{type: number}", "{type: number, minimum: 2}", "{type: number, maximum: 2.5}", "{type: number, multipleOf: 0.5}", "{type: number, multipleOf: 0.25}", "{type: number, multipleOf: 1.5}", "{type: number, multipleOf: 4.5}",
	"{type: string}", "{type: string, minLength: 0}", "{type: string, minLength: 1}", "{type: string, minLength: 2}", "{type: string, maxLength: 3}", "{type: string, maxLength: 2}",
	"{type: string, pattern: a}", "{type: string, pattern: ^a}", "{type: string, pattern: ^a+$}", "{type: string, pattern: '^[ab]+$'}", "{type: string, enum: [a, ab]}",
	"{type: string, enum: [a]}", "{type: string, not: {minLength: 2}}", "{type: string, oneOf: [{minLength: 2}, {pattern: ^b}]}", "{type: string, format: date}", "{type: string, format: other}",
	"{type: string, format: password}", "{type: boolean}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, minimum: 3}",
}

// values are those by which these schemas differ.
var values = []any{
	int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4), int64(5), int64(6), int64(7), int64(8), int64(9), int64(12), int64(1 << 40), -0.5, 1.5, 2.25, 2.5, 2.75, 4.5,
	"", "a", "b", "aa", "ab", "ba", "abc", "aaaa", "bbbb", "xyz", "2020-01-01", true,
}

// TestEffects compares what is said of the change from every schema to every other with what a server makes of values: a change
// that does not tighten rejects none that was accepted, and where there is but one change, that which tightens rejects one.
func TestEffects(t *testing.T) {
	t.Parallel()
	accepts := make([][]bool, len(scalars))
	for i, schema := range scalars {
		crds, _, err := behaviour.Decode([]byte(withSpec(schema)))
		if err != nil {
			t.Fatal(err)
		}
		server, err := request.New(crds[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			outcome := server.Version("v1").Admit(request.Object{
				"apiVersion": "example.com/v1", "kind": "Test", "metadata": map[string]any{"name": "a", "namespace": "b"}, "spec": value,
			})
			accepts[i] = append(accepts[i], outcome.Accepted())
		}
	}
	for i, old := range scalars {
		for j, new := range scalars {
			all, err := compare.CRDs(inputs.CRD(t, withSpec(old)), inputs.CRD(t, withSpec(new)))
			if err != nil {
				t.Fatal(err)
			}
			tightens, loosens := false, false
			for _, c := range all.Changes {
				tightens = tightens || c.Effect == compare.Tightens || c.Effect == compare.Either
				loosens = loosens || c.Effect == compare.Loosens || c.Effect == compare.Either
			}
			refused, taken := differ(accepts[i], accepts[j]), differ(accepts[j], accepts[i])
			about := fmt.Sprintf("%s to %s: tightens %t, loosens %t", old, new, tightens, loosens)
			switch {
			case refused != nil && !tightens:
				t.Errorf("%s; %v is rejected", about, refused)
			case taken != nil && !loosens:
				t.Errorf("%s; %v is accepted", about, taken)
			case len(all.Changes) == 1 && (tightens && refused == nil || loosens && taken == nil):
				t.Errorf("%s; no value shows it", about)
			}
		}
	}
}

// differ is a value that is accepted before and not after; nil for none.
func differ(before, after []bool) any {
	for i, value := range values {
		if before[i] && !after[i] {
			return value
		}
	}
	return nil
}
