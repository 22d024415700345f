package gotypes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// declaration begins a file that declares Widget; members and other types come after it.
const declaration = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
`

// repositoryOf writes files into a new git repository with a go.mod.
func repositoryOf(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/HEAD", "")
	write("go.mod", "module example.com/widgets\n\nrequire k8s.io/apimachinery v0.37.2\n")
	for name, text := range files {
		write(name, text)
	}
	return dir
}

func TestDeepAndCyclicTypes(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var chain, embedded strings.Builder
	for i := range n {
		fmt.Fprintf(&chain, "type Chain%d Chain%d\n", i, i+1)
		fmt.Fprintf(&embedded, "type Embedded%d struct{\nEmbedded%d\nEmbedded%d\n}\n", i, i+1, i+2)
	}
	for name, test := range map[string]struct {
		members, types string
		path           []string
		want           Outcome
	}{
		"a type is declared as itself":  {"X Loop `json:\"x\"`", "type Loop Loop", []string{"properties", "x", "items"}, Unknown},
		"two types as one another":      {"X A `json:\"x\"`", "type A B\ntype B *A", []string{"properties", "x", "items"}, Unknown},
		"a slice of itself":             {"X List `json:\"x\"`", "type List []List", []string{"properties", "x", "items", "items", "items"}, Exact},
		"a generic type of itself":      {"X G[G[int]] `json:\"x\"`", "type G[T any] G[T]", []string{"properties", "x", "items"}, Unknown},
		"a parameter of itself":         {"X G[int] `json:\"x\"`", "type G[T any] struct{ Y G[G[T]] `json:\"y\"` }", []string{"properties", "x", "properties", "y", "properties", "y"}, Exact},
		"a struct embeds itself":        {"A", "type A struct { B }\ntype B struct { *A\nX int `json:\"x\"` }", []string{"properties", "x"}, Exact},
		"many names for a type":         {"X Chain0 `json:\"x\"`", chain.String(), []string{"properties", "x", "items"}, Unknown},
		"structs embed two others each": {"Embedded0", embedded.String(), []string{"properties", "x"}, Unknown},
		"an expression nests deeply":    {"X " + strings.Repeat("[]", n) + "int `json:\"x\"`", "", append([]string{"properties", "x"}, strings.Fields(strings.Repeat("items ", n))...), Exact},
		"parentheses nest deeply":       {"X " + strings.Repeat("(", n) + "int" + strings.Repeat(")", n) + " `json:\"x\"`", "", []string{"properties", "x", "items"}, Unknown},
		"structs nest deeply":           {strings.Repeat("X struct{\n", 1000) + strings.Repeat("} `json:\"x\"`\n", 1000), "", strings.Fields(strings.Repeat("properties x ", 1000)), Exact},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := declaration + test.members + "\n}\n" + test.types + "\n"
			// A copy makes the two be compared.
			dir := repositoryOf(t, map[string]string{"a/v1/types.go": source, "b/v1/types.go": source})
			found := New(dir, DefaultLimits).Find("a/crd.yaml", widget)
			if found.Kind == nil {
				t.Fatal(found)
			}
			p := found.Kind.At(test.path...)
			if p.Outcome != test.want {
				t.Errorf("outcome %v, want %v; %d elements left", p.Outcome, test.want, len(p.Rest))
			}
			p.TypedCarrier()
			p.Members()
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	types := declaration + "}\n"
	dir := repositoryOf(t, map[string]string{"api/types.go": types, "big/big.go": types + strings.Repeat("// x\n", 1000), "go/a.go": "package a", "go/b.go": "package a"})
	for name, test := range map[string]struct {
		change func(*Limits)
		found  bool
		gap    Gap
	}{
		"none":        {func(*Limits) {}, true, Gap{}},
		"size":        {func(l *Limits) { l.FileSize = 1000 }, true, Gap{"big/big.go", "it has more than 1000 bytes"}},
		"all of them": {func(l *Limits) { l.FileSize = 100 }, false, Gap{"api/types.go", "it has more than 100 bytes"}},
		"bytes":       {func(l *Limits) { l.Bytes = 1000 }, true, Gap{"big/big.go", "the repository has more than 50000 Go files or 1000 bytes of Go"}},
		"files":       {func(l *Limits) { l.Files = 1 }, true, Gap{"big/big.go", "the repository has more than 1 Go files or 134217728 bytes of Go"}},
		"entries":     {func(l *Limits) { l.Entries = 2 }, false, Gap{"api", "the repository has more than 2 files and folders"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := DefaultLimits
			test.change(&limits)
			found := New(dir, limits).Find("api/crd.yaml", widget)
			// The big file declares the kind, too, which agrees.
			if (found.Kind != nil) != test.found {
				t.Errorf("found: %v", found.Kind)
			}
			var first Gap
			if len(found.Gaps) > 0 {
				first = found.Gaps[0]
			}
			if first != test.gap {
				t.Errorf("gap %v, want %v", first, test.gap)
			}
		})
	}
}

func TestManyCopiesOfAModule(t *testing.T) {
	t.Parallel()
	files := map[string]string{"api/v1/types.go": strings.Replace(declaration, "import", "import \"example.com/copy/x\"\nimport", 1) + "X x.X `json:\"x\"`\n}\n"}
	for i := range maxCopies + 1 {
		files[fmt.Sprintf("copy%03d/go.mod", i)] = "module example.com/copy\n"
		files[fmt.Sprintf("copy%03d/x/x.go", i)] = "package x\ntype X string\n"
	}
	dir := repositoryOf(t, files)
	found := New(dir, DefaultLimits).Find("crd.yaml", widget)
	if want := (Gap{"copy100/go.mod", "the repository has more than 100 modules of this path"}); len(found.Gaps) != 1 || found.Gaps[0] != want {
		t.Errorf("gaps: %v", found.Gaps)
	}
	if p := found.Kind.At("properties", "x"); p.Type == nil || p.Type.Pos.File != "copy000/x/x.go" {
		t.Errorf("%+v", p)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside := repositoryOf(t, map[string]string{"v1/types.go": declaration + "}\n"})
	dir := repositoryOf(t, map[string]string{"api/doc.go": "package api", "real/v1/doc.go": "// +groupName=example.com\npackage v1"})
	for link, target := range map[string]string{
		"api/loop":         dir,
		"outside":          outside,
		"real/other.go":    filepath.Join(outside, "v1", "types.go"), // not in a package of the group
		"real/v1/types.go": filepath.Join(outside, "v1", "types.go"),
		"module/go.mod":    filepath.Join(outside, "go.mod"),
	} {
		at := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, at); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if found := New(dir, DefaultLimits).Find("module/crd.yaml", widget); found.Kind != nil || !slices.Equal(found.Gaps, []Gap{{"real/v1/types.go", "it is a symbolic link"}}) || !slices.Equal(found.Near, found.Gaps) {
		t.Errorf("%+v", found)
	}
	// The repository itself may be reached by a link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	found := New(link, DefaultLimits).Find("crd.yaml", widget)
	if found.Kind == nil || found.Kind.Pos.File != "v1/types.go" {
		t.Errorf("%+v", found)
	}
}

// TestFilesThatChange changes files after they were listed.
func TestFilesThatChange(t *testing.T) {
	t.Parallel()
	outside := repositoryOf(t, map[string]string{"v1/types.go": declaration + "}\n"})
	for name, test := range map[string]struct {
		change func(dir string) error
		gap    string
	}{
		"removed": {func(dir string) error { return os.Remove(filepath.Join(dir, "v1", "types.go")) }, "it cannot be read: "},
		"a link outside": {func(dir string) error {
			if err := os.RemoveAll(filepath.Join(dir, "v1")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "v1"), filepath.Join(dir, "v1"))
		}, "it cannot be read: path escapes from parent"},
		"grown": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "v1", "types.go"), make([]byte, 2000), 0o644)
		}, "it cannot be read: it has more than 1000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := DefaultLimits
			limits.FileSize = 1000
			dir := repositoryOf(t, map[string]string{"v1/types.go": declaration + "}\n"})
			r := newRepository(dir, dir, limits)
			r.walk()
			if err := test.change(dir); err != nil && name == "a link outside" {
				t.Skipf("no symbolic links here: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			if found := r.find(".", widget); found.Kind != nil || len(found.Gaps) != 1 || !strings.HasPrefix(found.Gaps[0].Reason, test.gap) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestNoRepository(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t, map[string]string{"v1/types.go": declaration + "}\n", "inner/go.mod": "module example.com/inner", "inner/v1/types.go": declaration + "}\n"})
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	x := New(dir, DefaultLimits)
	// Without a root only the nearest module counts.
	for manifest, want := range map[string]string{"config/crd.yaml": "v1/types.go", "inner/config/crd.yaml": "inner/v1/types.go"} {
		if found := x.Find(manifest, widget); found.Kind == nil || found.Kind.Pos.File != want {
			t.Errorf("%s: %+v", manifest, found)
		}
	}
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if found := x.Find("crd.yaml", widget); found.Kind != nil {
		t.Errorf("a folder that is no module: %+v", found)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t, map[string]string{
		"api/types.go":   declaration + "Name names.Name `json:\"name\"`\nSpec struct { X []string `json:\"x\"` } `json:\"spec\"`\n}\n",
		"names/names.go": "package names\ntype Name string\n",
	})
	x := New(dir, DefaultLimits)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			found := x.Find(fmt.Sprintf("folder%d/crd.yaml", i), widget)
			if found.Kind == nil {
				t.Error("not found")
				return
			}
			p := found.Kind.At("properties", "spec", "properties", "x", "items")
			if p.Outcome != Exact || p.Field.Symbol != "Widget.Spec.X" {
				t.Errorf("%+v", p)
			}
			found.Kind.At("properties", "name")
			found.Kind.At().Members()
		})
	}
	all.Wait()
}
