package mutants

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEach wants every keyword that upstream has to be changed at every kind of place, and each change to be made.
func TestEach(t *testing.T) {
	t.Parallel()
	keywords := []string{"$ref", "type", "enum", "default", "x-kubernetes-map-type", "x-kubernetes-validations", "externalDocs"}
	places := map[string][]string{
		"v1": {"", " properties spec", " properties metadata properties name", " properties spec properties list items properties name", " properties spec properties map additionalProperties",
			" properties spec anyOf 0", " properties spec oneOf 0", " properties spec allOf 0 properties name", " properties spec not", " properties spec properties pod properties metadata"},
	}
	places["v1beta1 that prunes"] = places["v1"]
	for name, text := range Small() {
		raw, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all := Each(raw)
		t.Logf("%s: %d changes", name, len(all))
		changed := map[string]bool{}
		for _, c := range all {
			changed[strings.Trim(fmt.Sprint(c.steps), "[]")] = true
		}
		root := "spec versions 0 schema openAPIV3Schema"
		if name != "v1" {
			root = "spec validation openAPIV3Schema"
		}
		for _, place := range places[name] {
			for _, keyword := range keywords {
				if at := root + place + " " + keyword; !changed[at] {
					t.Errorf("%s: nothing is changed at %s", name, at)
				}
			}
		}
		for _, at := range []string{"metadata ownerReferences", "spec names shortNames 0", "spec scope", "spec versions 0 subresources", "status storedVersions"} {
			if !changed[at] && !strings.Contains(name, "without a type") && !strings.Contains(name, "keeps unknown") {
				t.Errorf("%s: nothing is changed at %s", name, at)
			}
		}
	}
}

// TestWith makes changes of a field, a member, and an element.
func TestWith(t *testing.T) {
	t.Parallel()
	raw := []byte(`{"apiVersion":"x","a":{"b":1},"l":[1,{"c":2}]}`)
	for want, changes := range map[string][]Change{
		`{"apiVersion":"x","a":{"b":1},"l":[1,{"c":2}]}`: nil,
		`{"apiVersion":"x","a":{},"l":[1,{"c":"<"}]}`:    {{[]any{"a", "b"}, ""}, {[]any{"l", 1, "c"}, `"<"`}},
		`{"apiVersion":"x","a":null,"l":[true,{"c":2}]}`: {{[]any{"a"}, "null"}, {[]any{"l", 0}, "true"}},
	} {
		var got, wanted any
		if err := json.Unmarshal(With(raw, changes...), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(want), &wanted); err != nil || !reflect.DeepEqual(got, wanted) {
			t.Errorf("%v makes %v, want %s", changes, got, want)
		}
	}
}
