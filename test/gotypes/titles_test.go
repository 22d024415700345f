package gotypes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/gotypes"
)

// TestTitles puts a marker above every field that makes the field's own position the title of its schema, and expects the
// titles where the fields are said to be.
func TestTitles(t *testing.T) {
	dir := unpack(t, filepath.Join("testdata", "widgets.txtar"))
	titled := copied(t, dir)
	mark(t, titled)
	versions, complaints := generate(t, titled, "./...")
	if complaints != "" {
		t.Fatal(complaints)
	}
	if len(versions) < 2 {
		t.Fatalf("%d versions", len(versions))
	}
	var all tally
	x := index(dir)
	for _, v := range versions {
		all.count(t, x, dir, v)
	}
	if all.right < 40 || all.foreign < 20 || all.merged == 0 || all.several > 0 {
		t.Errorf("the fixture has too little: %+v", all)
	}
}

// A tally is how many nodes of schemas were found where controller-gen has them from.
type tally struct {
	kinds   int // that were found
	several int // that several packages declare differently
	right   int
	merged  int // fields that are declared twice, and the other one is found
	foreign int // nodes of other modules, rightly not claimed
}

// count compares one version of a CRD, generated from titled sources, with the places in the untouched ones.
func (all *tally) count(t *testing.T, x *gotypes.Index, dir string, v version) {
	t.Helper()
	found := x.Find(filepath.Join(dir, "config", "crd", "bases", "crd.yaml"), v.id)
	if found.Several != nil {
		all.several++
		return
	}
	if found.Kind == nil {
		t.Errorf("%v is not found; gaps: %v", v.id, found.Gaps)
		return
	}
	all.kinds++
	each(v.schema, nil, func(path []string, node map[string]any) {
		if !isProperty(path) || slices.Equal(path, []string{"properties", "metadata"}) {
			return
		}
		title, _ := node["title"].(string)
		p := found.Kind.At(path...)
		at := func(f *gotypes.Field) bool { return fmt.Sprintf("%s:%d", f.Pos.File, f.Pos.Line) == title }
		switch {
		case title == "" && p.Outcome == gotypes.Outside:
			all.foreign++
		case title == "":
			t.Errorf("%v %s: claimed as %+v", v.id, strings.Join(path, "."), p.Field)
		case p.Outcome != gotypes.Exact:
			t.Errorf("%v %s: %s not found: %v", v.id, strings.Join(path, "."), title, p.Outcome)
		case at(p.Field):
			all.right++
		case slices.ContainsFunc(p.Others, at):
			all.merged++
		default:
			t.Errorf("%v %s: %s found at %v", v.id, strings.Join(path, "."), title, p.Field.Pos)
		}
	})
}

// isProperty reports whether a path ends at a property, rather than at items or additionalProperties.
func isProperty(path []string) (last bool) {
	for len(path) > 0 {
		if last = path[0] == "properties"; last {
			path = path[1:]
		}
		path = path[1:]
	}
	return last
}

// mark writes a marker above every field of every struct in a folder. It names the line that the field had.
func mark(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		titles := map[int][]string{} // by line
		ast.Inspect(file, func(n ast.Node) bool {
			if body, ok := n.(*ast.StructType); ok {
				last := set.Position(body.Fields.Opening).Line
				for _, field := range body.Fields.List {
					if line := set.PositionFor(field.Pos(), false).Line; line > last {
						titles[line] = []string{fmt.Sprintf("+kubebuilder:title=%q", fmt.Sprintf("%s:%d", filepath.ToSlash(name), line))}
					}
					last = set.PositionFor(field.End(), false).Line
				}
			}
			return true
		})
		insert(t, path, titles)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
