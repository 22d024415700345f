package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// TestWithheld makes a run tell why a fix that it offers was not made, once for a file.
func TestWithheld(t *testing.T) {
	t.Parallel()
	offered := &lint.Finding{
		Rule: &lint.Rule{ID: "status-in-manifest"}, Message: "remove it", Source: lint.Source{Pos: lint.Position{Line: 7}},
		Fix: &lint.Fix{Title: "remove status", Safe: true},
	}
	revealed := &lint.Finding{Rule: &lint.Rule{ID: "scope-invalid"}, Message: "there is no\x1b scope"}
	kept := []lint.WithheldFix{{Finding: offered, Reveals: revealed}, {Finding: offered, Reveals: revealed}}
	const want = "crdlift: crd.yaml: did not remove status for line 7 [status-in-manifest], since that reveals an error: " +
		`there is no\x1b scope [scope-invalid]; correct both by hand`
	for n, more := range map[int]string{0: "", 1: "\n", 2: "; the same applies to 1 more finding\n"} {
		var stderr strings.Builder
		r := &lintRun{Run: &run.Run{Session: run.NewSession(nil, nil, &stderr), Flags: &run.Flags{}, Progress: &terminal.Progress{}, Inputs: &run.Inputs{}}}
		r.collect(lintOutcome{Input: run.Input{Path: "crd.yaml"}, report: &rules.FileReport{FileReport: &lint.FileReport{Path: "crd.yaml"}}, kept: kept[:n]})
		told := ""
		if n > 0 {
			told = want + more
		}
		if got := stderr.String(); got != told {
			t.Errorf("%d fixes: got %q, want %q", n, got, told)
		}
	}
}

// TestCopiesAndLeftOut: --copies names copies, and what a run only counts is the last line that it says, with the command that it is;
// --quiet says nothing.
func TestCopiesAndLeftOut(t *testing.T) {
	found := &lint.Finding{
		Rule: rules.ByID("scope-invalid"), Severity: lint.Warning, Message: "no", Source: lint.Source{Pos: lint.Point("a.yaml", 1, 1)},
		Copies: []lint.Position{lint.Point("b.yaml", 2, 3), lint.Point("c.yaml", 4, 5)},
	}
	left := []*lint.Finding{{Role: lint.RoleTest}, {Role: lint.RoleForeign, Resource: "routes.gateway.example.net"}}
	const counts = "left out: 1 in tests, 1 of third-party CRDs (gateway.example.net); crdlift %s --all-files shows them\n"
	for _, test := range []struct {
		run.Flags
		said, found string
	}{
		{run.Flags{}, fmt.Sprintf(counts, "lint"), "; also in 2 copies ["},
		{run.Flags{About: run.AboutChanges, Copies: true}, fmt.Sprintf(counts, "breaking"), "; also in b.yaml:2:3; also in c.yaml:4:5 ["},
		{run.Flags{Quiet: true}, "", "; also in 2 copies ["},
	} {
		var stdout, stderr strings.Builder
		outputs, err := run.ParseOutputs([]string{report.Short})
		if err != nil {
			t.Fatal(err)
		}
		linter := &rules.Linter{Options: lint.Options{Config: &lint.Config{}, Changes: test.About == run.AboutChanges}}
		of := &run.Run{Session: run.NewSession(nil, &stdout, &stderr), Flags: &run.Flags{Outputs: outputs}, Progress: &terminal.Progress{}}
		r := lintRun{Run: of, linter: linter, flags: &lintFlags{Flags: test.Flags}}
		if err := r.finish(&lint.Report{BaselineGone: 1, LeftOut: left, Findings: []*lint.Finding{found}}); err != nil {
			t.Fatal(err)
		}
		if got := stderr.String(); !strings.HasSuffix(got, test.said) || (got == "") != test.Quiet {
			t.Errorf("got %q, want %q at the end", got, test.said)
		}
		if got := stdout.String(); !strings.Contains(got, test.found) {
			t.Errorf("got %q, want %q", got, test.found)
		}
	}
}
