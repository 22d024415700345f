package request

import (
	"encoding/json"
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// TestOnly: what is left of a schema is the way to what counts. A property never becomes an additional one.
func TestOnly(t *testing.T) {
	t.Parallel()
	s := func(members map[string]structuralschema.Structural) *structuralschema.Structural {
		return &structuralschema.Structural{Properties: members}
	}
	counting := structuralschema.Structural{Generic: structuralschema.Generic{Title: "counts"}}
	plain := structuralschema.Structural{Generic: structuralschema.Generic{Title: "plain"}}
	values := &structuralschema.StructuralOrBool{Structural: &counting}
	for _, test := range []struct {
		about      string
		schema     *structuralschema.Structural
		properties string // of what is left, by name; "" where nothing is
	}{
		{"no schema", nil, ""},
		{"nothing that counts", s(map[string]structuralschema.Structural{"a": plain, "b": *s(nil)}), ""},
		{"a property", s(map[string]structuralschema.Structural{"a": plain, "b": counting}), `{"b":"counts"}`},
		{"something in a property", s(map[string]structuralschema.Structural{"a": *s(map[string]structuralschema.Structural{"b": counting})}), `{"a":""}`},
		{"items", s(map[string]structuralschema.Structural{"a": {Items: &counting}, "b": {Items: &plain}}), `{"a":""}`},
		{"values", s(map[string]structuralschema.Structural{"a": {AdditionalProperties: values}, "b": plain}), `{"a":""}`},
		{"values beside a property", &structuralschema.Structural{AdditionalProperties: values, Properties: map[string]structuralschema.Structural{"a": plain}}, `{"a":""}`},
	} {
		left := only(test.schema, func(s *structuralschema.Structural) bool { return s.Title == "counts" })
		got := ""
		if left != nil {
			names := map[string]string{}
			for name, p := range left.Properties {
				names[name] = p.Title
			}
			text, err := json.Marshal(names)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
		}
		if got != test.properties {
			t.Errorf("%s: left is %q, want %q", test.about, got, test.properties)
		}
	}
}

func TestHasNull(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`null`: true, `{"a":[{"b":null}]}`: true, `[1,null]`: true, `{"a":[{"b":0}],"c":"null"}`: false, `{}`: false,
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if got := hasNull(value); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
