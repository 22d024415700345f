package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

// enumsApart are the findings of a rule about a field that had some values and has others.
func enumsApart(t *testing.T, rule string, old, new []string) []*lint.Finding {
	t.Helper()
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
	l := everyRule()
	l.Old = oldSide("old.yaml", text(old))
	findings := l.File("crd.yaml", text(new)).Findings
	return slices.DeleteFunc(findings, func(f *lint.Finding) bool { return f.Rule.ID != rule })
}

// manyTexts are values of an enum.
func manyTexts(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf("x%d", i)
	}
	return values
}

// TestManyEnumValues wants one finding for each value that an enum loses, but not thousands.
func TestManyEnumValues(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int]int{1: 1, manyValues: manyValues, manyValues + 1: 1} {
		if got := len(enumsApart(t, "enum-value-removed", append(manyTexts(lost), "a"), []string{"a"})); got != want {
			t.Errorf("%d values: %d findings, want %d", lost, got, want)
		}
	}
}

// TestManyEnumValuesAreASet wants a baseline to accept the values that it was written for: in another order, but no others.
func TestManyEnumValuesAreASet(t *testing.T) {
	t.Parallel()
	all := manyTexts(manyValues + 2)
	backwards := slices.Clone(all[:manyValues+1])
	slices.Reverse(backwards)
	for _, rule := range []string{"enum-value-removed", "enum-value-added"} {
		path := func(values []string) string {
			old, new := append(slices.Clone(values), "a"), []string{"a"}
			if rule == "enum-value-added" {
				old, new = new, old
			}
			findings := enumsApart(t, rule, old, new)
			if len(findings) != 1 {
				t.Fatalf("%s: %d findings, want 1", rule, len(findings))
			}
			return findings[0].Path
		}
		accepted := path(all[:manyValues+1])
		if !strings.HasPrefix(accepted, "spec.versions[0].schema.openAPIV3Schema.properties[a].enum[501 values, ") {
			t.Errorf("%s: at %s", rule, accepted)
		}
		if got := path(backwards); got != accepted {
			t.Errorf("%s: in another order it is at %s, not %s", rule, got, accepted)
		}
		if got := path(all); got == accepted {
			t.Errorf("%s: one value more is at the same path, %s", rule, got)
		}
		if got := path(append(slices.Clone(all[:manyValues]), all[manyValues+1])); got == accepted {
			t.Errorf("%s: another value is at the same path, %s", rule, got)
		}
	}
}
