package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/crdlift/crdlift/lint"
)

// noTime is the duration of every test; readers require a number.
const noTime = "0.000"

// writeJUnit writes a suite for each file, and in it a test case for each rule with findings: one that failed or, below
// the severity that fails a run, one that passed with output. Ignored findings are skipped tests.
func writeJUnit(w *bufio.Writer, r *lint.Report, o Options) error {
	limit := cmp.Or(o.FailOn, lint.Error)
	suites := junit.Testsuites{Name: "crdlift"}
	findings := map[string]group{}
	files := r.Files
	listed := map[string]bool{}
	for _, path := range r.Files {
		listed[path] = true
	}
	for _, g := range grouped[group](r.Findings, byFile) {
		path := g[0].Pos.File
		findings[path] = g
		if !listed[path] { // the file is gone, and that is the finding
			files = append(files[:len(files):len(files)], path)
		}
	}
	for i, path := range files {
		suite := junit.Testsuite{ID: i, Name: text.Harmless(path), File: text.Harmless(path), Time: noTime}
		for _, test := range testcases(path, findings[path], limit, commandOf(r)) {
			if len(findings[path]) == 0 && unjudgedIn(r.Objects, path) > 0 {
				test.Skipped = &junit.Result{Message: text.Count(unjudgedIn(r.Objects, path), "object") + " not judged"}
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

// unjudgedIn counts the objects of a file that were not judged: without findings, as those are told elsewhere or left out, the
// file must not look like one that passed.
func unjudgedIn(o *lint.Objects, path string) (n int) {
	if o == nil {
		return 0
	}
	for _, alike := range o.Alike {
		if alike.File == path && alike.Verdict == lint.Unjudged {
			n += alike.Count
		}
	}
	return n
}

// testcases are those of a file. One that nothing is said about has one, of the name of the command, which passed.
func testcases(path string, findings group, limit lint.Severity, command string) []junit.Testcase {
	type key struct {
		rule    string
		ignored bool
	}
	var tests []junit.Testcase
	for _, g := range grouped[group](findings, func(f *lint.Finding) key { return key{f.Rule.ID, f.Ignored != ""} }) {
		tests = append(tests, testcase(path, g, limit))
	}
	if len(tests) == 0 {
		tests = append(tests, junit.Testcase{Name: command, Classname: text.Harmless(path), Time: noTime})
	}
	return tests
}

// testcase returns the test case for a rule's findings in a file, all of which are ignored, or none.
func testcase(path string, g group, limit lint.Severity) junit.Testcase {
	first := g[0]
	test := junit.Testcase{Name: first.Rule.ID, Classname: text.Harmless(path), Time: noTime}
	severity := lint.Off
	var details, told []string
	for _, f := range g {
		severity = max(severity, f.Severity)
		details = append(details, short(f))
		more := advice(f)
		if f.Ignored != "" {
			more = []string{"ignored: " + text.Harmless(f.Ignored)}
		}
		if !slices.Equal(more, told) { // the same fix for a hundred findings need not be told a hundred times
			details = append(details, more...)
		}
		told = more
	}
	message := text.Harmless(first.Message)
	if n := g.count(); n > 1 {
		message += fmt.Sprintf(" (and %d more)", n-1)
	}
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
