package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the packages, from the lowest. docs/internals/architecture.md draws them.
var layers = [][]string{
	{"docs/schema", "internal/text", "internal/diff", "internal/atomicfile", "internal/lines", "internal/memory", "internal/serving", "internal/worktree", "internal/limit", "internal/version", "internal/ordered"},
	{"convert/policy", "internal/marker", "internal/yaml11", "internal/gitrev", "internal/plan", "internal/template", "internal/cache", "internal/terminal", "internal/watch", "internal/kubectl"},
	{"lint"},
	{"internal/manifest", "internal/gotypes", "internal/pieces", "internal/skeleton"},
	{"internal/crd", "internal/rewrite", "internal/gofix", "internal/apply"},
	{"internal/xrd"},
	{"internal/kustomize", "internal/repository"},
	{"internal/apiserver", "internal/request", "internal/compare", "internal/drift", "internal/layout", "internal/config", "internal/review", "internal/audit"},
	{"internal/repair", "internal/upgrade", "internal/sample"},
	{"internal/fast"},
	{"internal/suppress", "internal/objects", "internal/webhook", "internal/serve"},
	{"internal/mask", "internal/older", "internal/suite", "internal/carry"},
	{"internal/vicinity", "internal/conversion", "internal/coverage", "internal/complete", "internal/jsonschema"},
	{"internal/origin", "internal/goplace", "internal/starter"},
	{"internal/engine"},
	{"internal/changelog", "internal/objectpass", "rules/internal/words"},
	{"internal/report", "rules/internal/crds"},
	{"rules/internal/changes", "rules/internal/objects", "rules/internal/conversions", "rules/internal/audits"},
	{"rules/internal/suites", "rules/internal/migrations"},
	{"rules"},
	{"convert", "internal/overview"},
	{"internal/krm", "internal/losses", "internal/page"},
	{"internal/lsp", "internal/run"},
	{"internal/cli"},
	{"."},
}

// forTests begins the names of packages that only tests import.
const forTests = "internal/testing/"

// TestImports keeps imports running one way: a package may import those of layers below its own, and nothing that is
// for tests only.
func TestImports(t *testing.T) {
	const module = "github.com/crdlift/crdlift/"
	layer := map[string]int{}
	for i, packages := range layers {
		for _, p := range packages {
			layer[p] = i
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			_, other := os.Stat(filepath.Join(path, "go.mod")) // a module of its own
			if d != nil && (other == nil && path != "." || slices.Contains([]string{"test", "testdata", ".git"}, d.Name())) {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		from := filepath.ToSlash(filepath.Dir(path))
		if strings.HasPrefix(from, forTests) {
			return nil
		}
		at, known := layer[from]
		if !known {
			t.Errorf("%s: package %s has no layer; give it one here", path, from)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			to, ours := strings.CutPrefix(name, module)
			if strings.HasPrefix(to, forTests) {
				t.Errorf("%s imports %s, which is for tests only", path, to)
				continue
			}
			if below, known := layer[to]; ours && (!known || below >= at) {
				t.Errorf("%s imports %s, which is not below it", path, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestArchitecture keeps the drawing in docs/internals/architecture.md to the layers that there are.
func TestArchitecture(t *testing.T) {
	page := read(t, filepath.Join("docs", "internals", "architecture.md"))
	_, drawing, _ := strings.Cut(page, "\n```\n")
	drawing, _, _ = strings.Cut(drawing, "\n```\n")
	var rows [][]string
	for line := range strings.SplitSeq(drawing, "\n") {
		if words := strings.Fields(line); !strings.HasPrefix(line, " ") {
			rows = append(rows, words)
		}
	}
	slices.Reverse(rows)
	if len(rows) != len(layers) {
		t.Fatalf("the drawing has %d rows, want %d", len(rows), len(layers))
	}
	for i, packages := range layers {
		for _, p := range packages {
			if !slices.Contains(rows[i], p) {
				t.Errorf("row %d from below of the drawing lacks %s", i+1, p)
			}
			if p != "." && !strings.Contains(page, "\n| `"+p+"` | ") {
				t.Errorf("the page does not say what %s answers", p)
			}
		}
	}
}
