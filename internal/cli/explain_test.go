package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/rules"
)

// TestRulesKeepTheContract validates the catalogue, and a rule's page of each topic, against the published schema.
func TestRulesKeepTheContract(t *testing.T) {
	t.Parallel()
	c := jsonschema.NewCompiler()
	text, err := os.ReadFile("../../docs/schema/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("rules.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("rules.json")
	if err != nil {
		t.Fatal(err)
	}
	listed := func(want int, args ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := Run(args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, &stderr)
		}
		value, err := jsonschema.UnmarshalJSON(&stdout)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		if got := len(value.(map[string]any)["rules"].([]any)); got != want {
			t.Errorf("%v: %d rules, want %d", args, got, want)
		}
	}
	listed(len(rules.All()), "explain", "--output", "json")
	for _, topic := range rules.Topics() {
		listed(1, "explain", "--output", "json", topic.Rules[0].ID)
		listed(len(topic.Rules), "explain", "--output", "json", topic.Name)
	}
}
