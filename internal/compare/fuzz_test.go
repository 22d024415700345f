package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// FuzzCRDs compares two manifests, each way and each with itself: the answer is the same each time, its places exist,
// and equal CRDs do not differ.
func FuzzCRDs(f *testing.F) {
	for _, pair := range [][2]string{
		{"{type: object, properties: {a: {type: string, enum: [a, b]}}}", "{type: object, properties: {b: {type: string, pattern: '^(a|b)+$'}}}"},
		{"{type: object, additionalProperties: {type: integer, minimum: 1, exclusiveMinimum: true}}", "{type: object, x-kubernetes-preserve-unknown-fields: true}"},
		{"{type: array, items: {type: object}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]}", "{type: array, maxItems: 1, uniqueItems: true, items: {type: string}}"},
		{"{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", "{type: string, not: {format: date}, oneOf: [{minLength: 1}, {maxLength: 0}]}"},
		{"{type: number, default: 0.1, multipleOf: 0.1, maximum: 1e400}", "{type: number, nullable: true, enum: [.5, null, -0]}"},
		{"{type: string, x-kubernetes-validations: [{rule: 'self != oldSelf', message: m}]}", "{type: [string], default: }"},
		{"&a {properties: {a: *a}}", "{}"},
	} {
		f.Add(withSpec(pair[0]), withSpec(pair[1]))
		older := strings.NewReplacer("/v1\n", "/v1beta1\n", "versions:", "validation: {openAPIV3Schema: {type: object}}\n  versions:").Replace(withSpec(pair[0]))
		f.Add(older, withSpec(pair[1])+"  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: "+pair[0]+"}}}}\n")
	}
	for _, folder := range updates() {
		was, err := os.ReadFile(filepath.Join(folder, "old.yaml"))
		is, err2 := os.ReadFile(filepath.Join(folder, "crd.yaml"))
		if err == nil && err2 == nil {
			f.Add(string(was), string(is))
		}
	}
	f.Fuzz(func(t *testing.T, was, is string) {
		old, now := crd.Parse([]byte(was)), crd.Parse([]byte(is))
		if len(old) == 0 || len(now) == 0 {
			return
		}
		checkComparison(t, old[0], now[0])
		checkComparison(t, now[0], old[0])
		for _, c := range []*crd.CRD{old[0], now[0]} {
			if same, err := compare.CRDs(c, c); err == nil && len(same.Changes) > 0 {
				t.Errorf("it differs from itself: %s", facts(t, c, c))
			}
		}
	})
}

// updates are folders of old and new manifests, beside the corpus.
func updates() []string {
	folders, _ := filepath.Glob(filepath.Join(corpus.Cases(), "extra", "update", "*"))
	return folders
}

func checkComparison(t *testing.T, old, now *crd.CRD) {
	t.Helper()
	first := facts(t, old, now)
	if again := facts(t, old, now); again != first {
		t.Errorf("two answers:\n%s\n%s", first, again)
	}
	all, err := compare.CRDs(old, now)
	if err != nil {
		return
	}
	for _, c := range all.Changes {
		if c.Node == nil {
			continue
		}
		c.Node.Probes()
		if r := c.Node.Refusal(c.Field); r.Found && (!r.Tried || r.None || c.Effect == compare.Loosens) {
			t.Errorf("%s: a value is rejected that was accepted", describe(c))
		}
	}
}
