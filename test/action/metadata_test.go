package action

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestMetadata keeps action.yml to what the scripts rely on: no expression within a script, pinned actions, and all
// inputs handed over.
func TestMetadata(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(repository(t, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs  map[string]struct{ Description string }
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []struct {
				ID, Uses, Run, Shell string
				Env                  map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	pinned := regexp.MustCompile(`^[^@]+@[0-9a-f]{40}$`)
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression within a script: %s", step.Run)
		}
		if step.Uses != "" && !pinned.MatchString(step.Uses) {
			t.Errorf("%s is not pinned by its commit", step.Uses)
		}
		if step.Run == "" {
			continue
		}
		_, script, _ := strings.Cut(strings.TrimSuffix(step.Run, `"`), "$GITHUB_ACTION_PATH/")
		source, err := os.ReadFile(repository(t, script))
		if err != nil {
			t.Error(err)
		}
		for name, value := range step.Env {
			if input, ok := strings.CutPrefix(value, "${{ inputs."); ok {
				used[strings.TrimSuffix(input, " }}")] = true
			}
			all := string(source)
			if strings.HasSuffix(script, "lint.sh") {
				base, _ := os.ReadFile(repository(t, "action", "base.sh"))
				all += string(base)
			}
			if !strings.Contains(all, name) {
				t.Errorf("%s does not read %s", script, name)
			}
		}
	}
	for name := range action.Inputs {
		if !used[name] {
			t.Errorf("no step is told of the input %s", name)
		}
	}
	const tail = "@668228422ae6a00e4ad889ee87cd7109ec5666a7"
	var cache []string
	for _, step := range action.Runs.Steps {
		if name, ok := strings.CutSuffix(step.Uses, tail); ok {
			cache = append(cache, name)
		}
	}
	if want := []string{"actions/cache", "actions/cache/restore", "actions/cache/save"}; !slices.Equal(cache, want) {
		t.Errorf("of one release of actions/cache, the steps use %q, want %q", cache, want)
	}
	for _, name := range []string{"findings", "errors", "objects", "refused", "cases", "failed", "coverage", "sarif", "json"} {
		if action.Outputs[name].Value == "" {
			t.Errorf("there is no output %s", name)
		}
	}
}
