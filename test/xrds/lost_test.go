package xrds

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/google/go-cmp/cmp"
)

// mixed are the mappings of a schema in which Crossplane mixes what it takes over with what it writes. Any other value is taken
// over or lost as a whole.
var mixed = []string{
	"", "properties", "properties/metadata", "properties/metadata/properties", "properties/metadata/properties/name",
	"properties/spec", "properties/spec/properties", "properties/status", "properties/status/properties",
}

// compareLost compares what is told to be lost of an XRD with what is lost. An XRD that is rejected has no CRDs to lose anything.
func compareLost(t testing.TB, src []byte) (differ string) {
	t.Helper()
	x, err := admitted(t, objectOf(t, src))
	if err != nil {
		return ""
	}
	if _, err := makeCRDs(x); err != nil {
		return ""
	}
	want := map[string]bool{}
	for i, version := range x.Spec.Versions {
		schema := map[string]any{}
		if err := json.Unmarshal(version.Schema.OpenAPIV3Schema.Raw, &schema); err != nil {
			t.Fatal(err)
		}
		l := &loser{root: schema, path: crd.Item("spec.versions", i) + ".schema.openAPIV3Schema", told: want}
		l.made = func() (all []any) {
			x.Spec.Versions[i].Schema.OpenAPIV3Schema.Raw = asJSON(t, schema)
			crds, err := makeCRDs(x)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range crds {
				var root any
				if err := json.Unmarshal(asJSON(t, one.Spec.Versions[i].Schema.OpenAPIV3Schema), &root); err != nil {
					t.Fatal(err)
				}
				all = append(all, root)
			}
			return all
		}
		l.below(schema, nil)
	}
	_, problems := byUs(t, src)
	got := map[string]bool{}
	for _, p := range problems {
		if p.Kind != crd.Refused && strings.Contains(p.At.Path, ".openAPIV3Schema") {
			got[p.At.Path] = true
		}
	}
	return cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
}

// A loser finds what is lost of a schema.
type loser struct {
	root map[string]any
	path string
	made func() []any // the schemas of the CRDs, that of claims last
	told map[string]bool
}

// below looks at each entry of a mapping. One is lost of which the CRDs are the same without it, and do not say the same by what
// Crossplane writes there. What the CRD of composite resources says is not looked for in that of claims.
func (l *loser) below(at map[string]any, steps []string) {
	before := l.made()
	for _, key := range slices.Sorted(maps.Keys(at)) {
		value, in := at[key], append(slices.Clone(steps), key)
		isField := len(steps) > 0 && steps[len(steps)-1] == "properties"
		if !says(value) && key != "default" || !isField && !crd.IsSchemaField(key) {
			continue // a rule about CRDs tells unknown keywords
		}
		if deeper, ok := value.(map[string]any); ok && slices.Contains(mixed, strings.Join(in, "/")) {
			l.below(deeper, in)
			continue
		}
		delete(at, key)
		after := l.made()
		at[key] = value
		for i := range before {
			if !reflect.DeepEqual(before[i], after[i]) {
				continue
			}
			if covers(valueAt(before[i], in), value) {
				break
			}
			path := l.path
			for _, step := range in {
				path = crd.Member(path, step)
			}
			l.told[path] = true
		}
	}
}

// says reports whether a value is not as good as none.
func says(value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) > 0
	case map[string]any:
		return len(value) > 0
	}
	return value != nil && value != "" && value != false
}

// covers reports whether a value of a CRD has all that is written in an XRD, but for descriptions.
func covers(made, written any) bool {
	switch written := written.(type) {
	case map[string]any:
		in, ok := made.(map[string]any)
		for key, value := range written {
			if _, text := value.(string); text && key == "description" {
				continue
			}
			ok = ok && in[key] != nil && covers(in[key], value)
		}
		return ok
	case []any:
		in, ok := made.([]any)
		for _, value := range written {
			ok = ok && slices.ContainsFunc(in, func(has any) bool { return covers(has, value) })
		}
		return ok
	}
	return made == written
}

func valueAt(root any, steps []string) any {
	for _, step := range steps {
		in, _ := root.(map[string]any)
		root = in[step]
	}
	return root
}
