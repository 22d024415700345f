package report

import (
	"fmt"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// testSummary is Summary for a run of suites: "7 of 9 cases failed in 2 suites; 1 skipped".
func testSummary(r *lint.Report) string {
	failed, skipped := 0, 0
	for _, one := range r.Tests {
		switch {
		case one.Skipped != "":
			skipped++
		case one.Failed:
			failed++
		}
	}
	suites := text.Count(len(ordered.Grouped(r.Tests, suiteOf)), "suite")
	var said string
	if failed > 0 {
		said = fmt.Sprintf("%d of %s failed in %s", failed, text.Count(len(r.Tests), "case"), suites)
	} else {
		said = fmt.Sprintf("%s passed in %s", text.Count(len(r.Tests)-skipped, "case"), suites)
	}
	if skipped > 0 {
		said += fmt.Sprintf("; %d skipped", skipped)
	}
	if n := r.Ignored(); n > 0 {
		said += fmt.Sprintf("; %s ignored", text.Count(n, "finding"))
	}
	return said
}

type suiteKey struct{ file, name string }

func suiteOf(one lint.TestedCase) suiteKey { return suiteKey{one.Pos.File, one.Suite} }

// A jsonTest is a case of a suite.
type jsonTest struct {
	Suite   string      `json:"suite"`
	Name    string      `json:"name"`
	File    string      `json:"file"`
	Line    int         `json:"line"`
	Column  int         `json:"column"`
	Passed  bool        `json:"passed"`
	Skipped string      `json:"skipped,omitempty"`
	Causes  []jsonCause `json:"causes,omitempty"`
}

// A jsonCause is what rejects the object of a case, and where the CRD says so.
type jsonCause struct {
	Path    string `json:"path"`
	By      string `json:"by"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

func jsonTestsOf(r *lint.Report) (all []jsonTest) {
	for _, one := range r.Tests {
		test := jsonTest{one.Suite, one.Name, one.Pos.File, one.Pos.Line, one.Pos.Column, !one.Failed && one.Skipped == "", one.Skipped, nil}
		for _, c := range one.Causes {
			test.Causes = append(test.Causes, jsonCause{c.Path, c.By, c.Message, c.Pos.File, c.Pos.Line, c.Pos.Column})
		}
		all = append(all, test)
	}
	return all
}

// junitTests are the suites of a file with their cases, given its findings. What is wrong with the file as a whole is a case of the
// first.
func junitTests(cases []lint.TestedCase, findings group, limit lint.Severity, o Options) (all []junit.Testsuite) {
	type key struct{ suite, name string }
	of, whole := map[key]group{}, group{}
	for _, f := range findings {
		if f.Case == "" {
			whole = append(whole, f)
		} else {
			k := key{f.Suite, f.Case}
			of[k] = append(of[k], f)
		}
	}
	for _, some := range ordered.Grouped(cases, suiteOf) {
		first, took := some[0], time.Duration(0)
		suite := junit.Testsuite{Name: text.Harmless(first.Suite), File: text.Harmless(first.Pos.File)}
		for _, one := range some {
			test := junit.Testcase{Name: text.Harmless(one.Name), Classname: text.Harmless(one.Suite), Time: seconds(one.Took)}
			if g := of[key{one.Suite, one.Name}]; len(g) > 0 {
				test = testcase(first.Pos.File, g, limit, o)
				test.Name, test.Classname, test.Time = text.Harmless(one.Name), text.Harmless(one.Suite), seconds(one.Took)
			}
			if one.Skipped != "" {
				test.Skipped = &junit.Result{Message: text.Harmless(one.Skipped)}
			}
			took += one.Took
			suite.AddTestcase(test)
		}
		if len(all) == 0 && len(whole) > 0 {
			for _, test := range testcases(first.Pos.File, whole, limit, "crdlift test", o) {
				suite.AddTestcase(test)
			}
		}
		suite.Time = seconds(took)
		all = append(all, suite)
	}
	return all
}

// seconds is a duration as JUnit has it.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
