package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"slices"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/crdlift/crdlift/lint"
)

// noTime is the duration of every test; readers require a number.
const noTime = "0.000"

// writeJUnit writes a suite for each file, and in it a test case for each rule with findings: one that failed or, below
// the severity that fails a run, one that passed with output. Ignored findings are skipped tests, and so is a file whose findings
// are only counted. Of suites of tests, each case is a test case, and files with neither cases nor findings are left out. One that has
// but the same as a source has no suite: the source's says it.
func writeJUnit(w *bufio.Writer, r *lint.Report, o Options) error {
	limit := cmp.Or(o.FailOn, lint.Error)
	suites := junit.Testsuites{Name: "crdlift"}
	findings := map[string]group{}
	files := r.Files
	listed := map[string]bool{}
	for _, path := range r.Files {
		listed[path] = true
	}
	for _, g := range ordered.Grouped(group(r.Findings), byFile) {
		path := g[0].Pos.File
		findings[path] = g
		if !listed[path] { // the file is gone, and that is the finding
			files = append(files[:len(files):len(files)], path)
		}
	}
	skipped, copied := skippedIn(r), map[string]bool{}
	for _, at := range group(active(r)).copies() {
		copied[at.File] = true
	}
	tests := map[string][]lint.TestedCase{}
	for _, one := range r.Tests {
		tests[one.Pos.File] = append(tests[one.Pos.File], one)
	}
	for _, path := range files {
		if cases := tests[path]; len(cases) > 0 {
			for _, suite := range junitTests(cases, findings[path], limit, o) {
				suite.ID = len(suites.Suites)
				suites.AddSuite(suite)
			}
			continue
		}
		if (copied[path] || r.Tests != nil) && len(findings[path]) == 0 {
			continue
		}
		suite := junit.Testsuite{ID: len(suites.Suites), Name: text.Harmless(path), File: text.Harmless(path), Time: noTime}
		for _, test := range testcases(path, findings[path], limit, commandOf(r), o) {
			if len(findings[path]) == 0 && skipped[path] != "" {
				test.Skipped = &junit.Result{Message: skipped[path]}
			}
			suite.AddTestcase(test)
		}
		suites.AddSuite(suite)
	}
	if _, err := w.WriteString(xml.Header); err != nil {
		return err
	}
	return suites.WriteXML(w)
}

// skippedIn says what of files was not judged, or is only counted: without findings, as those are told elsewhere or left out, a
// file must not look like one that passed.
func skippedIn(r *lint.Report) map[string]string {
	unjudged, said := map[string]int{}, map[string]string{}
	if r.Objects != nil {
		for _, alike := range r.Objects.Alike {
			if alike.Verdict == lint.Unjudged {
				unjudged[alike.File] += alike.Count
			}
		}
	}
	for path, n := range unjudged {
		said[path] = text.Count(n, "object") + " not checked"
	}
	for path, g := range leftOutBy(r, byFile) {
		said[path] = text.Count(g.count(), "finding") + " left out: " + cmp.Or(g[0].RoleBecause, string(g[0].Role))
	}
	return said
}

// testcases are those of a file. One that nothing is said about has one, of the name of the command, which passed.
func testcases(path string, findings group, limit lint.Severity, command string, o Options) []junit.Testcase {
	type key struct {
		rule    string
		ignored bool
	}
	var tests []junit.Testcase
	for _, g := range ordered.Grouped(group(findings), func(f *lint.Finding) key { return key{f.Rule.ID, f.Ignored != ""} }) {
		tests = append(tests, testcase(path, g, limit, o))
	}
	if len(tests) == 0 {
		tests = append(tests, junit.Testcase{Name: command, Classname: text.Harmless(path), Time: noTime})
	}
	return tests
}

// testcase returns the test case for a rule's findings in a file, all of which are ignored, or none.
func testcase(path string, g group, limit lint.Severity, o Options) junit.Testcase {
	first := g[0]
	test := junit.Testcase{Name: first.Rule.ID, Classname: text.Harmless(path), Time: noTime}
	severity := lint.Off
	var details, told []string
	for _, f := range g {
		severity = max(severity, f.Severity)
		details = append(details, short(f))
		more := append(advice(f), o.alsoIn(group{f})...)
		if f.Ignored != "" {
			more = []string{"ignored: " + text.Harmless(f.Ignored)}
		}
		if !slices.Equal(more, told) { // the same fix for a hundred findings need not be told a hundred times
			details = append(details, more...)
		}
		told = more
	}
	message := text.Harmless(first.Message) + text.More(g.count()-1, " (and %d more)")
	switch {
	case first.Ignored != "":
		test.Name += " (ignored)"
		test.Skipped = &junit.Result{Message: text.Harmless(first.Ignored), Data: lines(details)}
	case severity >= limit:
		test.Failure = &junit.Result{Message: message, Type: severity.String(), Data: lines(details)}
	default:
		test.SystemOut = &junit.Output{Data: lines(details)}
	}
	return test
}
