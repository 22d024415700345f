package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// TestStorageVersions wants programs to be told the storage version on either side.
func TestStorageVersions(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range fixtures(t) {
		if f.rule != "new-version-is-storage" && f.rule != "storage-version-changed" {
			continue
		}
		for _, finding := range f.linter(t).File(f.path, f.src).Findings {
			if finding.Rule.ID == f.rule {
				got = append(got, fmt.Sprintf("%s from %v to %v", f.rule, finding.Old, finding.New))
			}
		}
	}
	want := []string{"new-version-is-storage from v1beta1 to v1", "storage-version-changed from v1beta1 to v1"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLimitsForPrograms wants limits that exclude themselves to be told as the keywords have them.
func TestLimitsForPrograms(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"spec.share": `{"minimum":0} {"exclusiveMinimum":true,"minimum":0}`,
		"spec.grade": `{"exclusiveMaximum":true,"maximum":10} {"exclusiveMaximum":true,"maximum":5}`,
		"spec.step":  `null {"exclusiveMinimum":true,"minimum":0}`,
		"spec.skew":  `{"minimum":0,"multipleOf":null} {"exclusiveMaximum":true,"exclusiveMinimum":true,"maximum":5,"minimum":0,"multipleOf":2}`,
		"spec.rate":  `9223372036854776000 1.5`,
	}
	for _, f := range fixtures(t) {
		if f.rule != "constraint-tightened" || !strings.HasSuffix(f.path, "want-field.yaml") {
			continue
		}
		for _, finding := range f.linter(t).File(f.path, f.src).Findings {
			if got := jsonOf(finding.Old) + " " + jsonOf(finding.New); finding.Rule.ID == f.rule && want[finding.Field] != "" {
				if got != want[finding.Field] {
					t.Errorf("%s: got %s, want %s", finding.Field, got, want[finding.Field])
				}
				delete(want, finding.Field)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no findings about %v", want)
	}
}

// TestManyEnumValues wants one finding for each value that an enum loses, but not thousands.
func TestManyEnumValues(t *testing.T) {
	t.Parallel()
	text := func(values []string) []byte {
		return []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {a: {type: string, enum: [` + strings.Join(values, ", ") + `]}}
`)
	}
	for lost, want := range map[int]int{1: 1, manyValues: manyValues, manyValues + 1: 1} {
		values := make([]string, lost)
		for i := range values {
			values[i] = fmt.Sprintf("x%d", i)
		}
		document := manifest.Parse("old.yaml", text(append(values, "a"))).Documents[0]
		crds, _ := crd.Find(document.Root.YNode())
		l := everyRule()
		l.Old = func(string, string, int) *lint.OldCRD { return &lint.OldCRD{CRD: crds[0], Document: document} }
		got := 0
		for _, f := range l.File("crd.yaml", text([]string{"a"})).Findings {
			if f.Rule.ID == "enum-value-removed" {
				got++
			}
		}
		if got != want {
			t.Errorf("%d values: %d findings, want %d", lost, got, want)
		}
	}
}
