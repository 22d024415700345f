package action

import (
	"strings"
	"testing"
)

// suiteOf is a suite of tests of the CRD that crd("crons") writes. What it says of schedule holds for strings of up to 99 characters.
func suiteOf(lines ...string) string {
	return "crdtest: v1\nbase:\n  apiVersion: example.com/v1\n  kind: Crons\ncases:\n" + strings.Join(lines, "\n") + "\n"
}

// TestSuites runs tests of CRDs, which say where these are or leave it to the action.
func TestSuites(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("1", 100)
	short, wrong := "- {name: short, at: spec.schedule, accept: [never]}", "- {name: long, set: {spec.schedule: '"+long+"'}}"
	files := map[string]string{
		"api/crd/crons.yaml":         crd("crons", schedule),
		"api/good/crons.crdtest.yml": suiteOf(short),
		"api/bad/crons.crdtest.yaml": suiteOf(short, wrong, "- {name: later, skip: it waits}"),
		"api/.crdlift.yaml":          "rules:\n  test-rejected: warning\n",
		"none/crons.yaml":            crd("crons", schedule),
		"others/a.crdtest.yaml":      strings.Replace(suiteOf(short), "example.com", "other.example.org", 1),
	}
	const failed = "::error file=api/bad/crons.crdtest.yaml,line=7,"
	for _, c := range []struct {
		name           string
		env            []string
		exit           int
		stdout, output []string
		lacks          string
	}{
		{"a case that fails", []string{"CRDLIFT_PATHS=api"}, 1, []string{failed, "::notice file=api/crd/crons.yaml,line="}, []string{"cases=4\n", "failed=1\n", "errors=1\n"}, "good"},
		{"nothing wrong", []string{"CRDLIFT_PATHS=api/good"}, 0, nil, []string{"cases=1\n", "failed=0\n", "findings=0\n"}, "file="},
		{"one of its cases", []string{"CRDLIFT_PATHS=api", "CRDLIFT_ARGS=--run=/short/"}, 0, nil, []string{"cases=2\n", "failed=0\n"}, "file="},
		{"its own configuration", []string{"CRDLIFT_WORKING_DIRECTORY=api", "CRDLIFT_PATHS=bad\ngood"}, 0, []string{"::warning file=api/bad/crons.crdtest.yaml,line=7,"}, []string{"failed=1\n", "errors=0\n"}, "::error"},
		{"CRDs of a commit", []string{"CRDLIFT_PATHS=api/bad", "CRDLIFT_CRDS=git:HEAD:api/crd"}, 1, []string{failed}, []string{"failed=1\n"}, "::notice"},
		{"CRDs elsewhere", []string{"CRDLIFT_PATHS=others", "CRDLIFT_CRDS=api/crd"}, 1, []string{"::error file=others/a.crdtest.yaml,line=6,"}, []string{"cases=1\n", "failed=1\n"}, ""},
		{"a way to apply, which says nothing of tests", []string{"CRDLIFT_PATHS=api/good", "CRDLIFT_APPLY=server-side"}, 0, nil, []string{"cases=1\n"}, "file="},
		{"what tests cover", []string{"CRDLIFT_PATHS=api/good", "CRDLIFT_COVER_MIN=bounds=100"}, 1, []string{"title=test-coverage::"}, []string{"failed=0\n", "coverage=0\n", "errors=1\n"}, ""},
		{"enough", []string{"CRDLIFT_PATHS=api/bad", "CRDLIFT_COVER_MIN=rules=100", "CRDLIFT_ARGS=--run=/short/"}, 0, nil, []string{"coverage=0\n"}, "file="},
		{"no share", []string{"CRDLIFT_PATHS=api/good", "CRDLIFT_COVER_MIN=$(touch pwned)"}, 2, nil, nil, "::error file"},
		{"no suites", []string{"CRDLIFT_PATHS=none"}, 2, nil, nil, "::error file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t, files)
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "--quiet", "--message=all")
			got := lint(t, dir, c.env, "CRDLIFT_COMMAND=test")
			got.want(t, c.exit, got.stdout, c.stdout...)
			got.want(t, c.exit, got.output, c.output...)
			if c.lacks != "" && strings.Contains(got.stdout, c.lacks) {
				t.Errorf("there is %q:\n%s", c.lacks, got)
			}
			if c.exit == 1 {
				got.want(t, 1, got.summary, "## crdlift", " in ", " suite", ".crdtest.y", "| error |")
			}
			if strings.Contains(got.output, "coverage=0") {
				got.want(t, c.exit, got.summary, "\n| <code>crons.example.com</code> | 0 of 1 | 0 of 1 |\n")
			}
		})
	}
}
