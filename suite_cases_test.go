package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestSuiteCases runs the suites beside the corpus. Each has a report: the rules, the lines and the numbers have to be its own, and
// the words and the columns of the CRD need not.
func TestSuiteCases(t *testing.T) {
	reports, err := filepath.Glob(filepath.Join(corpus.Cases(), "test", "*", "expected.txt"))
	if err != nil || len(reports) == 0 {
		t.Skipf("no suites of tests in %s: set CRDLIFT_CORPUS to a folder beside them", corpus.Cases())
	}
	for _, report := range reports {
		want, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(report)
		args := []string{"test", "--output", "short"}
		if bytes.Contains(want, []byte("test --cover")) {
			args = append(args, "--cover")
		}
		var out bytes.Buffer
		code := cli.Run(append(args, folder), nil, &out, &out)
		if failed := bytes.Contains(want, []byte("# exit 1")); (code == 1) != failed || code > 1 {
			t.Errorf("%s: the exit code is %d", report, code)
		}
		if len(told(string(want))) == 0 {
			t.Errorf("%s tells nothing", report)
		}
		got := strings.ReplaceAll(out.String(), filepath.ToSlash(filepath.Dir(folder))+"/", "")
		if diff := cmp.Diff(told(string(want)), told(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", report, diff)
		}
	}
}

var (
	toldFinding  = regexp.MustCompile(`(?m)^(\S+:\d+:\d+): error: .* (\[\S+\])$`)
	toldCount    = regexp.MustCompile(`(?m)^(?:\d+ (?:of \d+ )?cases .*|coverage of .*)$`)
	toldUntested = regexp.MustCompile(`(?m)^  (\S+:\d+  \S+)`)
)

// told is what a report tells: places with rules, numbers, and what is not tested.
func told(report string) (all []string) {
	for _, m := range toldFinding.FindAllStringSubmatch(report, -1) {
		all = append(all, m[1]+" "+m[2])
	}
	for _, m := range toldUntested.FindAllStringSubmatch(report, -1) {
		all = append(all, m[1])
	}
	all = append(all, toldCount.FindAllString(report, -1)...)
	slices.Sort(all)
	return all
}
