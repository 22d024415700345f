package action

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCache runs lint with a folder for results: the first run fills it and says that there is something to save, the next
// one says nothing, and both report the same.
func TestCache(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"config/a.yaml": crd("queues", broken)})
	results := filepath.Join(t.TempDir(), "crdlift-results")
	env := []string{"CRDLIFT=" + program(t), "CRDLIFT_PATHS=config", "CRDLIFT_RESULTS=" + results, "CRDLIFT_CACHE=true"}
	first := run(t, "lint.sh", dir, env...)
	first.want(t, 1, first.output, "findings=", "errors=")
	saved := regexp.MustCompile(`(?m)^results=\d+-\d+$`)
	if !saved.MatchString(first.output) {
		t.Errorf("there is nothing to save: %s", first.output)
	}
	second := run(t, "lint.sh", dir, env...)
	if strings.Contains(second.output, "results=") {
		t.Errorf("the same is to be saved again: %s", second.output)
	}
	tokens := regexp.MustCompile(`crdlift-[0-9a-f]{32}`)
	if a, b := tokens.ReplaceAllString(first.stdout, ""), tokens.ReplaceAllString(second.stdout, ""); a != b || first.summary != second.summary || second.exit != 1 {
		t.Errorf("the runs differ:\n%s\n%s", a, b)
	}
	write(t, dir, "config/b.yaml", crd("crons", schedule))
	if third := run(t, "lint.sh", dir, env...); !saved.MatchString(third.output) {
		t.Errorf("a new file leaves nothing to save: %s", third.output)
	}
}

// TestCacheOff runs without a cache: by the input, by a flag of the user's, and where a command has none.
func TestCacheOff(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"config/a.yaml": crd("queues", schedule)})
	mine := filepath.Join(t.TempDir(), "mine")
	for name, c := range map[string]struct {
		env  []string
		exit int
	}{
		"off":       {[]string{"CRDLIFT_CACHE=false"}, 0},
		"a flag":    {[]string{"CRDLIFT_CACHE=true", "CRDLIFT_ARGS=--cache=" + mine}, 0},
		"validate":  {[]string{"CRDLIFT_CACHE=true", "CRDLIFT_COMMAND=validate", "CRDLIFT_ARGS=--allow-empty"}, 0},
		"no answer": {[]string{"CRDLIFT_CACHE=perhaps"}, 2},
	} {
		results := filepath.Join(t.TempDir(), "crdlift-results")
		got := run(t, "lint.sh", dir, append(c.env, "CRDLIFT="+program(t), "CRDLIFT_PATHS=config", "CRDLIFT_AGAINST=none", "CRDLIFT_RESULTS="+results)...)
		if got.exit != c.exit || strings.Contains(got.output, "results=") {
			t.Errorf("%s: exit code %d, want %d: %s%s", name, got.exit, c.exit, got.output, got.stderr)
		}
		if _, err := os.Stat(results); err == nil {
			t.Errorf("%s: there is a cache", name)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
