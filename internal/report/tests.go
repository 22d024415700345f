package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// testSummary is Summary for a run of suites: "7 of 9 cases failed in 2 suites; 1 skipped".
func testSummary(r *lint.Report) string {
	failed, skipped := outcomes(r.Tests)
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
	whole := slices.DeleteFunc(active(r), func(f *lint.Finding) bool { return f.Case != "" || f.Severity < lint.Warning })
	if len(whole) > 0 {
		said += fmt.Sprintf("; %s outside of cases", counts(whole))
	}
	if n := r.Ignored(); n > 0 {
		said += fmt.Sprintf("; %s ignored", text.Count(n, "finding"))
	}
	return said
}

// outcomes counts the cases that failed, and those that did not run.
func outcomes(all []lint.TestedCase) (failed, skipped int) {
	for _, one := range all {
		switch {
		case one.Skipped != "":
			skipped++
		case one.Failed:
			failed++
		}
	}
	return failed, skipped
}

// jsonCases are the counts of a run of suites.
type jsonCases struct {
	Cases   int `json:"cases"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func jsonCasesOf(r *lint.Report) *jsonCases {
	if r.Tests == nil {
		return nil
	}
	failed, skipped := outcomes(r.Tests)
	return &jsonCases{len(r.Tests), failed, skipped}
}

type suiteKey struct{ file, name string }

func suiteOf(one lint.TestedCase) suiteKey { return suiteKey{one.Pos.File, one.Suite} }

// atCRDs are findings at the lines of CRDs for which cases fail: who changes a CRD sees there what it does to its tests.
func atCRDs(failed []*lint.Finding) (all []*lint.Finding) {
	at := map[lint.Position]*lint.Finding{}
	for _, f := range failed {
		for _, crd := range f.Related {
			if f.Case == "" || isOfRevision(crd.Pos) {
				continue
			}
			one := at[crd.Pos]
			if one == nil {
				one = &lint.Finding{Rule: f.Rule, Severity: lint.Info, Source: lint.Source{Pos: crd.Pos}, Suite: f.Suite}
				at[crd.Pos], all = one, append(all, one)
			}
			one.Related = append(one.Related, lint.Related{Pos: f.Pos, Message: brief(f)})
		}
	}
	for _, one := range all {
		n := len(one.Related)
		one.Message = fmt.Sprintf("%s %s because of this", text.Count(n, "case"), text.Verb(n, "fails", "fail"))
		if more := n - maxLines; more > 0 {
			one.Related = one.Related[:maxLines]
			one.Message += fmt.Sprintf(", %d of which are shown", maxLines)
		}
	}
	return all
}

// isOfRevision reports whether a place of a CRD is in a git revision, as in v1.2.0:crd.yaml.
func isOfRevision(pos lint.Position) bool { return strings.Contains(pos.File, ":") }

// A jsonTest is a case of a suite.
type jsonTest struct {
	Suite string `json:"suite"`
	Name  string `json:"name"`
	jsonPlace
	CRD     string      `json:"crd,omitempty"` // its file
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
		test := jsonTest{one.Suite, one.Name, placeOf(one.Pos), one.CRD, !one.Failed && one.Skipped == "", one.Skipped, nil}
		for _, c := range one.Causes {
			test.Causes = append(test.Causes, jsonCause{c.Path, c.By, c.Message, c.Pos.File, c.Pos.Line, c.Pos.Column})
		}
		all = append(all, test)
	}
	return all
}

// CoverageTable is a table of what tests cover of CRDs, with the kinds of constraints that there are; "" for nothing.
func CoverageTable(all []lint.Coverage) string {
	type figure struct{ tested, all int }
	figures := make([]map[string]figure, len(all))
	var kinds []string
	for i, crd := range all {
		figures[i] = map[string]figure{"all": {crd.Tested, crd.Counted}}
		for _, c := range crd.Constraints {
			if c.State == "dead" || c.State == "ignored" {
				continue
			}
			f := figures[i][c.Kind]
			if f.all++; c.State == "tested" {
				f.tested++
			}
			figures[i][c.Kind] = f
		}
	}
	for _, kind := range lint.Covered() {
		if slices.ContainsFunc(figures, func(of map[string]figure) bool { return of[kind].all > 0 }) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| Tested of the CRD | %s |\n|---|%s\n", strings.Join(kinds, " | "), strings.Repeat("---:|", len(kinds)))
	for i, crd := range all {
		fmt.Fprintf(&b, "| <code>%s</code> |", EscapeMarkdown(crd.CRD))
		for _, kind := range kinds {
			if f := figures[i][kind]; f.all > 0 {
				fmt.Fprintf(&b, " %d of %d |", f.tested, f.all)
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
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
