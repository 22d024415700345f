package complete

import (
	"os"
	"testing"
)

// FuzzAt: whatever the text and the place, what is offered and said is of that place.
func FuzzAt(f *testing.F) {
	crds := garden(f)
	src, err := os.ReadFile("testdata/garden.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{bed, string(src), head + "spec: {soil: ", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n  v", "- ", "{\"kind\": "} {
		f.Add([]byte(seed), len(seed)/2)
		f.Add([]byte(seed), len(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		if offset < 0 || offset > len(src) {
			return
		}
		text := &Text{Path: "a.yaml", Source: src, CRDs: crds}
		for _, item := range text.At(offset) {
			if item.Label == "" || item.Insert == "" || item.Start < 0 || item.Start > offset || item.End < offset || item.End > len(src) {
				t.Errorf("at %d of %q: %+v", offset, src, item)
			}
		}
		if note := text.NoteAt(offset); note != nil && (note.Text == "" || note.Start > offset || note.End < offset || note.Start >= note.End) {
			t.Errorf("at %d of %q: %+v", offset, src, note)
		}
	})
}
