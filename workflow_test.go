package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWorkflow has GitHub run every step of .ci/run on every change, and move the versions of every Go module that is not
// held at those of Kubernetes 1.21, at those of an older client, or at the lowest that users of the module may have.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	script := read(t, filepath.Join(".ci", "run"))
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\t*(?:if .* then )?(?:step|turn|advise) "?([a-z0-9-]+)`).FindAllStringSubmatch(script, -1) {
		if m[1] == "race-" {
			want = append(want, "race-1", "race-2", "race-3", "race-4", "race-5")
		} else {
			want = append(want, m[1])
		}
	}
	waiting := regexp.MustCompile(`(?m)^waiting=\((.*)\)$`).FindStringSubmatch(script)
	want = append(want, strings.Fields(waiting[1])...)
	workflow := read(t, filepath.Join(".github", "workflows", "ci.yml"))
	_, list, _ := strings.Cut(workflow, "\n        steps:\n")
	list, _, _ = strings.Cut(list, "\n    runs-on:")
	got := append(strings.Fields(strings.ReplaceAll(list, "- ", "")), "test") // which has a job of its own, for all systems
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("ci.yml runs %q, .ci/run has %q", got, want)
	}

	updates := strings.Split(read(t, filepath.Join(".github", "dependabot.yml")), "\n")
	for _, pattern := range []string{"go.mod", "*/go.mod", "test/*/go.mod", "test/*/*/go.mod"} {
		modules, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range modules {
			folder := filepath.ToSlash(filepath.Dir(filepath.Join("/", module)))
			older := strings.Contains(folder, "121") || strings.HasSuffix(folder, "kubectl028") || strings.HasSuffix(folder, "kubectl032") || folder == "/crdfake" ||
				strings.HasPrefix(folder, "/test/converters/")
			if !older && !slices.Contains(updates, "  - "+folder) {
				t.Errorf("dependabot.yml does not have %s", folder)
			}
		}
	}
}

// TestRacing keeps packages that start goroutines, and those with what several of them share, in the race detector's turns of .ci/run.
func TestRacing(t *testing.T) {
	t.Parallel()
	script := read(t, filepath.Join(".ci", "run"))
	_, list, _ := strings.Cut(script, "\nracing[2]='")
	list, _, _ = strings.Cut(list, "'\n")
	turns := append(strings.Fields(list), "./internal/webhook") // which has its own
	concurrent := regexp.MustCompile(`(?m)^\s*go [\w.]+\(|\.Go\(func|\bsync\.(RW)?Mutex\b|\batomic\.`)
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		own := "./" + filepath.ToSlash(filepath.Dir(file))
		if !strings.HasSuffix(file, "_test.go") && !slices.Contains(turns, own) && concurrent.MatchString(read(t, file)) {
			t.Errorf("%s is not in the turns of the race detector, which are %q", file, turns)
		}
	}
}
