package objects

import (
	"fmt"
	"slices"
	"testing"
)

// TestKeptServers: while the objects of a kind come together, few servers are kept; when they come by turns, all are.
func TestKeptServers(t *testing.T) {
	t.Parallel()
	kinds := make([]int, 3*atFirst)
	for i := range kinds {
		kinds[i] = i
	}
	for name, test := range map[string]struct {
		order []int
		kept  int
	}{
		"together": {kinds, atFirst},
		"by turns": {slices.Repeat(kinds, 5), len(kinds)},
		"few":      {slices.Repeat(kinds[:atFirst], 5), atFirst},
	} {
		var c Catalogue
		for i := range kinds {
			c.Add(Definitions("crd.yaml", "crd.yaml", fmt.Appendf(nil, manyCRD, i, i, i, i), false)...)
		}
		all := c.Kinds()
		for _, i := range test.order {
			if server, why := all[i].Server(); server == nil {
				t.Fatalf("%s: %s", name, why)
			}
		}
		kept := 0
		for _, d := range all {
			if d.server != nil {
				kept++
			}
		}
		if kept != test.kept {
			t.Errorf("%s: %d servers are kept, want %d", name, kept, test.kept)
		}
	}
}

const manyCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kind%02ds.example.com}
spec:
  group: example.com
  names: {kind: Kind%02d, plural: kind%02ds, singular: kind%02d}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

func TestKindIn(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"kind: Boat\napiVersion: example.com/v1\n":                     "Boat",
		"# a boat\napiVersion: example.com/v1\nkind:   Boat # one\n":   "Boat",
		"apiVersion: example.com/v1\nspec: {kind: Mast}\nkind: Boat\n": "Boat",
		"kind: Boat\n---\nkind: Mast\n":                                "Boat",
		"{apiVersion: example.com/v1, kind: Boat}\n":                   "",
		"spec:\n  kind: Mast\n":                                        "",
		"":                                                             "",
	} {
		if got := KindIn([]byte(src)); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

// TestUnload: a CRD that let go of what can be read again has no schemas, and judges as before.
func TestUnload(t *testing.T) {
	t.Parallel()
	const stored = "status: {storedVersions: [v0]}\n"
	copied := fmt.Sprintf(manyCRD, 1, 1, 1, 1)
	text := []byte(fmt.Sprintf(manyCRD, 0, 0, 0, 0) + "---\n" + copied + stored)
	read := func() []byte { return text }
	all := Definitions("a.yaml", "a.yaml", text, false)
	broken := Definitions("c.yaml", "c.yaml", []byte("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\na: b: c\n"), false)
	beside := Definitions("b.yaml", "b.yaml", []byte(copied), false)
	for _, d := range append(all, broken...) {
		d.Unload(read)
	}
	var c Catalogue
	c.Add(append(append(all, beside...), broken...)...)
	second := all[1]
	for range 2 {
		if second.Document.File.Source != nil || second.Hub.Spec.Validation != nil || second.tree != nil || second.whole != nil || second.server != nil {
			t.Error("it has not let go of everything")
		}
		schema := second.Whole().Spec.Validation // that of all versions
		if schema == nil || schema.OpenAPIV3Schema.Type != "object" || !slices.Equal(second.Whole().Status.StoredVersions, []string{"v0"}) {
			t.Errorf("read again: %+v", second.Whole())
		}
		if whole, tree := second.Whole(), second.Tree(); second.Whole() != whole || second.Tree() != tree {
			t.Error("it is read each time")
		}
		if server, why := second.Server(); server == nil || server.Version("v1") == nil {
			t.Errorf("nothing judges: %s", why)
		}
		if at := second.Where(); at.Line != 13 {
			t.Errorf("it is at %v", at)
		}
		second.Unload(nil)
	}
	for _, text = range [][]byte{nil, []byte("a: b: c\n"), []byte("---\n---\nkind: Other\n"), []byte(copied + "---\n" + fmt.Sprintf(manyCRD, 0, 0, 0, 0))} {
		second.Unload(nil) // and the file has changed meanwhile
		if at := second.Where(); at.File != "a.yaml" || at.Line < 1 {
			t.Errorf("%q: it is at %v", text, at)
		}
		if server, why := second.Server(); server != nil || why == "" {
			t.Errorf("%q: something judges", text)
		}
		second.Refused()
	}
	text = []byte(fmt.Sprintf(manyCRD, 0, 0, 0, 0) + "---\n" + copied)
	second.Unload(nil) // and it is as before
	if server, why := second.Server(); server == nil {
		t.Error(why)
	}
	if beside[0].Whole().Spec.Validation == nil || beside[0].Hub != beside[0].Whole() {
		t.Error("a copy that was not unloaded has no schema")
	}
	if d := broken[0]; d.Unread() == "" || d.Tree().CRD == nil || d.Whole() != d.Hub {
		t.Errorf("what does not parse: %+v", d)
	}
}
