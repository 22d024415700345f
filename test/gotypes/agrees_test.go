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
	"github.com/crdlift/crdlift/lint"
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

// TestCarriers puts markers of sizes where they are said to belong. Controller-gen has to accept them all, and to write
// them where they were meant.
func TestCarriers(t *testing.T) {
	type expectation struct {
		version int
		path    string
		keyword string
	}
	var expected []expectation
	markers := markers{}
	dir, versions := sized(t, func(i int, path []string, l limit, p gotypes.Place) {
		prefix, c := "+kubebuilder:validation:", p.TypedCarrier()
		if c.Items {
			prefix += "items:"
		}
		switch {
		case c.Field != nil:
			markers.add(c.Field.Pos, prefix+l.marker+"=7")
		case c.Type != nil:
			markers.add(c.Type.Pos, prefix+l.marker+"=7")
		default:
			return
		}
		expected = append(expected, expectation{i, strings.Join(path, "."), l.keyword})
	})
	if len(expected) < 40 {
		t.Errorf("only %d places carry markers", len(expected))
	}
	markers.insert(t, dir)
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

// TestNoCarriers puts markers of sizes at the fields that are not said to carry them. Controller-gen has to reject each.
func TestNoCarriers(t *testing.T) {
	markers := markers{}
	dir, _ := sized(t, func(_ int, path []string, l limit, p gotypes.Place) {
		if p.Outcome == gotypes.Exact && p.Field != nil && len(p.Elements) == 0 && p.TypedCarrier().Field == nil {
			markers.add(p.Field.Pos, "+kubebuilder:validation:"+l.marker+"=7")
		}
	})
	want := 0
	for _, lines := range markers {
		want += len(lines)
	}
	if want < 10 {
		t.Errorf("only %d fields carry no markers", want)
	}
	markers.insert(t, dir)
	_, complaints := generate(t, dir, "./...")
	refused := map[string]bool{}
	for line := range strings.Lines(complaints) {
		if place, _, ok := strings.Cut(line, ": must apply "); ok {
			refused[place] = true
		}
	}
	if len(refused) != want {
		t.Errorf("%d of %d markers were rejected:\n%s", len(refused), want, complaints)
	}
}

// A limit is a marker of a size, and the keyword that it sets.
type limit struct{ marker, keyword string }

// limits are those for each type of a schema.
var limits = map[string]limit{
	"array":  {"MaxItems", "maxItems"},
	"string": {"MaxLength", "maxLength"},
	"object": {"MaxProperties", "maxProperties"},
}

// sized calls a function for every place of the fixture whose size may be limited, with the number of the version.
func sized(t *testing.T, do func(version int, path []string, l limit, p gotypes.Place)) (dir string, versions []version) {
	t.Helper()
	dir = unpack(t, filepath.Join("testdata", "widgets.txtar"))
	versions, complaints := generate(t, dir, "./...")
	if complaints != "" {
		t.Fatal(complaints)
	}
	x := index(dir)
	for i, v := range versions {
		kind := x.Find(filepath.Join(dir, "crd.yaml"), v.id).Kind
		each(v.schema, nil, func(path []string, node map[string]any) {
			typeName, _ := node["type"].(string)
			if l, ok := limits[typeName]; ok && node["format"] == nil {
				do(i, path, l, kind.At(path...))
			}
		})
	}
	return dir, versions
}

// markers are markers to insert, by file and line.
type markers map[string]map[int][]string

func (m markers) add(at lint.Position, marker string) {
	if m[at.File] == nil {
		m[at.File] = map[int][]string{}
	}
	if !slices.Contains(m[at.File][at.Line], marker) {
		m[at.File][at.Line] = append(m[at.File][at.Line], marker)
	}
}

func (m markers) insert(t *testing.T, dir string) {
	t.Helper()
	for file, lines := range m {
		insert(t, filepath.Join(dir, filepath.FromSlash(file)), lines)
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
