package report

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// TestFingerprints are unique within a report, and stay when lines move, messages get better and findings are ignored.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	before := fingerprints(nasty())
	if unique := slices.Compact(slices.Sorted(slices.Values(before))); len(unique) != len(before) {
		t.Errorf("%d of %d are unique", len(unique), len(before))
	}
	moved := nasty()
	for _, f := range moved.Findings {
		f.Pos.Line += 7
		f.Message += ", really"
		f.Ignored = "for now"
	}
	if diff := cmp.Diff(before, fingerprints(moved)); diff != "" {
		t.Error(diff)
	}
	moved.Findings[0].Resource = "gadgets.example.com"
	if fingerprints(moved)[0] == before[0] {
		t.Error("another CRD has the same fingerprint")
	}
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(write(t, GitLab, nasty(), Options{})), &issues); err != nil {
		t.Fatal(err)
	}
	var severities []string
	seen := map[string]bool{}
	for i, f := range active(nasty()) {
		severities = append(severities, issues[i].Severity)
		if issues[i].CheckName != f.Rule.ID || issues[i].Location.Lines["begin"] != f.Pos.Line || seen[issues[i].Fingerprint] {
			t.Errorf("%+v", issues[i])
		}
		seen[issues[i].Fingerprint] = true
	}
	if diff := cmp.Diff([]string{"critical", "minor", "info", "major"}, severities[:4]); diff != "" {
		t.Error(diff)
	}
}

// TestGitLabObjects: an error about a custom resource is one that the API server rejects it for, a warning is not.
func TestGitLabObjects(t *testing.T) {
	t.Parallel()
	r := ofObjects()
	r.Findings[1].Severity = lint.Warning
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(write(t, GitLab, r, Options{})), &issues); err != nil {
		t.Fatal(err)
	}
	var severities []string
	for _, issue := range issues {
		severities = append(severities, issue.Severity)
	}
	if diff := cmp.Diff([]string{"critical", "minor", "critical"}, severities[:3]); diff != "" {
		t.Error(diff)
	}
}
