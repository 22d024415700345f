package overview_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// finding is one in JSON.
func finding(rule, severity string, line int) string {
	return fmt.Sprintf(`{"rule": %q, "severity": %q, "message": "m%d", "file": "a.yaml", "line": %d, "column": 1, "document": 0, "resource": "foos.example.com"}`, rule, severity, line, line)
}

// reportOn is a report in JSON.
func reportOn(repository, apiVersion string, findings ...string) string {
	return fmt.Sprintf(`{"version": 1, "command": "lint", "repository": %q, "findings": [%s],
		"crds": [{"name": "foos.example.com", "file": "a.yaml", "line": 1, "document": 0, "apiVersion": "apiextensions.k8s.io/%s"}],
		"summary": {"files": 1}}`, repository, strings.Join(findings, ","), apiVersion)
}

func read(t testing.TB, reports ...string) *overview.Overview {
	t.Helper()
	var all overview.Builder
	for i, r := range reports {
		if err := overview.Read(strings.NewReader(r), fmt.Sprintf("report-%d", i), all.Add); err != nil {
			t.Fatal(err)
		}
	}
	return all.Overview()
}

// TestMerge tests the order of repositories and rules, and the counts.
func TestMerge(t *testing.T) {
	t.Parallel()
	o := read(t,
		reportOn("o/quiet", "v1"),
		reportOn("o/old", "v1beta1", finding("names-kind-convention", "warning", 1)),
		reportOn("o/broken", "v1", finding("scope-invalid", "error", 1), finding("scope-invalid", "error", 2)),
		reportOn("o/broken", "v1", finding("default-invalid", "error", 3)), // another run over the same CRD
	)
	got := o.Text()
	const want = `2 of 3 repositories need work.
3 errors and 1 warning.
2 of 3 CRDs (66%) are at apiextensions.k8s.io/v1; 1 to convert.

 findings  repositories  severity  rule
        2             1  error     scope-invalid
        1             1  error     default-invalid
        1             1  warning   names-kind-convention

errors  warnings   CRDs  at v1  repository
     3         0      1   100%  o/broken
     0         1      1     0%  o/old
     0         0      1   100%  o/quiet
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDetails tests that findings are kept for one repository and counted for several, also those read after the others.
func TestDetails(t *testing.T) {
	t.Parallel()
	one := reportOn("o/a", "v1", finding("scope-invalid", "error", 1))
	if r := read(t, one).Repositories[0]; len(r.Rules()[0].Messages()) != 1 || len(r.CRDs[0].Rules()) != 1 {
		t.Errorf("of one repository, the findings are not kept: %+v", r.Rules()[0])
	}
	for _, r := range read(t, one, reportOn("o/b", "v1", finding("scope-invalid", "error", 1)), one).Repositories {
		if rule := r.Rules()[0]; len(rule.Messages()) != 0 || len(r.CRDs[0].Rules()) != 0 {
			t.Errorf("of several repositories, the findings of %s are kept", r.Name)
		}
	}
}

// TestBounds tests that many findings are counted where they are not kept.
func TestBounds(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 3000 {
		many = append(many, finding("scope-invalid", "error", i%100+1))
	}
	rule := read(t, reportOn("o/a", "v1", many...)).Repositories[0].Rules()[0]
	kept, told := 0, 0
	for _, m := range rule.Messages() {
		kept += len(m.Places)
		told += m.Count
	}
	if rule.Count != 3000 || told != 1500 || kept != 500 {
		t.Errorf("of 3000 findings, %d are counted, %d told of, %d kept", rule.Count, told, kept)
	}
}

// TestNoReport tests texts that no command wrote: they say what is wrong, and never make a run.
func TestNoReport(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		``:                               "is empty",
		`[]`:                             "is not a report of crdlift",
		`{}`:                             "is not a report of crdlift",
		`{"version": 1, "a": [{}]}`:      "is not a report of crdlift",
		`nonsense`:                       "is not JSON",
		`{"version": 2, "plans": []}`:    "is a report of version 2, and this crdlift reads version 1; update crdlift",
		`{"version": 1, "findings": [`:   "ends in the middle of a report",
		`{"version": 1, "findings": {}}`: "findings is not a list",
		`{"version": 1, "findings": [{"rule": 1}]}`:                                     "findings[0]: rule is a number",
		`{"version": 1, "findings": [{"rule": "a", "severity": "fatal"}]}`:              `findings[0]: a finding of a has the severity "fatal"`,
		`{"version": 1, "findings": [{"rule": "a", "severity": "error", "count": -5}]}`: "negative number",
		`{"version": 1, "findings": [{"severity": "error"}]}`:                           "a finding has no rule",
		`{"findings": []}`: "is not a report of crdlift: it has no version",
		`{"version": 1, "findings": [{"rule": "a", "severity": "info"}}`:                                 "findings: is not JSON: byte",
		`{"version": 1, "findings": [], "a": x}`:                                                         "is not JSON: byte",
		`{"version": 1, "findings": [{"rule": "a", "severity": "error", "count": 9223372036854775807}]}`: "more than there can be",
		`{"version": 1, "findings": [], "summary": {"objects": 9223372036854775807}}`:                    "summary has a number",
		`{"version": 1, "findings": [], "summary": {"files": -1}}`:                                       "summary has a number",
		`{"version": 1, "findings": [], "leftOut": {"test": {"count": -1}}}`:                             "leftOut has a number",
		`{"version": 1, "findings": [], "leftOut": {"old": {"count": 9223372036854775807}}}`:             "leftOut has a number",
		`{"version": 1, "findings": [], "leftOut": 5}`:                                                   "leftOut: it is a number",
		`{"version": 1, "findings": [], "migration": {"to": "v9"}}`:                                      `migration.to is "v9"`,
		`{"version": 1, "plans": [null]}`:                                                                "plans[0]: the plan has no CRD",
		`{"version": 1, "plans": [{"crds": [], "summary": "x", "releases": []}]}`:                        "plans[0]: the plan has no CRD",
		`{"version": 1, "migration": {}, "repositories": []}`:                                            "was written by crdlift report",
		`{"version": 1, "findings": []} x`:                                                               "is not JSON",
	} {
		runs := 0
		err := overview.Read(strings.NewReader(src), "a", func(*overview.Run) { runs++ })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", src, err, want)
		}
		if runs > 0 && !strings.HasSuffix(src, "x") {
			t.Errorf("%s: it makes %d runs", src, runs)
		}
	}
	if err := overview.Read(strings.NewReader(`{}`), "a", nil); !errors.Is(err, overview.ErrNoReport) {
		t.Errorf("error %v", err)
	}
}

// TestByteOrderMark tests that a report may begin with what some shells put before a text.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	if o := read(t, "\ufeff"+reportOn("o/a", "v1")); len(o.Repositories[0].CRDs) != 1 {
		t.Error("the report is not read")
	}
}

// TestUnknownMembers tests that reports of newer programs can be read, in any order of their members.
func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	o := read(t, `{"new": {"a": [1, {"b": null}]}, "summary": {"files": 3}, "findings": [{"later": [], "severity": "info", "rule": "r", "message": "m"}], "version": 1}`+
		reportOn("o/a", "v1"))
	if len(o.Repositories) != 2 || o.Count(lint.Info) != 1 {
		t.Errorf("got %+v", o.Repositories)
	}
}

// TestMigration tests what counts as done, of a conversion and without one.
func TestMigration(t *testing.T) {
	t.Parallel()
	crd := func(state, version string, line int) string {
		return fmt.Sprintf(`{"name": "foos%d.example.com", "file": "a.yaml", "line": %d, "document": 0, "apiVersion": "apiextensions.k8s.io/%s", "state": %q}`, line, line, version, state)
	}
	all := strings.Join([]string{crd("converted", "v1beta1", 1), crd("alreadyThere", "v1", 2), crd("needsPerson", "v1beta1", 3), crd("", "v1", 4), crd("", "v1beta1", 5), crd("", "v2", 6)}, ",")
	pending := finding(overview.Pending, "error", 1)
	for written, want := range map[bool]string{
		true:  "3 of 5 CRDs (60%) are at apiextensions.k8s.io/v1; 1 converted by this run, 1 to convert and 1 needs a decision.",
		false: "2 of 5 CRDs (40%) are at apiextensions.k8s.io/v1; 2 to convert and 1 needs a decision.",
	} {
		r := read(t, fmt.Sprintf(`{"version": 1, "command": "convert", "migration": {"to": "v1", "written": %v}, "findings": [%s], "crds": [%s]}`, written, pending, all)).Repositories[0]
		if got := r.Migration().Sentence(); got != want {
			t.Errorf("written %v: got %q, want %q", written, got, want)
		}
		if r.Findings() != 0 {
			t.Error("what is to be converted is a finding, too")
		}
	}
}

// TestOf tests that a report of this process makes an overview.
func TestOf(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../examples/lint/backups.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l := &rules.Linter{Options: lint.Options{Config: &lint.Config{}}}
	r := l.Report(l.File("backups.yaml", src))
	run, err := overview.Of(r, report.Options{Head: report.Head{Command: "lint", Repository: "o/a"}})
	if err != nil {
		t.Fatal(err)
	}
	var all overview.Builder
	all.Add(run)
	if got := all.Overview(); !strings.Contains(got.Text(), "2 errors") || got.Repositories[0].Name != "o/a" {
		t.Errorf("the overview is %s", got.Text())
	}
}

// TestJSON validates the output against the published schema.
func TestJSON(t *testing.T) {
	t.Parallel()
	const published = "https://raw.githubusercontent.com/crdlift/crdlift/main/docs/schema/"
	c := jsonschema.NewCompiler()
	for _, name := range []string{"report.json", "findings.json"} {
		text, err := os.ReadFile("../../docs/schema/" + name)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(published+name, schema); err != nil {
			t.Fatal(err)
		}
	}
	compiled, err := c.Compile(published + "report.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []*overview.Overview{{}, read(t, reportOn("o/\u202e", "v1beta1", finding("scope-invalid", "error", 1)), `{"version": 1, "plans": []}`),
		read(t, leaving("lint", 1, 3)), read(t, covering("tested"), covering("met"))} {
		raw, err := o.JSON()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, raw)
		}
	}
}

// covering is a report of what tests cover of a CRD.
func covering(state string) string {
	return `{"version": 1, "command": "test", "findings": [], "coverage": [{"crd": "a.example.com", "file": "a.yaml", "versions": ["v1"], "tested": 0, "counted": 1,
		"constraints": [{"kind": "enums", "keyword": "enum", "value": "[\"a\"]", "field": "spec.a", "versions": ["v1"], "line": 3, "column": 5, "accepted": 1, "state": "` + state + `"}]}]}`
}

// TestCoverage adds up what runs without a repository test of a CRD, and leaves those of others apart.
func TestCoverage(t *testing.T) {
	t.Parallel()
	other := strings.Replace(covering("tested"), `"version": 1`, `"version": 1, "repository": "o/a"`, 1)
	found := read(t, covering("reached"), other, covering("met")).Coverage
	if len(found) != 2 || found[0].Constraints[0].State != "met" || found[0].Tested != 0 || found[1].Tested != 0 || found[1].Constraints[0].State != "tested" {
		t.Errorf("%+v", found)
	}
}

// TestMarkdownIsBounded tests that the page fits into a job summary, and that names cannot end a table.
func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	var all overview.Builder
	for i := range 3000 {
		src := reportOn(fmt.Sprintf("o/%04d|<b>%s", i, strings.Repeat("x", 300)), "v1beta1", finding("scope-invalid", "error", 1))
		if err := overview.Read(strings.NewReader(src), "a", all.Add); err != nil {
			t.Fatal(err)
		}
	}
	page := all.Overview().Markdown()
	if len(page) > report.MaxSummary || !strings.Contains(page, "more repositories left out") || strings.Contains(page, "|<b>") {
		t.Errorf("the page has %d bytes and ends in %.200s", len(page), page[len(page)-200:])
	}
}

// BenchmarkRead reads a report of 1 MB.
func BenchmarkRead(b *testing.B) {
	var findings []string
	for i := range 6000 {
		findings = append(findings, finding("scope-invalid", "error", i+1))
	}
	src := reportOn("o/a", "v1", findings...)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := overview.Read(strings.NewReader(src), "a", func(*overview.Run) {}); err != nil {
			b.Fatal(err)
		}
	}
}
