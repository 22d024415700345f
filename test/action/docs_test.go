package action

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestDocs keeps docs/guides/ci.md to the inputs and hooks that there are.
func TestDocs(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(repository(t, strings.Split(name, "/")...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	docs := read("docs/guides/ci.md")

	var action struct{ Inputs, Outputs map[string]any }
	if err := yaml.Unmarshal([]byte(read("action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	for _, names := range []map[string]any{action.Inputs, action.Outputs} {
		for name := range names {
			if !strings.Contains(docs, "\n| `"+name+"` | ") {
				t.Errorf("there is no row about %s", name)
			}
		}
	}
	for _, with := range regexp.MustCompile(`(?m)^ +(?:- )?uses: crdlift/crdlift@.*\n +with:\n((?: {8}.*\n)*)`).FindAllStringSubmatch(docs, -1) {
		var inputs map[string]any
		if err := yaml.Unmarshal([]byte(with[1]), &inputs); err != nil || len(inputs) == 0 {
			t.Errorf("%v in\n%s", err, with[0])
		}
		for name := range inputs {
			if action.Inputs[name] == nil {
				t.Errorf("there is no input %s", name)
			}
		}
	}

	var hooks []struct{ ID, Entry string }
	if err := yaml.Unmarshal([]byte(read(".pre-commit-hooks.yaml")), &hooks); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, hook := range hooks {
		ids[hook.ID] = true
		if strings.HasSuffix(hook.ID, "-system") {
			continue
		}
		if !strings.Contains(docs, "| `"+hook.ID+"` | `"+hook.Entry) {
			t.Errorf("there is no row about %s, which runs %s", hook.ID, hook.Entry)
		}
	}
	for _, id := range regexp.MustCompile(`id: (crdlift-[a-z-]+)`).FindAllStringSubmatch(docs, -1) {
		if !ids[id[1]] {
			t.Errorf("there is no hook %s", id[1])
		}
	}
	for id := range ids {
		if !strings.HasSuffix(id, "-system") && !ids[id+"-system"] {
			t.Errorf("%s has no twin that runs the program on the PATH", id)
		}
	}
}
