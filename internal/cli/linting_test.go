package cli

import (
	"strings"
	"testing"

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
