package changelog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/changelog"
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
)

func manifest(names, versions string) *crd.CRD {
	return crd.Parse([]byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests` + names + `}
  versions:` + versions))[0]
}

func version(name, flags, spec string) string {
	return fmt.Sprintf("\n  - {name: %s, served: true, %s, schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}}", name, flags, spec)
}

func TestOf(t *testing.T) {
	t.Parallel()
	const stored, other = "storage: true", "storage: false"
	for _, test := range []struct {
		about    string
		old, new *crd.CRD
		want     []string
	}{
		{"nothing", manifest("", version("v1", stored, "{type: object}")), manifest("", version("v1", stored, "{type: object, description: new}")), nil},
		{"a field in two versions",
			manifest("", version("v1", stored, "{type: object}")+version("v2", other, "{type: object}")),
			manifest("", version("v1", stored, "{type: object, properties: {a: {type: string, description: The first. The rest.}}}")+
				version("v2", other, "{type: object, properties: {a: {type: string, description: The first. The rest.}}}")),
			[]string{"v1,v2 spec.a added (string): The first. (added)"}},
		{"wider bounds",
			manifest("", version("v1", stored, "{type: object, required: [a], properties: {a: {type: string, maxLength: 1, pattern: ^a$, enum: [a]}}}")),
			manifest("", version("v1", stored, "{type: object, properties: {a: {type: string, maxLength: 2, nullable: true}}}")),
			[]string{"v1 spec.a no longer required (optional)", "v1 spec.a may be null now (loosened)", "v1 spec.a takes any value now (loosened)",
				"v1 spec.a maxLength changed from 1 to 2 (loosened)", "v1 spec.a pattern removed (loosened)"}},
		{"a limit that was excluded",
			manifest("", version("v1", stored, "{type: integer, minimum: 0, exclusiveMinimum: true}")),
			manifest("", version("v1", stored, "{type: integer, minimum: 0}")),
			[]string{"v1 spec has to be at least 0 now (was greater than 0) (loosened)"}},
		{"narrower bounds are no gift",
			manifest("", version("v1", stored, "{type: object, properties: {a: {type: string}}}")),
			manifest("", version("v1", stored, "{type: object, required: [a], properties: {a: {type: string, maxLength: 2}}}")), nil},
		{"versions and names",
			manifest("", version("v1", stored, "{type: object}")),
			manifest(", shortNames: [t]", version("v1", stored+", deprecated: true, deprecationWarning: use v2", "{type: object}")+
				version("v2", other, "{type: object, properties: {a: {type: string}}}")+"\n  - {name: v3, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}"),
			[]string{" short name t added (added)", "v1 deprecated: use v2 (deprecated use v2)", "v2 version added (version-added)"}},
		{"served again",
			manifest("", version("v1", stored, "{type: object}")+strings.Replace(version("v2", other, "{type: object}"), "served: true", "served: false", 1)),
			manifest("", version("v1", stored, "{type: object}")+version("v2", other+", deprecated: true", "{type: object}")),
			[]string{"v2 served again (served)", "v2 deprecated (deprecated)"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			all, err := compare.CRDs(test.old, test.new)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range changelog.Of(all) {
				got = append(got, strings.Join(strings.Fields(strings.Join(a.Versions, ",")+" "+a.Field+" "+a.Text), " ")+" ("+string(a.Kind)+strings.TrimSuffix(" "+a.Warning, " ")+")")
			}
			want := make([]string, 0, len(test.want))
			for _, text := range test.want {
				want = append(want, strings.TrimSpace(text))
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
