package older

import (
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// FuzzFind looks for every whole CRD that a file of the old side has, as a dump of a cluster: each is found by its name,
// however that is written, and once all were asked for none is lost.
func FuzzFind(f *testing.F) {
	one := manifestOf("foos.example.com", "here")
	f.Add(one, "a.yaml", "b/a.yaml")
	f.Add(one+"status: {storedVersions: [v1, &a v2, *a]}\n---\n"+manifestOf("bars.example.com", ""), "v1.10/x.yaml", "v1.9/x.yaml")
	f.Add(`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos\u002eexample.com","uid":"1"},"spec":{"group":"example.com"}}]}`, "", "..")
	f.Add(manifestOf(`"foos\x2eexample.com"`, ""), "/", "a//b")
	f.Add(manifestOf("\"foos.\\\n    example.com\"", ""), "a", "a")
	f.Add(manifestOf("!!binary Zm9vcy5leGFtcGxlLmNvbQ==", ""), "a", "0000")
	f.Add("apiVersion: apiextensions.k8s.io/v1\nkind: \"CustomResource\\u0044efinition\"\nmetadata: {name: foos.example.com}\nspec: {names: {}}\n", "a", "b")
	f.Fuzz(func(t *testing.T, text, path, from string) {
		s, err := New([]lint.File{fileOf(path, text)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range crd.Parse([]byte(text)) {
			FromCluster(c)
			name := c.Name()
			found := s.Find(name, from, 0)
			if !c.IsPart() && (found == nil || found.Name() != name) {
				t.Errorf("%q is not found in %q", name, text)
			}
		}
		if lost := s.Lost(func(lint.File) bool { return true }); len(lost) > 0 {
			t.Errorf("%q was asked for, and is lost", lost[0].Name)
		}
		if at, ok := s.At(path); !ok || at.Path != path {
			t.Errorf("%q is at %q", path, at.Path)
		}
	})
}
