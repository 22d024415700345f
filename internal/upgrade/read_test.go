package upgrade_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/upgrade"
)

// two are two versions of a CRD, the second of which is stored.
func two(first, second string) string {
	stored := "served: true, storage: true"
	return strings.Replace(version("v1", first, ""), stored, "served: true, storage: false", 1) + ", " + version("v2", second, "")
}

// spec is the part of a schema that declares fields of spec.
func spec(fields string) string {
	return "properties: {spec: {type: object, properties: {" + fields + "}}}"
}

const webhook = "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://example.com'}}}\n"

// What reads show, and what is written back, decides what an object loses and gets.
func TestRead(t *testing.T) {
	t.Parallel()
	both, first, nullable := "a: {type: string}, b: {type: string}", "a: {type: string}", "a: {type: string, nullable: true}, b: {type: string}"
	for _, test := range []struct {
		about, was, is, conversion string
		stored                     []string
		version, object            string
		want                       []string
	}{
		{about: "nothing changes", was: version("v1", spec(both), ""), is: version("v1", spec(both), ""), object: "spec: {a: x, b: z}"},
		{about: "a field that is not declared any more", was: version("v1", spec(both), ""), is: version("v1", spec(first), ""), object: "spec: {a: x, b: z}",
			want: []string{"lost spec.b"}},
		{about: "one that the object does not have", was: version("v1", spec(both), ""), is: version("v1", spec(first), ""), object: "spec: {a: x}"},
		{about: "one that was kept undeclared", was: version("v1", anySpec, ""), is: version("v1", spec(first), ""), object: "spec: {a: x, c: {d: [1, {e: 2}]}}",
			want: []string{"lost spec.c"}},
		{about: "a null that is not allowed any more", was: version("v1", spec(nullable), ""), is: version("v1", spec(both), ""), object: "spec: {a: null}",
			want: []string{"lost spec.a"}},
		{about: "a new default", was: version("v1", spec(both), ""), is: version("v1", spec("a: {type: string}, b: {type: string, default: z}"), ""), object: "spec: {a: x}",
			want: []string{"default spec.b"}},
		{about: "a new default in the place of a null", was: version("v1", spec(nullable), ""), is: version("v1", spec("a: {type: string, default: z}"), ""), object: "spec: {a: null}",
			want: []string{"default spec.a"}},
		{about: "the version that it is stored in is gone", was: two(spec(both), spec(both)), is: version("v1", spec(both), ""), object: "spec: {a: x}",
			want: []string{"unreadable v2"}},
		{about: "a version that it may be stored in is gone", was: two(spec(both), spec(both)), is: version("v2", spec(both), ""), stored: []string{"v1", "v2"}, version: "v2", object: "spec: {a: x}",
			want: []string{"unreadable v1"}},
		{about: "its version is gone, the stored one is not", was: two(spec(both), spec(both)), is: version("v2", spec("a: {type: string, maxLength: 1}"), ""), object: "spec: {a: xx, b: z}",
			want: []string{"lost spec.b", "changed spec.a: spec.a maxLength", "create v1"}},
		{about: "its version is not served any more", was: two(spec(both), spec(both)), is: strings.Replace(two(spec(both), spec(both)), "served: true", "served: false", 1), object: "spec: {a: x}",
			want: []string{"create v1"}},
		{about: "the new storage version has less", was: version("v1", spec(both), ""), is: two(spec(both), spec(first)), object: "spec: {a: x, b: z}",
			want: []string{"lost spec.b unstored"}},
		{about: "a new version has less", was: version("v2", spec(both), ""), is: two(spec(first), spec(both)), version: "v2", object: "spec: {a: x, b: z}",
			want: []string{"lost spec.b written at v1"}},
		{about: "two versions had as much before", was: two(spec(first), spec(both)), is: two(spec(first), spec(both)), version: "v2", object: "spec: {a: x, b: z}"},
		{about: "only another version becomes stricter", was: two(spec(both), spec(both)), is: two(spec("a: {type: string, maxLength: 1}"), spec(both)), version: "v2", object: "spec: {a: xx}",
			want: []string{"changed spec.a: spec.a maxLength"}},
		{about: "a webhook converts it", was: two(spec(both), spec(both)), is: two(spec(first), spec(both)), conversion: webhook, object: "spec: {a: x, b: z}",
			want: []string{"lost spec.b", "converted v1"}},
		{about: "a webhook converts others", was: two(spec(both), spec(both)), is: two(spec(first), spec(first)), conversion: webhook, version: "v2", object: "spec: {a: x, b: z}",
			want: []string{"lost spec.b"}},
		{about: "a webhook converts it, and its version is gone", was: two(spec(both), spec(both)), is: version("v2", spec(both), ""), conversion: webhook, object: "spec: {a: x}",
			want: []string{"create v1", "converted v1"}},
		{about: "a webhook converts it, and the version that it is stored in is gone", was: two(spec(both), spec(both)), is: version("v1", spec(both), ""), conversion: webhook, object: "spec: {a: x}",
			want: []string{"unreadable v2"}},
		{about: "no version is served any more", was: version("v1", spec(both), ""), is: strings.Replace(version("v1", spec(both), ""), "served: true", "served: false", 1), object: "spec: {a: x}",
			want: []string{"unreadable v1"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			if test.version == "" {
				test.version = "v1"
			}
			r := upgrade.New(serve(t, test.was, test.conversion), serve(t, test.is, test.conversion), test.stored)
			got := r.Of(object(t, test.version, test.object))
			if all := told(got); got.Err != nil || got.Before || !slices.Equal(all, test.want) {
				t.Errorf("effects are\n%s\nwant\n%s\n%v, rejected before %v", strings.Join(all, "\n"), strings.Join(test.want, "\n"), got.Err, got.Before)
			}
		})
	}
}

// An object of a version that the old CRD does not have was never there.
func TestUnknownVersion(t *testing.T) {
	t.Parallel()
	s := serve(t, version("v1", anySpec, ""))
	if got := upgrade.New(s, s, nil).Of(object(t, "v3", "spec: {}")); got.Err == nil || got.Worst() != upgrade.Survives {
		t.Errorf("the prospect is %+v", got)
	}
}
