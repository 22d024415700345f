package gotypes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Types of other modules are found at the folder that go.mod leads to, and not behind a link from there.
func TestRequiredBehindLink(t *testing.T) {
	t.Parallel()
	types := declaration + "}\n"
	for name, link := range map[string]string{
		"none":                 "",
		"the vendor folder":    "vendor",
		"a folder on the way":  "vendor/example.net",
		"that of the module":   "vendor/example.net/widgets-api",
		"a folder in it":       "vendor/example.net/widgets-api/v1",
		"a file":               "vendor/example.net/widgets-api/v1/types.go",
		"a folder beside them": "vendor/example.net/other",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repositoryOf(t, map[string]string{
				"go.mod": "module example.com/tools\n\nrequire example.net/widgets-api v1.0.0\n",
				"vendor/example.net/widgets-api/v1/types.go": strings.Replace(types, "+groupName=example.com", "+groupName=widgets.example.com", 1),
				"vendor/example.net/other/other.go":          "package other\n",
			})
			if link != "" {
				elsewhere := filepath.Join(t.TempDir(), "elsewhere")
				if err := os.Rename(filepath.Join(dir, link), elsewhere); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(elsewhere, filepath.Join(dir, link)); err != nil {
					t.Skipf("no symbolic links here: %v", err)
				}
			}
			id := schema.GroupVersionKind{Group: "widgets.example.com", Version: widget.Version, Kind: widget.Kind}
			found, _ := New(dir, DefaultLimits).FindRequired("crd.yaml", id)
			if want := link == "" || strings.HasSuffix(link, "other"); (found != nil) != want {
				t.Errorf("found %v, want %v", found != nil, want)
			}
		})
	}
}

// Of many modules that may have a kind, those are looked in whose paths have most in common with its group.
func TestRequiredAreFew(t *testing.T) {
	t.Parallel()
	var mod strings.Builder
	fmt.Fprintln(&mod, "module example.com/tools\n\nrequire example.com/widgets/parts v1.0.0")
	for i := range 1000 {
		fmt.Fprintf(&mod, "require example.com/widgets%d v1.0.0\n", i)
	}
	dir := repositoryOf(t, map[string]string{"go.mod": mod.String()})
	x := New(dir, DefaultLimits)
	modules := x.repository(dir).required(".", schema.GroupVersionKind{Group: "parts.widgets.example.com", Version: "v1", Kind: "Part"})
	if len(modules) != maxModules || modules[0].Path != "example.com/widgets/parts" {
		t.Errorf("%d modules, the first %v", len(modules), modules[0])
	}
}

func TestModuleCache(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ cache, path, home, want string }{
		{dir, "", dir, dir},
		{"", filepath.Join(dir, "a") + string(filepath.ListSeparator) + filepath.Join(dir, "b"), dir, filepath.Join(dir, "a", "pkg", "mod")},
		{"", "", dir, filepath.Join(dir, "go", "pkg", "mod")},
		{"relative", "", dir, ""},
	} {
		t.Setenv("GOMODCACHE", test.cache)
		t.Setenv("GOPATH", test.path)
		t.Setenv("HOME", test.home)
		t.Setenv("USERPROFILE", test.home)
		if got := ModuleCache(); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}
