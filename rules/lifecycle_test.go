package rules

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
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
			if got := words.JSONOf(finding.Old) + " " + words.JSONOf(finding.New); finding.Rule.ID == f.rule && want[finding.Field] != "" {
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
	text := func(values []string) string { return "type: string, enum: [" + strings.Join(values, ", ") + "]" }
	return fieldApart(t, rule, text(old), text(new))
}

// fieldApart are the findings of a rule about a field that had one schema and has another.
func fieldApart(t *testing.T, rule, old, new string) []*lint.Finding {
	t.Helper()
	text := func(schema string) []byte {
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
        properties: {a: {` + schema + `}}
`)
	}
	l := everyRule()
	l.Old = oldSide("old.yaml", text(old))
	findings := l.File("crd.yaml", text(new)).Findings
	return slices.DeleteFunc(findings, func(f *lint.Finding) bool { return f.Rule.ID != rule })
}

// As many values of an enum are told one by one, and as long a text is told to programs.
const mostValues, longWitness = 500, 256

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
	for lost, want := range map[int]int{1: 1, mostValues: mostValues, mostValues + 1: 1} {
		if got := len(enumsApart(t, "enum-value-removed", append(manyTexts(lost), "a"), []string{"a"})); got != want {
			t.Errorf("%d values: %d findings, want %d", lost, got, want)
		}
	}
}

// TestManyEnumValuesAreASet wants a baseline to accept the values that it was written for: in another order, but no others.
func TestManyEnumValuesAreASet(t *testing.T) {
	t.Parallel()
	all := manyTexts(mostValues + 2)
	backwards := slices.Clone(all[:mostValues+1])
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
			was, is := findings[0].Old, findings[0].New
			if rule == "enum-value-added" {
				was, is = is, was
			}
			if list, _ := was.([]any); len(list) != len(values) || is != nil {
				t.Errorf("%s: programs get %v instead of %v", rule, is, was)
			}
			return findings[0].Path
		}
		accepted := path(all[:mostValues+1])
		if !strings.HasPrefix(accepted, "spec.versions[0].schema.openAPIV3Schema.properties[a].enum[501 values, ") {
			t.Errorf("%s: at %s", rule, accepted)
		}
		if got := path(backwards); got != accepted {
			t.Errorf("%s: in another order it is at %s, not %s", rule, got, accepted)
		}
		if got := path(all); got == accepted {
			t.Errorf("%s: one value more is at the same path, %s", rule, got)
		}
		if got := path(append(slices.Clone(all[:mostValues]), all[mostValues+1])); got == accepted {
			t.Errorf("%s: another value is at the same path, %s", rule, got)
		}
	}
}

// TestLongWitnesses wants a text that shows a change to be told to programs, unless it is very long.
func TestLongWitnesses(t *testing.T) {
	t.Parallel()
	for most, told := range map[int]bool{longWitness - 1: true, longWitness: false} {
		new := fmt.Sprintf("type: string, maxLength: %d", most) // a character more is rejected
		findings := fieldApart(t, "constraint-tightened", "type: string", new)
		if len(findings) != 1 {
			t.Fatalf("%s: %d findings, want 1", new, len(findings))
		}
		if got := findings[0].Witness; (got != nil) != told {
			t.Errorf("%s: programs get %v", new, got)
		}
	}
}

// TestLimitsOfVersions wants a change of an alpha version to be judged as one, though a stable version is served beside it.
func TestLimitsOfVersions(t *testing.T) {
	t.Parallel()
	manifest := func(kept string) []byte {
		text := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions:
`
		for _, name := range []string{"v1", "v1alpha1"} {
			text += fmt.Sprintf(`  - name: %s
    served: true
    storage: %v
    schema:
      openAPIV3Schema:
        type: object
        properties: {a: {type: string, maxLength: %s}}
`, name, name == "v1", kept)
		}
		return []byte(text)
	}
	l := everyRule()
	l.Old = oldSide("old.yaml", manifest("9"))
	got := map[string]lint.Severity{}
	for _, f := range l.File("crd.yaml", manifest("8")).Findings {
		if f.Rule.ID == "constraint-tightened" {
			got[strings.Join(f.Versions, " ")] = f.Severity
		}
	}
	if want := map[string]lint.Severity{"v1": lint.Error, "v1alpha1": lint.Info}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWhereVersionsWere wants the removal of a version in which objects are stored to point to that version.
func TestWhereVersionsWere(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"want.yaml": "- name: v1", "want-status.yaml": "- name: v1beta1"} {
		path := fixtureRoot + "/lifecycle/stored-version-removed/" + file
		old, err := os.ReadFile(strings.Replace(path, "want", "old", 1))
		if err != nil {
			t.Fatal(err)
		}
		lines, seen := strings.Split(string(old), "\n"), 0
		for _, f := range fixtures(t) {
			if f.path != path {
				continue
			}
			for _, finding := range f.report(t).Findings {
				if finding.Rule.ID != f.rule {
					continue
				}
				for _, r := range finding.Related {
					seen++
					if got := strings.TrimSpace(lines[r.Pos.Line-1]); got != want {
						t.Errorf("%s: it was at %s, want %s", file, got, want)
					}
				}
			}
		}
		if seen != 1 {
			t.Errorf("%s: %d places, want 1", file, seen)
		}
	}
}
