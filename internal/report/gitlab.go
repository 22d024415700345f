package report

import (
	"bufio"

	"github.com/crdlift/crdlift/lint"
)

// A gitlabIssue is a finding in GitLab's code quality report; https://docs.gitlab.com/ci/testing/code_quality/.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string         `json:"path"`
	Lines map[string]int `json:"lines"` // begin
}

func writeGitLab(w *bufio.Writer, r *lint.Report, o Options) error {
	issues := []gitlabIssue{}
	names := fingerprints(r)
	for i, f := range r.Findings {
		if f.Ignored != "" {
			continue
		}
		issues = append(issues, gitlabIssue{
			o.withPlaces(f.Message, group{f}), f.Rule.ID, names[i], gitlabSeverity(f), gitlabLocation{f.Pos.File, map[string]int{"begin": f.Pos.Line}},
		})
	}
	return Encode(w, issues)
}

// gitlabSeverity returns one of GitLab's severities: info, minor, major, critical, blocker. What is rejected is critical: an error
// about a custom resource stops its rollout as well, although RefusedBy speaks of CRDs only.
func gitlabSeverity(f *lint.Finding) string {
	switch {
	case f.Severity == lint.Error && (f.RefusedBy != "" || f.Object != nil):
		return "critical"
	case f.Severity == lint.Error:
		return "major"
	case f.Severity == lint.Warning:
		return "minor"
	}
	return "info"
}
