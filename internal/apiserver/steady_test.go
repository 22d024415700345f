package apiserver_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// specOf is a CRD with a schema for spec.
func specOf(schema string) string {
	return strings.Replace(takenCRD, "{type: object, properties: {PROPERTIES}}", schema, 1)
}

// dear is a field with a rule that takes nearly all of what one rule may cost.
func dear(name string, items int) string {
	return fmt.Sprintf(`%s: {type: array, maxItems: %d, items: {type: string, maxLength: 1000}, x-kubernetes-validations: [{rule: "self.all(e, e.contains('abc'))", message: m}]}`, name, items)
}

// dearFields are fields whose rules cost too much together.
func dearFields(items func(i int) int) string {
	var all []string
	for i := range 12 {
		all = append(all, dear(fmt.Sprintf("f%02d", i), items(i)))
	}
	return "{type: object, properties: {" + strings.Join(all, ", ") + "}}"
}

// sharing are the schemas of a field whose rules cost too much together, and the fields that are blamed for it.
var sharing = map[string]struct{ spec, want string }{
	"all cost the same": {dearFields(func(int) int { return 24000 }), "f00 f01 f02 f03"},
	"some cost more":    {dearFields(func(i int) int { return 23000 + 100*(i%6) }), "f04 f05 f10 f11"},
	"one costs more":    {dearFields(func(i int) int { return 23000 + i/11 }), "f00 f01 f02 f11"},
}

// TestSteadyShares: of rules that are equally to blame for the costs of all of them, the same are named each time; those that
// cost more are named anyway, as upstream does.
func TestSteadyShares(t *testing.T) {
	t.Parallel()
	for name, tt := range sharing {
		d, err := inputs.CRD(t, specOf(tt.spec)).Decode()
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			var fields []string
			for _, err := range apiserver.OnCreate(d.Hub, crd.V1).Errors {
				if strings.HasPrefix(err.Detail, "contributed to") {
					_, name, _ := strings.Cut(err.Field, "[f")
					fields = append(fields, "f"+name[:2])
				}
			}
			if got := strings.Join(fields, " "); got != tt.want {
				t.Fatalf("%s: %s are blamed, want %s", name, got, tt.want)
			}
		}
		var root string
		var told []string
		for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), d.Hub) {
			if strings.HasPrefix(err.Detail, "contributed to") {
				root, told = strings.SplitAfter(err.Field, "openAPIV3Schema")[0], append(told, err.Field)
			}
		}
		all := apiserver.Shares(d.Hub, root)
		if !slices.IsSortedFunc(all, func(a, b apiserver.Share) int { return cmp.Compare(b.Cost, a.Cost) }) || len(all) != 12 || len(told) != 4 {
			t.Fatalf("%s: %d shares, of which upstream tells %d", name, len(all), len(told))
		}
		for _, field := range told {
			if i := slices.IndexFunc(all, func(s apiserver.Share) bool { return s.Field == field }); i < 0 || all[i].Cost < all[3].Cost {
				t.Errorf("%s: upstream tells %s, which is not among the dearest", name, field)
			}
		}
	}
}

// TestSteady judges the fixtures, and what upstream tells in the order of its maps, again and again: each time, it is the same.
func TestSteady(t *testing.T) {
	t.Parallel()
	all := slices.Concat(fixtures(t, "v1"), fixtures(t, "v1beta1"))
	for name, spec := range map[string]string{
		"two mistakes in an embedded resource":  `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: 1, kind: 2, metadata: [3]}}`,
		"several embedded resources":            `{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}, b: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}, default: {b: [{kind: 1}], a: {kind: 2}}}`,
		"several mistakes in metadata":          `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object, default: {name: A_B, labels: {"a b": c, "d e": f, "g, h": i}, annotations: {"a b": c, "x y": z}}}}}`,
		"several labels":                        `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: Pod, metadata: {labels: {"a b": c, "d e": f, "g h": i}}}}`,
		"as many rules that are equally costly": sharing["all cost the same"].spec,
	} {
		all = append(all, fixture{name: name, crd: inputs.CRD(t, specOf(spec))})
	}
	for _, f := range all {
		d, err := f.crd.Decode()
		if err != nil {
			continue
		}
		say := func() string {
			var out strings.Builder
			v := apiserver.OnCreate(d.Hub, f.crd.Version)
			for _, err := range v.Errors {
				fmt.Fprintln(&out, err)
			}
			return out.String() + v.Panic
		}
		first := say()
		if f.want == nil && first == "" {
			t.Errorf("%s: nothing is rejected", f.name)
		}
		for range 8 {
			if again := say(); again != first {
				t.Errorf("%s: one time\n%s\nand another\n%s", f.name, first, again)
				break
			}
		}
	}
}

// TestSteadySelf: the type of self has the same name each time.
func TestSteadySelf(t *testing.T) {
	t.Parallel()
	d, err := inputs.CRD(t, specOf(`{type: object, x-kubernetes-validations: [{rule: self > 1}]}`)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	if told := fmt.Sprint(apiserver.OnCreate(d.Hub, crd.V1).Errors); !strings.Contains(told, "applied to '(self, int)'") {
		t.Errorf("got %s", told)
	}
}
