package plan

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchema holds plans as JSON to docs/schema/plan.json.
func TestSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	var plans []*Plan
	made, err := Make(crdOf("v1alpha1:served+storage"), with(crdOf("v1:served+storage"), webhook), Options{File: "foos.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	plans = append(plans, made)
	if made, err = Added(crdOf("v1:served+storage")); err != nil {
		t.Fatal(err)
	}
	plans = append(plans, made)
	if made, err = Deleted(crdOf("v1:served+storage")); err != nil {
		t.Fatal(err)
	}
	plans = append(plans, made)
	raw, err := json.Marshal(map[string]any{"version": 1, "plans": plans})
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
}
