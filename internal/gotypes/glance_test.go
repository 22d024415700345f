package gotypes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGlance finds kinds where projects usually have them, and nowhere else.
func TestGlance(t *testing.T) {
	t.Parallel()
	const kind = declaration + "}\n"
	for name, test := range map[string]struct {
		path, text string
		want       bool
	}{
		"a project with one group":       {"api/v1/types.go", kind, true},
		"a project with several":         {"apis/widgets/v1/types.go", kind, true},
		"an older project":               {"pkg/apis/widgets/v1/types.go", kind, true},
		"a provider of Cluster API":      {"exp/api/v1/types.go", kind, true},
		"a module beside others":         {"operator/api/v1/types.go", kind, true},
		"a folder of its own":            {"internal/v1/types.go", kind, false},
		"another operator":               {"other/api/v1/types.go", kind, false},
		"another version":                {"api/v2/types.go", kind, false},
		"another version by its marker":  {"api/v1/types.go", "// +versionName=v2\n" + kind, false},
		"another group":                  {"api/v1/types.go", strings.ReplaceAll(kind, "example.com", "example.org"), false},
		"another kind":                   {"api/v1/types.go", strings.ReplaceAll(kind, "Widget", "Gadget"), false},
		"a folder that nobody generates": {"api/_old/v1/types.go", kind, false},
		"a file in the place of one":     {"api/v1", kind, false},
	} {
		dir := repositoryOf(t, map[string]string{test.path: test.text, "other/broken.go": "package other {", "operator/go.mod": "module example.com/operator\n"})
		found := New(dir, DefaultLimits).Glance("operator/config/crd/bases/widgets.yaml", widget)
		switch {
		case (found != nil) != test.want:
			t.Errorf("%s: %+v", name, found)
		case found != nil && !found.Whole():
			t.Errorf("%s: reads more than the package", name)
		}
	}
}

// TestGlanceWhole knows when a glance is not enough.
func TestGlanceWhole(t *testing.T) {
	t.Parallel()
	limits := DefaultLimits
	limits.FileSize = 1000
	importing := func(path string) string {
		return strings.Replace(declaration, "import ", "import x \""+path+"\"\nimport ", 1) + "Spec x.Spec `json:\"spec\"`\n}\n"
	}
	const spec = "package x\n\ntype Spec struct { Size int `json:\"size\"` }\n"
	for name, test := range map[string]struct {
		files map[string]string
		whole bool
	}{
		"one package":                          {map[string]string{"api/v1/types.go": declaration + "}\n"}, true},
		"and another of the module":            {map[string]string{"api/v1/types.go": importing("example.com/widgets/x"), "x/x.go": spec}, true},
		"and a release of another module":      {map[string]string{"api/v1/types.go": importing("example.org/x")}, true},
		"and one that is broken":               {map[string]string{"api/v1/types.go": importing("example.com/widgets/x"), "x/x.go": spec + "func"}, false},
		"a broken file beside it":              {map[string]string{"api/v1/types.go": declaration + "}\n", "api/v1/b.go": "package v1\nfunc"}, false},
		"a large file beside it":               {map[string]string{"api/v1/types.go": declaration + "}\n", "api/v1/b.go": "package v1\n" + strings.Repeat("\n", 1000)}, false},
		"another module of the repository":     {map[string]string{"api/go.mod": "module example.com/widgets/api", "api/v1/types.go": importing("example.com/widgets/x"), "x/x.go": spec}, false},
		"another module in a folder by go.mod": {map[string]string{"go.mod": "module example.com/widgets\nreplace example.org/x => ./x\n", "api/v1/types.go": importing("example.org/x"), "x/x.go": spec}, false},
	} {
		dir := repositoryOf(t, test.files)
		kind := New(dir, limits).Glance("crd.yaml", widget)
		if kind == nil {
			t.Errorf("%s: nothing found", name)
			continue
		}
		if kind.At("properties", "spec", "properties", "size"); kind.Whole() != test.whole {
			t.Errorf("%s: whole is %t", name, kind.Whole())
		}
	}
}

// TestGlanceFollowsNoLinks: what is behind links is no part of the repository.
func TestGlanceFollowsNoLinks(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t, map[string]string{"types/v1/types.go": declaration + "}\n", "pkg/a.go": "package pkg\n", "apis/a.go": "package apis\n"})
	for _, link := range []string{"api", "pkg/api", "apis/widgets"} {
		if err := os.Symlink(filepath.Join(dir, "types"), filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if kind := New(dir, DefaultLimits).Glance("crd.yaml", widget); kind != nil {
		t.Errorf("found %s", kind.File.Path)
	}
	if err := os.MkdirAll(filepath.Join(dir, "exp/api/v1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "types/v1/types.go"), filepath.Join(dir, "exp/api/v1/types.go")); err != nil {
		t.Fatal(err)
	}
	if kind := New(dir, DefaultLimits).Glance("crd.yaml", widget); kind != nil {
		t.Errorf("found %s", kind.File.Path)
	}
}
