package gotypes

import (
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

// Modules are looked in whose paths have a word in common with a group, those first that have most.
func TestRequiredInOrder(t *testing.T) {
	t.Parallel()
	mod, declared := "module example.com/tools\n\nrequire other.net/thing v1.0.0\n", map[string]string{}
	for _, name := range []string{"widgets1", "widgets2", "widgets3", "widgets4", "widgets5", "widgets6", "widgets/parts"} {
		mod += "require example.com/" + name + " v1.0.0\n"
	}
	declared["go.mod"] = mod
	declared["vendor/example.com/widgets6/v1/types.go"] = strings.Replace(declaration+"}\n", "+groupName=example.com", "+groupName=parts.widgets.example.com", 1)
	dir := repositoryOf(t, declared)
	x := New(dir, DefaultLimits)
	id := schema.GroupVersionKind{Group: "parts.widgets.example.com", Version: widget.Version, Kind: widget.Kind}
	if modules := x.repository(dir).required(".", id); len(modules) != 7 || modules[0].Path != "example.com/widgets/parts" {
		t.Errorf("%d modules, the first %v", len(modules), modules[0])
	}
	if found, module := x.FindRequired("crd.yaml", id); found == nil || module.Path != "example.com/widgets6" {
		t.Errorf("found %v in %v", found, module)
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
