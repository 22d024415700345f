package gotypes

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/gotypes"
)

// TestDescriptions expects the descriptions that controller-gen writes, and the members.
func TestDescriptions(t *testing.T) {
	dir := unpack(t, filepath.Join("testdata", "widgets.txtar"))
	versions, complaints := generate(t, dir, "./...")
	if complaints != "" {
		t.Fatal(complaints)
	}
	x := index(dir)
	compared := 0
	for _, v := range versions {
		kind := x.Find(filepath.Join(dir, "crd.yaml"), v.id).Kind
		check := func(path []string, node map[string]any) {
			p := kind.At(path...)
			if p.Outcome != gotypes.Exact {
				return
			}
			description, _ := node["description"].(string)
			if p.DocKnown {
				compared++
				if p.Doc != description {
					t.Errorf("%v %s: %q, want %q", v.id, strings.Join(path, "."), p.Doc, description)
				}
			}
			fields, complete := p.Members()
			if !complete {
				return
			}
			var names []string
			for _, f := range fields {
				names = append(names, f.JSON)
			}
			properties, _ := node["properties"].(map[string]any)
			want := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(name string) bool {
				return len(path) == 0 && (name == "apiVersion" || name == "kind")
			})
			if slices.Sort(names); !slices.Equal(names, want) {
				t.Errorf("%v %s: members %v, want %v", v.id, strings.Join(path, "."), names, want)
			}
		}
		check(nil, v.schema)
		each(v.schema, nil, check)
	}
	if compared < 40 {
		t.Errorf("only %d descriptions were compared", compared)
	}
}

// limits are the markers of a size, by the type of the schema.
var limits = map[string]struct{ marker, keyword string }{
	"array":  {"MaxItems", "maxItems"},
	"string": {"MaxLength", "maxLength"},
	"object": {"MaxProperties", "maxProperties"},
}

// TestCarriers puts markers of sizes where they are said to belong. Controller-gen has to accept them all, and to write
// them where they were meant.
func TestCarriers(t *testing.T) {
	dir := unpack(t, filepath.Join("testdata", "widgets.txtar"))
	versions, complaints := generate(t, dir, "./...")
	if complaints != "" {
		t.Fatal(complaints)
	}
	x := index(dir)
	inserted := map[string]map[int][]string{} // markers by file and line
	type expectation struct {
		version int
		path    string
		keyword string
	}
	var expected []expectation
	for i, v := range versions {
		kind := x.Find(filepath.Join(dir, "crd.yaml"), v.id).Kind
		each(v.schema, nil, func(path []string, node map[string]any) {
			typeName, _ := node["type"].(string)
			format, _ := node["format"].(string)
			limit, ok := limits[typeName]
			carrier := kind.At(path...).TypedCarrier()
			if !ok || format != "" || carrier == (gotypes.Carrier{}) {
				return
			}
			marker := "+kubebuilder:validation:"
			if carrier.Items {
				marker += "items:"
			}
			marker += limit.marker + "=7"
			var file string
			var line int
			if carrier.Field != nil {
				file, line = carrier.Field.Pos.File, carrier.Field.Pos.Line
			} else {
				file, line = carrier.Type.Pos.File, carrier.Type.Pos.Line
			}
			if inserted[file] == nil {
				inserted[file] = map[int][]string{}
			}
			if !slices.Contains(inserted[file][line], marker) {
				inserted[file][line] = append(inserted[file][line], marker)
			}
			expected = append(expected, expectation{i, strings.Join(path, "."), limit.keyword})
		})
	}
	if len(expected) < 40 {
		t.Errorf("only %d places carry markers", len(expected))
	}
	for file, lines := range inserted {
		insert(t, filepath.Join(dir, filepath.FromSlash(file)), lines)
	}
	marked, complaints := generate(t, dir, "./...")
	if complaints != "" {
		t.Fatal(complaints)
	}
	got := map[string]map[string]any{}
	for i, v := range marked {
		each(v.schema, nil, func(path []string, node map[string]any) { got[fmt.Sprint(i, strings.Join(path, "."))] = node })
	}
	for _, e := range expected {
		if !has(got[fmt.Sprint(e.version, e.path)], e.keyword) {
			t.Errorf("%v %s has no %s", versions[e.version].id, e.path, e.keyword)
		}
	}
}

// has reports whether a schema has a keyword. A field and its type may both have one, since another field of the type needs
// it there; controller-gen then writes both below allOf.
func has(node map[string]any, keyword string) bool {
	if node[keyword] != nil {
		return true
	}
	all, _ := node["allOf"].([]any)
	return slices.ContainsFunc(all, func(part any) bool {
		node, _ := part.(map[string]any)
		return node[keyword] != nil
	})
}

// insert writes comments above lines of a file.
func insert(t *testing.T, path string, comments map[int][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		for _, comment := range comments[n] {
			fmt.Fprintf(&all, "// %s\n", comment)
		}
		all.WriteString(line)
	}
	if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
