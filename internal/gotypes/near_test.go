package gotypes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNear tells files that probably have the type of a kind from others that were not read either.
func TestNear(t *testing.T) {
	t.Parallel()
	const broken = "\ntype Broken struct {"
	other := strings.ReplaceAll(declaration, "example.com", "example.org") + "}\n"
	limits := DefaultLimits
	limits.FileSize = 1000
	large := strings.Repeat("// x\n", 1000)
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"the package of the kind":       {map[string]string{"v1/types.go": declaration + "}\n", "v1/more.go": "package v1" + broken}, []string{"v1/more.go"}},
		"another package":               {map[string]string{"v1/types.go": declaration + "}\n", "b/types.go": other + broken}, nil},
		"a package of the group":        {map[string]string{"v1/doc.go": "// +groupName=example.com\npackage v1", "v1/types.go": large}, []string{"v1/types.go"}},
		"a package of another group":    {map[string]string{"v1/types.go": other + "}\n" + broken}, nil},
		"a folder like the version":     {map[string]string{"api/v1/types.go": large}, []string{"api/v1/types.go"}},
		"a folder like another version": {map[string]string{"api/v2/types.go": large}, nil},
	} {
		found := New(repositoryOf(t, test.files), limits).Find("crd.yaml", widget)
		var near []string
		for _, gap := range found.Near {
			near = append(near, gap.Path)
		}
		if !slices.Equal(near, test.want) || len(found.Gaps) == 0 {
			t.Errorf("%s: %v of %v", name, near, found.Gaps)
		}
	}
}

// TestFindBelow looks for a kind in one folder, although the module has it in another.
func TestFindBelow(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t, map[string]string{"api/v1/types.go": declaration + "}\n", "internal/a.go": "package internal"})
	for folder, want := range map[string]bool{".": true, "api": true, "api/v1": true, "internal": false, "nowhere": false} {
		if found := New(dir, DefaultLimits).FindBelow(folder, widget); (found.Kind != nil) != want {
			t.Errorf("%s: %+v", folder, found)
		}
	}
}

// TestFindBelowAlone looks in folders that are in no repository: a module may be below them.
func TestFindBelowAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, text := range map[string]string{
		"all/api/go.mod": "module example.com/api", "all/api/v1/types.go": declaration + "}\n", "loose/v1/types.go": declaration + "}\n",
	} {
		at := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x := New(dir, DefaultLimits)
	for folder, want := range map[string]string{"all": "", "all/api": "", "all/api/v1": "", "loose": "loose: it has no go.mod", "loose/v1": "loose/v1: it has no go.mod"} {
		found := x.FindBelow(folder, widget)
		got := ""
		for _, gap := range found.Near {
			got += gap.Path + ": " + gap.Reason
		}
		if got != want || (found.Kind != nil) != (want == "") || found.Undeclared() {
			t.Errorf("%s: %+v", folder, found)
		}
	}
}
