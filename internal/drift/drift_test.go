package drift

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
)

// TestStories compares manifests with the types of small repositories: crd.yaml with those of example.com/v1 Widget. The
// file want has the differences, each with the place in Go; a story whose want is empty differs in nothing that counts.
func TestStories(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, d := range Find(story(t, archive)) {
				words := [...]string{Missing: "missing", Extra: "extra", Limit: "limit", Text: "text", Ignored: "ignored"}
				fmt.Fprintf(&got, "%s %s: %s %s at %s:%d\n", strings.TrimSpace(words[d.Reason]+" "+d.Keyword+d.Marker.Text), d.Path, d.Go.At, d.Go.Symbol, d.Go.Pos.File, d.Go.Pos.Line)
			}
			if want := content(t, archive, "want"); got.String() != want {
				t.Errorf("found:\n%swant:\n%s", &got, want)
			}
		})
	}
}

// story returns the CRD, its first version and the struct of a story.
func story(t testing.TB, archive *txtar.Archive) (*crd.CRD, crd.APIVersion, *gotypes.Kind) {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	found := gotypes.New(dir, gotypes.DefaultLimits).Find("crd.yaml", schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"})
	if found.Kind == nil || len(found.Gaps) > 0 {
		t.Fatalf("no struct, or not all was read: %+v", found)
	}
	all := crd.Parse([]byte(content(t, archive, "crd.yaml")))
	if len(all) != 1 || all[0].Versions()[0].Root() == nil {
		t.Fatal("crd.yaml is not one CRD with a schema")
	}
	return all[0], all[0].Versions()[0], found.Kind
}

func content(t testing.TB, archive *txtar.Archive, name string) string {
	t.Helper()
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("the story has no %s", name)
	}
	return string(archive.Files[i].Data)
}

// TestHostile compares what is made to take long, or for ever: a schema inside of itself, a type inside of itself that a
// manifest follows a long way, and a struct of many fields that a manifest has often. After maxDifferences it has to stop.
func TestHostile(t *testing.T) {
	t.Parallel()
	const depth, fields = 500, 5000
	var deep, wide, often strings.Builder
	for i := range depth {
		fmt.Fprintf(&deep, "%*sproperties:\n%*sinner:\n", 2*i, "", 2*i+1, "")
		fmt.Fprintf(&often, "%*sproperties:\n%*swide: {properties: {other: {type: string}}}\n%*sinner:\n", 2*i, "", 2*i+1, "", 2*i+1, "")
	}
	for i := range fields {
		fmt.Fprintf(&wide, "\tF%d string `json:\"f%d\"`\n", i, i)
	}
	types := "package v1\n\ntype Node struct {\n\tInner *Node `json:\"inner\"`\n\tWide Wide `json:\"wide\"`\n}\n\ntype Wide struct {\n" + wide.String() + "}\n"
	for _, c := range []struct {
		name, field, schema string
		want                int // differences
	}{
		{"circle", "Spec Node `json:\"spec\"`", "properties: {spec: {properties: {inner: &i {properties: {inner: *i}}, wide: {}}}}\n", 2},
		{"deep", "Node `json:\",inline\"`", deep.String(), depth + 1},
		{"wide", "Wide `json:\",inline\"`", "properties: {other: {type: string}}\n", maxDifferences},
		{"often", "Node `json:\",inline\"`", often.String(), maxDifferences},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			of, v, kind := story(t, &txtar.Archive{Files: []txtar.File{
				{Name: "go.mod", Data: []byte("module example.com/widgets\n")},
				{Name: "types.go", Data: []byte(types)},
				{Name: "kind.go", Data: []byte(kindOf(c.field))},
				{Name: "crd.yaml", Data: []byte(crdOf(c.schema))},
			}})
			if got := len(Find(of, v, kind)); got != c.want {
				t.Errorf("%d differences, want %d", got, c.want)
			}
		})
	}
}

// kindOf is a Go file with the struct of Widget.
func kindOf(fields string) string {
	return "// +groupName=example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype Widget struct {\n" +
		"\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n\t" + fields + "\n}\n"
}

// crdOf is a manifest with a schema.
func crdOf(schema string) string {
	indented := "        " + strings.ReplaceAll(strings.TrimRight(schema, "\n"), "\n", "\n        ") + "\n"
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n" + indented
}

// TestGeneratorOf knows no version of a generator that was built from a revision, which Go numbers as older than all releases.
func TestGeneratorOf(t *testing.T) {
	t.Parallel()
	for written, want := range map[string][2]bool{ // whether it is known, and whether its markers are compared
		"v0.16.5": {true, true},
		"v0.8.0":  {true, false},
		"v0.0.0-20250630101352-b1302b43dab8+dirty": {false, false},
		"(devel)": {false, false},
	} {
		all := crd.Parse(fmt.Appendf(nil, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: %s\n", written))
		v, compared := generatorOf(all[0])
		if got := [2]bool{v != nil, compared != nil}; got != want {
			t.Errorf("%s: known and compared are %v, not %v", written, got, want)
		}
	}
}
