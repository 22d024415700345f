package run

import "testing"

// TestRepositoryName: the name is that of the checkout that the run is in, and of no other.
func TestRepositoryName(t *testing.T) {
	here, other := t.TempDir(), t.TempDir()
	t.Chdir(here)
	github := map[string]string{"GITHUB_SERVER_URL": "https://example.com", "GITHUB_REPOSITORY": "o/a", "GITHUB_SHA": "c1", "GITHUB_WORKSPACE": here}
	gitlab := map[string]string{"GITLAB_CI": "true", "CI_PROJECT_PATH": "group/sub/b", "CI_PROJECT_DIR": here}
	with := func(env map[string]string, name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return env[asked]
		}
	}
	for _, c := range []struct {
		story string
		env   func(string) string
		want  string
	}{
		{"a workflow", with(github, "", ""), "o/a"},
		{"a workflow elsewhere", with(github, "GITHUB_WORKSPACE", other), ""},
		{"a job", with(gitlab, "", ""), "group/sub/b"},
		{"a job elsewhere", with(gitlab, "CI_PROJECT_DIR", other), ""},
		{"a job without a folder", with(gitlab, "CI_PROJECT_DIR", ""), ""},
		{"variables of a job alone", with(gitlab, "GITLAB_CI", ""), ""},
		{"a shell", with(nil, "", ""), ""},
	} {
		if got := RepositoryName(c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.story, got, c.want)
		}
	}
}
