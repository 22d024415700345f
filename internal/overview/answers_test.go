package overview_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/rules"
)

// times are so many findings of a rule, from a line on.
func times(n int, rule, severity string, line int) (all []string) {
	for i := range n {
		all = append(all, finding(rule, severity, line+i))
	}
	return all
}

// together are the findings of several lists.
func together(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// TestEmpty: without anything to show, the text and the page have no tables.
func TestEmpty(t *testing.T) {
	t.Parallel()
	o := read(t)
	if got, want := o.Text(), "0 of 0 repositories need work.\nNo findings.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := o.Markdown(), "## crdlift report\n\n0 of 0 repositories need work.\n\nNo findings.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := read(t, reportOn("o/a", "v1")).Text(); strings.Contains(got, "severity") || strings.Contains(got, "more rule") {
		t.Errorf("a table of no rules: %s", got)
	}
	if got, want := read(t, `{"version": 1, "plans": [], "repository": "o/a"}`).Text(), "     0         0      0      -  o/a\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}

// TestManyRules: the first ten are named.
func TestManyRules(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{10: "", 11: "and 1 more rule\n", 12: "and 2 more rules\n"} {
		var all []string
		for i := range n {
			all = append(all, finding(fmt.Sprintf("rule-%02d", i), "info", 1))
		}
		o := read(t, reportOn("o/a", "v1", all...))
		got := o.Text()
		if strings.Contains(got, "more rule") != (want != "") || !strings.Contains(got, want) || strings.Count(got, "rule-") != 10 {
			t.Errorf("%d rules: got\n%s", n, got)
		}
		if page := o.Markdown(); strings.Count(page, "\n| <code>rule-") != 10 {
			t.Errorf("%d rules: got\n%s", n, page)
		}
	}
}

// TestUrgentTasks: one rule is named where it has several errors and nearly a third of all.
func TestUrgentTasks(t *testing.T) {
	t.Parallel()
	const begin, undo = "Begin with scope-invalid: it has 3 errors.", "Undo 4 breaking changes to the API, or make them in a new version."
	const plan = "Undo or plan 2 breaking changes of versions."
	for story, test := range map[string]struct {
		findings []string
		want     []string
	}{
		"three of ten":                   {together(times(3, "scope-invalid", "error", 1), times(3, "unknown-field", "error", 1), times(2, "a", "error", 1), times(2, "b", "error", 1)), []string{begin}},
		"three of eleven":                {together(times(3, "scope-invalid", "error", 1), times(3, "unknown-field", "error", 1), times(3, "a", "error", 1), times(2, "b", "error", 1)), nil},
		"one of two":                     {together(times(1, "scope-invalid", "error", 1), times(1, "unknown-field", "error", 1)), nil},
		"the only rule":                  {times(3, "scope-invalid", "error", 1), nil},
		"warnings do not count":          {together(times(3, "scope-invalid", "error", 1), times(5, "unknown-field", "warning", 1)), []string{begin}},
		"what is needed is no change":    {times(2, "requirement-refused", "error", 1), []string{"Install CRDs that have everything that the program needs: they lack 2 requirements."}},
		"what is about a change is not":  {together(times(4, "field-removed", "error", 1), times(3, "scope-invalid", "error", 1)), []string{undo, begin}},
		"warnings about a change":        {together(times(4, "field-removed", "warning", 1), times(1, "scope-invalid", "error", 1)), nil},
		"nothing but what is of changes": {together(times(4, "field-removed", "error", 1), times(1, "scope-invalid", "warning", 1)), []string{undo}},
		"versions, and fields":           {together(times(4, "field-removed", "error", 1), times(2, "version-removed", "error", 1)), []string{plan, undo}},
	} {
		var got []string
		for _, task := range read(t, reportOn("o/a", "v1", test.findings...)).Repositories[0].Tasks() {
			got = append(got, task.Do)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q, want %q", story, got, test.want)
		}
	}
}

// TestToConvert: what findings say of a conversion is what the share and the advice say of it, whether they are ignored or not.
func TestToConvert(t *testing.T) {
	t.Parallel()
	const convert, decide = "Convert 1 CRD to apiextensions.k8s.io/v1.", "Decide about 1 CRD that 'crdlift convert' leaves to you; the reasons are below."
	told := func(is, becomes string) string {
		return strings.Replace(finding("schema-pattern-invalid", "warning", 7), is, becomes, 1)
	}
	said := told(`"m7"`, `"will not convert: the pattern of a is not RE2"`)
	for story, c := range map[string]struct {
		version, finding, want string
	}{
		"nothing in its way":         {"v1beta1", told("", ""), convert},
		"a finding says so":          {"v1beta1", said, decide},
		"an ignored finding says so": {"v1beta1", strings.Replace(said, `"message"`, `"ignored": "a reason", "message"`, 1), decide},
		"its own server rejects it":  {"v1beta1", told(`"message"`, `"refusedBy": "v1beta1", "message"`), decide},
		"it is there":                {"v1", told(`"message"`, `"refusedBy": "v1", "message"`), ""},
	} {
		got := ""
		for _, task := range read(t, reportOn("o/a", c.version, c.finding)).Repositories[0].Tasks() {
			got += task.Do
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", story, got, c.want)
		}
	}
}

// TestPlanned: the rules that a plan answers are there, and about changes.
func TestPlanned(t *testing.T) {
	t.Parallel()
	n := 0
	for _, rule := range rules.All() {
		if overview.IsPlanned(rule.ID) {
			if n++; !rule.AboutChange {
				t.Errorf("%s is not about a change", rule.ID)
			}
		}
	}
	if n != 6 {
		t.Errorf("there are %d", n)
	}
}

// TestVerdicts: the first sentence is about findings, and others are said where there is something to them.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	two := func(findings string) string {
		crd := func(name string) string {
			return fmt.Sprintf(`{"name": "%s.example.com", "file": "a.yaml", "line": 1, "document": 0, "apiVersion": "apiextensions.k8s.io/v1"}`, name)
		}
		return fmt.Sprintf(`{"version": 1, "command": "lint", "findings": [%s], "crds": [%s, %s]}`, findings, crd("foos"), crd("bars"))
	}
	as := func(command, report string) string { return strings.Replace(report, `"lint"`, command, 1) }
	one := finding("scope-invalid", "error", 1)
	for story, test := range map[string]struct {
		report string
		want   []string
	}{
		"nothing found":             {reportOn("o/a", "v1"), []string{"No findings in 1 CRD."}},
		"in all":                    {reportOn("o/a", "v1", one), []string{"1 error in 1 CRD."}},
		"in some":                   {two(one), []string{"1 error in 1 of 2 CRDs."}},
		"in none":                   {two(""), []string{"No findings in 2 CRDs."}},
		"since a revision":          {as(`"breaking", "against": "v1.2"`, two(one)), []string{"1 error in 1 of 2 CRDs since v1.2."}},
		"against, but not breaking": {as(`"lint", "against": "v1.2"`, two(one)), []string{"1 error in 1 of 2 CRDs."}},
		"breaking without":          {as(`"breaking"`, two(one)), []string{"1 error in 1 of 2 CRDs."}},
		"still to convert":          {reportOn("o/a", "v1beta1"), []string{"No findings in 1 CRD.", "0 of 1 CRD (0%) is at apiextensions.k8s.io/v1; 1 to convert."}},
		"converted":                 {as(`"convert"`, reportOn("o/a", "v1")), []string{"1 of 1 CRD (100%) is at apiextensions.k8s.io/v1."}},
		"found by a conversion":     {as(`"convert"`, reportOn("o/a", "v1", one)), []string{"1 of 1 CRD (100%) is at apiextensions.k8s.io/v1.", "1 error of the conversion."}},
		"objects": {`{"version": 1, "command": "validate", "findings": [], "summary": {"objects": 3, "refused": 1}}`,
			[]string{"No findings.", "3 custom resources checked, 1 rejected."}},
		"objects that could not be checked": {`{"version": 1, "command": "validate", "findings": [], "summary": {"objects": 3, "refused": 1, "unjudged": 1}}`,
			[]string{"No findings.", "3 custom resources checked, 1 rejected, 1 that could not be checked."}},
		"tests": {as(`"test"`, strings.TrimSuffix(two(""), "}")+`, "summary": {"cases": 9, "failed": 2, "skipped": 1}}`),
			[]string{"No findings.", "2 of 9 test cases failed, 1 skipped."}},
		"tests that pass": {`{"version": 1, "command": "test", "findings": [], "summary": {"cases": 3, "failed": 0, "skipped": 2}}`,
			[]string{"No findings.", "1 test case passed, 2 skipped."}},
	} {
		if got := read(t, test.report).Repositories[0].Verdict(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q, want %q", story, got, test.want)
		}
	}
}

// TestNumbers: a number may be as large as 2^31, and no larger.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for number, ok := range map[int64]bool{0: true, 1 << 31: true, 1<<31 + 1: false} {
		for _, report := range []string{
			fmt.Sprintf(`{"version": 1, "findings": [], "summary": {"objects": %d}}`, number),
			fmt.Sprintf(`{"version": 1, "findings": [], "summary": {"cases": 1, "failed": 0, "skipped": %d}}`, number),
			fmt.Sprintf(`{"version": 1, "findings": [{"rule": "a", "severity": "error", "count": %d}]}`, number),
		} {
			err := overview.Read(strings.NewReader(report), "a", func(*overview.Run) {})
			if (err == nil) != ok {
				t.Errorf("%s: %v", report, err)
			}
		}
	}
}
