package report

import (
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/lint"
)

var (
	causeRule  = &lint.Rule{ID: "test-cause", Summary: "cases that are rejected for another reason", Severity: lint.Error, Suite: true}
	storedRule = &lint.Rule{ID: "test-stored", Summary: "cases that expect something else to be stored", Severity: lint.Error, Suite: true}
	wrongRule  = &lint.Rule{ID: "suite-invalid", Summary: "suites that cannot be run", Severity: lint.Error, Suite: true}
)

// ofTests is a report on suites: cases that pass, fail for the same line of the CRD, fail for a line of a revision and for none, are
// ignored and are skipped, and a suite that is wrong.
func ofTests() *lint.Report {
	const suites, wrong = "api/shelf.crdtest.yaml", "api/wrong.crdtest.yaml"
	at := func(file string, line int) lint.Position {
		return lint.Position{File: file, Line: line, Column: 9, EndLine: line, EndColumn: 14}
	}
	failed := func(line int, rule *lint.Rule, name, message string, crd ...lint.Position) *lint.Finding {
		f := &lint.Finding{
			Rule: rule, Severity: lint.Error, Path: "cases[" + name + "]", Message: `case "` + name + `": ` + message, Resource: "shelves.example.com",
			Source: lint.Source{Pos: at(suites, line), Excerpt: "- name: " + name}, Suite: "shelf", Case: name,
		}
		for _, pos := range crd {
			f.Related = append(f.Related, lint.Related{Pos: pos, Message: "the pattern is here"})
		}
		return f
	}
	pattern := at("crd.yaml", 23)
	ignored := failed(9, storedRule, "known", "spec.mode is stored as Low, not High")
	ignored.Ignored, ignored.IgnoredBy = "waits for a release", lint.ByComment
	test := func(line int, name string, fails bool) lint.TestedCase {
		return lint.TestedCase{Suite: "shelf", Name: name, Pos: at(suites, line), Failed: fails, Took: 1500 * time.Microsecond}
	}
	cause := lint.TestedCause{Path: "spec.tail", By: "pattern", Message: "spec.tail must match ^[a-z]+$", Pos: pattern}
	first, second, old, table, skipped := test(5, "tail", true), test(6, "::error::[x](y) | <b> \x1b[31m", true), test(7, "old", true), test(8, "size/reject/1", true), test(10, "later", false)
	first.Causes, second.Causes, skipped.Skipped = []lint.TestedCause{cause}, []lint.TestedCause{cause}, "#12 is open"
	old.Causes = []lint.TestedCause{{By: "rule", Message: "nothing changes", Pos: at("v1.0.0:crd.yaml", 31)}}
	of := func(kind, keyword, state string) lint.CoveredConstraint {
		return lint.CoveredConstraint{Kind: kind, Keyword: keyword, Field: "spec.tail", Versions: []string{"v1"}, Line: 23, Column: 9, State: state}
	}
	rule, enum := of("rules", "x-kubernetes-validations", "tested"), of("enums", "enum", "met")
	rule.Value, rule.By, rule.Accepted, rule.Mutants, rule.New = "self < 9", "shelf/tail", 2, []lint.Mutant{{Expression: "self <= 9", Told: true}}, true
	enum.Next, enum.Unseen = "name it in rejected", []string{"Low"}
	bound, dead := of("bounds", "maxLength", "reached"), of("bounds", "minLength", "dead")
	bound.Value, bound.Edge, dead.Why = "9", true, "nothing has less than 0"
	return &lint.Report{
		Coverage: []lint.Coverage{
			{CRD: "shelves.example.com", File: "crd.yaml", Versions: []string{"v1"}, Tested: 1, Counted: 3, Sampled: true, Constraints: []lint.CoveredConstraint{rule, enum, bound, dead}},
			{CRD: "<b>|`x`.example.com", File: "other.yaml", Versions: []string{"v1"}, Constraints: []lint.CoveredConstraint{}},
		},
		Files: []string{suites, wrong},
		Tests: []lint.TestedCase{test(4, "defaults", false), first, second, old, table, test(9, "known", false), skipped},
		Findings: []*lint.Finding{
			failed(5, causeRule, first.Name, "nothing rejects it by maxLength; what rejects it: spec.tail must match ^[a-z]+$", pattern),
			failed(6, causeRule, second.Name, "nothing rejects it by maxLength; what rejects it: spec.tail must match ^[a-z]+$", pattern),
			failed(7, causeRule, old.Name, "nothing rejects it by type; what rejects it: nothing changes", at("v1.0.0:crd.yaml", 31)),
			failed(8, storedRule, table.Name, "spec.size is stored as 1, not 2"),
			ignored,
			{Rule: wrongRule, Severity: lint.Error, Message: `a suite has the unknown key "case"; did you mean cases?`, Source: lint.Source{Pos: at(wrong, 1), Excerpt: "case:"}},
		},
	}
}

func TestTestSummary(t *testing.T) {
	t.Parallel()
	passed := &lint.Report{Tests: ofTests().Tests[:1]}
	elsewhere := passed.Tests[0]
	elsewhere.Pos.File = "api/v2/shelf.crdtest.yaml"
	noted := &lint.Report{Tests: append(passed.Tests[:1:1], elsewhere), Findings: []*lint.Finding{{Rule: wrongRule, Severity: lint.Info}}}
	for want, r := range map[string]*lint.Report{
		"4 of 7 cases failed in 1 suite; 1 skipped; 1 error outside of cases; 1 finding ignored": ofTests(),
		"1 case passed in 1 suite":   passed,
		"2 cases passed in 2 suites": noted,
	} {
		if got := Summary(r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestJUnitOfSeveralSuites: what is wrong with a file as a whole is told once, and suites have ids that count up.
func TestJUnitOfSeveralSuites(t *testing.T) {
	t.Parallel()
	r := ofTests()
	another := r.Tests[0]
	another.Suite = "shelf again"
	whole := *r.Findings[len(r.Findings)-1]
	whole.Pos.File = another.Pos.File
	r.Tests, r.Findings = append(r.Tests, another), append(r.Findings, &whole)
	var out strings.Builder
	if err := Write(&out, JUnit, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `name="suite-invalid"`); n != 2 { // of two files
		t.Errorf("told %d times", n)
	}
	for _, want := range []string{`<testsuite name="shelf" tests="8" failures="5" errors="0" id="0"`, `name="shelf again" tests="1" failures="0" errors="0" id="1"`, `name="api/wrong.crdtest.yaml" tests="1" failures="1" errors="0" id="2"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
}

// TestAnnotationsAtCRDs: of many cases that fail because of a line, some are named, and the notice at that line says how many there are.
// Notices count when GitHub drops some.
func TestAnnotationsAtCRDs(t *testing.T) {
	t.Parallel()
	r := ofTests()
	r.Findings = r.Findings[:1]
	for i := range maxAnnotations {
		another := *r.Findings[0]
		another.Pos.Line += i + 1
		r.Findings = append(r.Findings, &another)
	}
	commands := parseCommands(t, r)
	last := commands[len(commands)-1]
	if last.name != "notice" || last.properties["file"] != "crd.yaml" || last.properties["line"] != "23" || strings.Count(last.message, "shelf.crdtest.yaml") != maxLines ||
		!strings.HasPrefix(last.message, "crd.yaml:23:9: 11 cases fail because of this, 8 of which are shown\n") {
		t.Errorf("got %+v", last)
	}
	if first := commands[0]; !strings.Contains(first.message, "of 11 errors, 1 info, 1 are only in the log") {
		t.Errorf("got %+v", first)
	}
}
