package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// linted returns the toy rules' report on repo/a.yaml, given a baseline at repo/baseline.yaml.
func linted(t *testing.T, baseline, config, src string) *lint.Report {
	t.Helper()
	l := &Linter{Rules: toyRules(), Options: lint.Options{Config: mustRead(t, "repo/.crdlift.yaml", config)}}
	if baseline != "" {
		b, err := suppress.ReadBaseline("repo/baseline.yaml", []byte(baseline), l.known())
		if err != nil {
			t.Fatalf("%v\n%s", err, baseline)
		}
		l.Baseline = b
	}
	return l.Report([]*FileReport{l.File("repo/a.yaml", []byte(src))})
}

func TestBaseline(t *testing.T) {
	t.Parallel()
	numbers := toyCRD("crds.example.com", "type: object\nproperties:\n  a: {type: number}\n  b: {}")
	baseline := string(suppress.WriteBaseline("repo/baseline.yaml", linted(t, "", "", numbers), nil))
	if diff := cmp.Diff("# Findings that crdlift lint skips; findings that are not listed here are new.\n"+
		"# `crdlift lint --write-baseline` writes this file.\n"+`version: 1
files:
  - path: a.yaml
    findings:
      - {rule: schema-float, resource: crds.example.com, path: "spec.versions[0].schema.openAPIV3Schema.properties[a].type"}
      - {rule: schema-type-missing, resource: crds.example.com, path: "spec.versions[0].schema.openAPIV3Schema.properties[b]"}
`, baseline); diff != "" {
		t.Fatal(diff)
	}
	for _, test := range []struct {
		story, config, src string
		want               []string
		gone               int
	}{
		{"what was there is ignored", "", numbers, []string{"12:21 schema-float ignored: baseline", "13:11 schema-type-missing ignored: baseline"}, 0},
		{"wherever it stands now", "", "# new\n\n" + numbers, []string{"14:21 schema-float ignored: baseline", "15:11 schema-type-missing ignored: baseline"}, 0},
		{"what is new is not", "", strings.Replace(numbers, "type: object", "type: number", 1),
			[]string{"10:15 schema-float", "12:21 schema-float ignored: baseline", "13:11 schema-type-missing ignored: baseline"}, 0},
		{"what is gone is counted", "", strings.Replace(numbers, "number", "integer", 1), []string{"13:11 schema-type-missing ignored: baseline"}, 1},
		{"what a comment ignores as well is not needed any more", "", strings.Replace(numbers, "b: {}", "b: {} # crdlift:ignore schema-type-missing -- any", 1),
			[]string{"12:21 schema-float ignored: baseline", "13:11 schema-type-missing ignored: any"}, 1},
		{"of rules that are off nothing is known", "rules: {schema-float: off}", numbers, []string{"13:11 schema-type-missing ignored: baseline"}, 0},
		{"a second one in the same place is new", "", numbers + "---\n" + numbers,
			[]string{"12:21 schema-float ignored: baseline", "13:11 schema-type-missing ignored: baseline", "27:21 schema-float", "28:11 schema-type-missing"}, 0},
	} {
		t.Run(test.story, func(t *testing.T) {
			t.Parallel()
			r := linted(t, baseline, test.config, test.src)
			if diff := cmp.Diff(test.want, told(r)); diff != "" {
				t.Errorf("%s\n%s", diff, test.src)
			}
			if r.BaselineGone != test.gone {
				t.Errorf("%d are gone, want %d", r.BaselineGone, test.gone)
			}
			again := suppress.WriteBaseline("repo/baseline.yaml", r, nil)
			for _, f := range linted(t, string(again), test.config, test.src).Findings {
				if f.Ignored == "" {
					t.Errorf("the baseline written anew does not have %s at line %d", f.Rule.ID, f.Pos.Line)
				}
			}
		})
	}
}

// TestFormerNames: an earlier id means the present one wherever a rule is named, and each is reported once.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	number := toyCRD("crds.example.com", "type: number")
	for name, test := range map[string]struct {
		baseline, config, src string
		told, renamed         []string
	}{
		"nowhere":      {"", "", number, []string{"10:15 schema-float"}, nil},
		"switched off": {"", "rules: {schema-number: off}", number, nil, []string{"schema-number"}},
		"overridden":   {"", "overrides: [{paths: ['*'], rules: {schema-number: off}}]", number, nil, []string{"schema-number"}},
		"ignored":      {"", "ignore: [{rule: schema-double, reason: old}]", number, []string{"10:15 schema-float (old)"}, []string{"schema-double"}},
		"in a comment": {"", "", toyCRD("crds.example.com", "type: number # crdlift:ignore schema-number -- old"), []string{"10:15 schema-float (old)"}, []string{"schema-number"}},
		"in the baseline": {"version: 1\nfiles: [{path: a.yaml, findings: [{rule: schema-number, resource: crds.example.com, path: 'spec.versions[0].schema.openAPIV3Schema.type'}]}]",
			"", number, []string{"10:15 schema-float (baseline)"}, []string{"schema-number"}},
		"everywhere": {"version: 1\nfiles: [{path: a.yaml, findings: [{rule: schema-number}]}]", "rules: {schema-number: info}\nignore: [{rule: schema-double, reason: old}]",
			toyCRD("crds.example.com", "type: number # crdlift:ignore schema-number -- old"), []string{"10:15 schema-float (old)"}, []string{"schema-double", "schema-number"}},
	} {
		r := linted(t, test.baseline, test.config, test.src)
		if !slices.Equal(r.Renamed, test.renamed) {
			t.Errorf("%s: renamed are %s", name, r.Renamed)
		}
		var told []string
		for _, f := range r.Findings {
			text := fmt.Sprintf("%d:%d %s", f.Pos.Line, f.Pos.Column, f.Rule.ID)
			if f.Ignored != "" {
				text += " (" + f.Ignored + ")"
			}
			told = append(told, text)
		}
		if diff := cmp.Diff(test.told, told); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestBaselineOfUnusedIgnores: findings in the configuration file can be in a baseline as well.
func TestBaselineOfUnusedIgnores(t *testing.T) {
	t.Parallel()
	const config = "ignore: [{file: a.yaml, rule: schema-float, reason: old}]"
	src := toyCRD("a", "type: string # crdlift:ignore schema-float -- old")
	first := linted(t, "", config, src)
	if diff := cmp.Diff([]string{"10:39 ignore-unused", "1:11 ignore-unused"}, told(first)); diff != "" {
		t.Fatal(diff)
	}
	for _, f := range linted(t, string(suppress.WriteBaseline("repo/baseline.yaml", first, nil)), config, src).Findings {
		if f.Ignored != "baseline" {
			t.Errorf("%s:%d is new", f.Pos.File, f.Pos.Line)
		}
	}
}

func TestEmptyBaseline(t *testing.T) {
	t.Parallel()
	if _, err := suppress.ReadBaseline("x", suppress.WriteBaseline("x", &lint.Report{}, nil), nil); err != nil {
		t.Error(err)
	}
}
