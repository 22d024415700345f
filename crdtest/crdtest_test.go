package crdtest_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/crdtest"
)

// dir is for the real program.
var dir string

// TestMain makes the test binary the program crdlift as well, for those that call it with its arguments.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "test" {
		os.Exit(fake(os.Args[1:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		os.Exit(fakeServer(os.Args[1:]))
	}
	var err error
	if dir, err = os.MkdirTemp("", "crdtest"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// fake is a crdlift that says what it is asked, and prints the report in REPORT.
func fake(args []string) int {
	stdin, _ := io.ReadAll(os.Stdin)
	fmt.Fprintf(os.Stderr, "called with %s, and <%s>\n", strings.Join(args, " "), stdin)
	fmt.Print(os.Getenv("REPORT"))
	if os.Getenv("HANG") != "" {
		time.Sleep(time.Hour)
	}
	return map[string]int{"": 0, "1": 1, "2": 2}[os.Getenv("EXIT")]
}

// TestRun is for those of the ways of a run that the real program does not go.
func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const missing = "crdtest: the program crdlift, which does the test, is not there: "
	for name, test := range map[string]struct {
		env  []string
		want []string // parts of the output
	}{
		"no case": {
			[]string{`REPORT={"version": 1}`}, []string{"--- PASS: TestScenario ", "called with test --output json --quiet -- ., and <>\n"},
		},
		"all options": {
			[]string{`REPORT={"version": 1, "coverage": [{"crd": "a"}]}`, "ALL=1"},
			[]string{"--- PASS: TestScenario ", "called with test --output json --quiet --crds a --crds b --cover-min=all=60 -- -c d, and <>\n"},
		},
		"all options in Go": {
			[]string{`REPORT={"version": 1}`, "ALL=1", "GO=1"}, []string{
				"called with test --output json --quiet --crds crd.yaml --crds a --crds b --cover-min=all=60 -, and <" +
					`{"cases":[{"name":"a","object":{"apiVersion":"a/v1","kind":"A"}}],"crdtest":"v1","name":"TestScenario"}>`,
				"--- FAIL: TestScenario/a ", "crdtest: the program has not run this case",
			},
		},
		"findings of other things than cases": {
			[]string{"EXIT=1", `REPORT={"version": 1, "findings": [
				{"rule": "suite-invalid", "severity": "error", "message": "wrong", "file": "a", "line": 1, "column": 2},
				{"rule": "test-skipped", "severity": "info", "message": "skipped", "file": "a", "line": 3, "column": 2},
				{"rule": "test-coverage", "severity": "error", "message": "too few", "file": "a", "line": 4, "column": 2, "ignored": "later"}]}`},
			[]string{
				"--- FAIL: TestScenario ", "crdtest_test.go:", ": a:1:2: error: wrong [suite-invalid]\n", "a:3:2: info: skipped [test-skipped]\n",
				"a:4:2: error: too few [test-coverage]\n        ignored: later\n",
			},
		},
		"findings that are no errors": {
			[]string{`REPORT={"version": 1, "findings": [{"rule": "a", "severity": "warning"}, {"rule": "b", "severity": "error", "ignored": "later"}]}`},
			[]string{"--- PASS: TestScenario "},
		},
		"cases of two suites with one name": {
			[]string{"EXIT=1", `REPORT={"version": 1, "findings": [
				{"rule": "test-rejected", "severity": "error", "message": "rejected", "file": "y/a.yaml", "suite": "a", "case": "c"}], "tests": [
				{"suite": "a", "name": "c", "file": "x/a.yaml", "passed": true}, {"suite": "a", "name": "d", "file": "x/a.yaml", "passed": true},
				{"suite": "a", "name": "c", "file": "y/a.yaml"}, {"suite": "a", "name": "d", "file": "y/a.yaml"},
				{"suite": "b", "name": "c", "file": "y/a.yaml", "passed": true}]}`},
			[]string{
				"--- PASS: TestScenario/a/c ", "--- PASS: TestScenario/a/d ", "--- FAIL: TestScenario/a#01/c ", "rejected [test-rejected]",
				"--- FAIL: TestScenario/a#01/d ", "failed, and the report does not say why", "--- PASS: TestScenario/b/c ",
			},
		},
		"no program":                   {[]string{"BINARY=./no-such-program"}, []string{"--- FAIL: TestScenario ", missing, "go install github.com/crdlift/crdlift@latest"}},
		"no program, skipped":          {[]string{"BINARY=./no-such-program", "SKIP=1"}, []string{"--- SKIP: TestScenario ", missing}},
		"no program, in Go":            {[]string{"BINARY=./no-such-program", "GO=1"}, []string{"--- FAIL: TestScenario/a ", missing}},
		"no program, skipped in Go":    {[]string{"BINARY=./no-such-program", "SKIP=1", "GO=1"}, []string{"--- SKIP: TestScenario/a ", missing}},
		"no program in PATH":           {[]string{"BINARY=", "PATH="}, []string{"--- FAIL: TestScenario ", missing}},
		"the program of the variable":  {[]string{"BINARY=", "CRDLIFT=" + self, `REPORT={"version": 1}`}, []string{"--- PASS: TestScenario "}},
		"wrong usage":                  {[]string{"EXIT=2", "SKIP=1"}, []string{"--- FAIL: TestScenario ", "exit status 2\n        \tcalled with test"}},
		"wrong usage in Go":            {[]string{"EXIT=2", "SKIP=1", "GO=1"}, []string{"--- FAIL: TestScenario/a ", "exit status 2\n        \tcalled with test"}},
		"another report":               {[]string{`REPORT={"version": 2}`}, []string{"--- FAIL: TestScenario ", "the report has version 2, and crdtest reads 1"}},
		"no report":                    {nil, []string{"--- FAIL: TestScenario ", "the report cannot be read: "}},
		"a program that does not end":  {[]string{"HANG=1", "TIMEOUT=3s"}, []string{"--- FAIL: TestScenario ", "crdlift did not end before the test's deadline"}},
		"a base that is no object":     {[]string{"GO=1", "BASE=value"}, []string{"--- FAIL: TestScenario ", "crdtest: the base has to be a pointer to an object, or a map, and it is a string"}},
		"a base that is a nil pointer": {[]string{"GO=1", "BASE=nil"}, []string{"--- FAIL: TestScenario ", "crdtest: the base has to be a pointer to an object, or a map, and it is a *crdtest_test.Shelf"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := "1m"
			for _, value := range test.env {
				if after, ok := strings.CutPrefix(value, "TIMEOUT="); ok {
					timeout = after
				}
			}
			cmd := exec.Command(self, "-test.run", "^TestScenario$", "-test.v", "-test.timeout", timeout)
			cmd.Env = append(append(os.Environ(), "CRDLIFT=", "SCENARIO=TestScenario", "BINARY="+self), test.env...)
			out, err := cmd.CombinedOutput()
			if failed := strings.Contains(string(out), "--- FAIL"); failed != (err != nil) {
				t.Errorf("the test ends with %v", err)
			}
			wants(t, string(out), test.want...)
			if said := regexp.MustCompile(`\w+\.go:\d+: called with`).FindString(string(out)); said != "" && !strings.HasPrefix(said, "crdtest_test.go:") {
				t.Errorf("what the program says is at %s", said)
			}
		})
	}
}

// TestScenario is what TestRun runs.
func TestScenario(t *testing.T) {
	if !alone(t) {
		return
	}
	o := crdtest.Options{Binary: os.Getenv("BINARY"), SkipMissing: os.Getenv("SKIP") != ""}
	if os.Getenv("ALL") != "" {
		o.Paths, o.CRDs, o.Args = []string{"-c", "d"}, []string{"a", "b"}, []string{"--cover-min=all=60"}
	}
	if os.Getenv("GO") == "" {
		crdtest.Run(t, o)
		return
	}
	base := map[string]any{"apiVersion": "a/v1", "kind": "A"}
	s := crdtest.For(t, "crd.yaml", map[string]any{"": base, "value": "a", "nil": (*Shelf)(nil)}[os.Getenv("BASE")])
	s.Options = o
	s.Accept("a", func(map[string]any) {})
}
