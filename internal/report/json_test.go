package report

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/lint"
)

// contract is the published schema; a closed one takes no members that it does not name.
func contract(t *testing.T, closed bool) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/schema/findings.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if closed {
		closeObjects(schema)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("findings.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("findings.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func closeObjects(schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		if _, anyName := schema["additionalProperties"]; schema["type"] == "object" && !anyName {
			schema["additionalProperties"] = false
		}
		for _, member := range schema {
			closeObjects(member)
		}
	case []any:
		for _, member := range schema {
			closeObjects(member)
		}
	}
}

// TestJSONContract validates the output against the published schema. Every member of the schema is written at least
// once.
func TestJSONContract(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*lint.Report{"nasty": nasty(), "generated": generated(), "objects": ofObjects(), "conversions": ofConversions(), "repository": inRepository(), "tests": ofTests(), "covered": covered(), "carried": ofCarried(false), "empty": {}} {
		out, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(write(t, JSON, r, options))))
		if err != nil {
			t.Fatal(err)
		}
		for _, closed := range []bool{false, true} {
			if err := contract(t, closed).Validate(out); err != nil {
				t.Errorf("%s (closed: %v): %v", name, closed, err)
			}
		}
	}
	if err := contract(t, false).Validate(map[string]any{"version": 1, "findings": []any{map[string]any{}}}); err == nil {
		t.Error("the schema takes anything")
	}
}

// covered is a report that has all there is to say of coverage.
func covered() *lint.Report {
	return &lint.Report{Coverage: []lint.Coverage{{
		CRD: "doors.shop.example.com", File: "crd.yaml", Versions: []string{"v1"}, Tested: 1, Counted: 2, Sampled: true,
		Constraints: []lint.CoveredConstraint{
			{Kind: "rules", Keyword: "x-kubernetes-validations", Value: "self.a > 0", Versions: []string{"v1"}, Line: 3, Column: 5, State: "tested", By: "door/a",
				Next: "tested; no case distinguishes it from self.a >= 0", Mutants: []lint.Mutant{{Expression: "self.a >= 0"}}, New: true},
			{Kind: "enums", Keyword: "enum", Value: `["a","b"]`, Field: "spec.b", Versions: []string{"v1"}, Line: 4, Column: 5, State: "reached", Accepted: 2, Unseen: []string{"b"}},
			{Kind: "bounds", Keyword: "minimum", Value: "0", Field: "spec.c", Versions: []string{"v1"}, Line: 5, Column: 5, State: "ignored", Why: "no one counts", Edge: true},
		},
	}, {CRD: "shelves.shop.example.com", File: "other.yaml", Versions: []string{}, Constraints: []lint.CoveredConstraint{}}}}
}

// TestJSONExample holds the example of the documentation against the schema.
func TestJSONExample(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/outputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := bytes.Cut(page, []byte("```json\n"))
	example, _, _ = bytes.Cut(example, []byte("```"))
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	if err := contract(t, true).Validate(value); err != nil {
		t.Error(err)
	}
}

// TestJSONKeepsText tests escapes: a program reads the finding's text unchanged.
func TestJSONKeepsText(t *testing.T) {
	t.Parallel()
	message := "\x1b[31m \u009b \u202e \u200d \x7f \x00 \U000e0001 <&> \u2028 \"\\ \ufffd 世"
	r := &lint.Report{Findings: []*lint.Finding{{Rule: oddRule, Severity: lint.Info, Message: message}}}
	var got jsonReport
	if err := json.Unmarshal([]byte(write(t, JSON, r, Options{})), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(message, got.Findings[0].Message); diff != "" {
		t.Error(diff)
	}
}
