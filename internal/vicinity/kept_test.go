package vicinity

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// files are a repository with a generated manifest, and a module that it requires.
const files = `-- .git/HEAD --
-- go.mod --
module example.com/widgets

require example.net/gadgets-api v1.0.0
-- vendor/example.net/gadgets-api/v1/types.go --
// +groupName=gadgets.example.net
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Gadget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}
-- api/v1/types.go --
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}
-- other/go.mod --
module example.com/other
-- other/empty.go --
package other
-- config/crd/bases/example.com_widgets.yaml --
`

const crdText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, names: {kind: Widget, plural: widgets}, scope: Namespaced, versions: [{name: v1}]}
`

var (
	widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	gadget = schema.GroupVersionKind{Group: "gadgets.example.net", Version: "v1", Kind: "Gadget"}
)

func repositoryOf(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(files)), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func typesOf(dir string, folders ...string) *GoTypes {
	return &GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits), Folders: folders}
}

// sideOf is an older side with one file.
func sideOf(t *testing.T, text string) *older.Side {
	t.Helper()
	side, err := older.New([]lint.File{{Path: "a.yaml", Read: func() ([]byte, error) { return []byte(text), nil }}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return side
}

// TestHolds has a report ask all that it may, and then something around its file change: the report holds until that is what it
// has asked for.
func TestHolds(t *testing.T) {
	t.Parallel()
	questions := map[string]func(Vicinity){
		"types":   func(s Vicinity) { s.Find(widget) },
		"glance":  func(s Vicinity) { s.Glance(widget) },
		"role":    func(s Vicinity) { s.Role("widgets.example.com") },
		"older":   func(s Vicinity) { s.Older("widgets.example.com", 0) },
		"second":  func(s Vicinity) { s.Older("widgets.example.com", 1) },
		"as of":   func(s Vicinity) { s.AsOf("widgets.example.com") },
		"unknown": func(s Vicinity) { s.IsUnknown("widgets.example.com") },
	}
	write := func(name, text string) func(*testing.T, string, *Sources) {
		return func(t *testing.T, dir string, _ *Sources) {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	roleIs := func(d repository.Decision) func(*testing.T, string, *Sources) {
		return func(_ *testing.T, _ string, s *Sources) {
			s.Roles = func(string, string) repository.Decision { return d }
		}
	}
	for name, test := range map[string]struct {
		change func(*testing.T, string, *Sources)
		broken string // the questions whose answers are others
	}{
		"nothing":               {func(*testing.T, string, *Sources) {}, ""},
		"another manifest":      {write("config/crd/bases/example.com_gadgets.yaml", "x"), ""},
		"a type":                {write("api/v1/more.go", "package v1\n\ntype More struct{}\n"), "glance types"},
		"another role":          {roleIs(repository.Decision{Role: lint.RoleBuilt}), "role"},
		"of another file":       {roleIs(repository.Decision{Role: lint.RoleSource, Source: "a.yaml"}), "as of role"},
		"for another reason":    {roleIs(repository.Decision{Role: lint.RoleSource, Because: repository.Reason{Text: "says so"}}), ""},
		"nobody knows of roles": {func(_ *testing.T, _ string, s *Sources) { s.Roles = nil }, "role"},
		"the older CRD":         {func(t *testing.T, _ string, s *Sources) { s.Old = sideOf(t, crdText+"status: {}\n").Find }, "older second"},
		"its line":              {func(t *testing.T, _ string, s *Sources) { s.Old = sideOf(t, "---\n---\n"+crdText).Find }, "older second"},
		"a second older CRD":    {func(t *testing.T, _ string, s *Sources) { s.Old = sideOf(t, crdText+"---\n"+crdText).Find }, "older second"},
		"no older CRD":          {func(t *testing.T, _ string, s *Sources) { s.Old = sideOf(t, "").Find }, "older second"},
		"a copy for tests":      {roleIs(repository.Decision{Role: lint.RoleTest, Source: "a.yaml"}), "role"},
		"a copy without history": {func(t *testing.T, dir string, s *Sources) {
			roleIs(repository.Decision{Role: lint.RoleChart, Source: "a.yaml"})(t, dir, s)
			s.Outdated = nil
		}, "role"},
		"no older side":               {func(_ *testing.T, _ string, s *Sources) { s.Old = nil }, "older second"},
		"what was is not known":       {func(_ *testing.T, _ string, s *Sources) { s.Unknown = func(string, string) bool { return true } }, "unknown"},
		"nobody knows what is not":    {func(_ *testing.T, _ string, s *Sources) { s.Unknown = nil }, "unknown"},
		"Go types are not looked for": {func(_ *testing.T, _ string, s *Sources) { s.Go = nil }, "glance types"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repositoryOf(t)
			sources := func() Sources {
				s := Sources{Go: typesOf(dir), Old: sideOf(t, crdText).Find, Unknown: func(string, string) bool { return false }}
				s.Outdated = func(_, source, _ string) string { return "a commit of " + source }
				roleIs(repository.Decision{Role: lint.RoleSource})(t, dir, &s)
				return s
			}
			const file = "config/crd/bases/example.com_widgets.yaml"
			records := map[string]*Record{}
			for name, ask := range questions {
				records[name] = &Record{}
				ask(Vicinity{Sources: sources(), Path: file, Record: records[name]})
				ask(Vicinity{Sources: sources(), Path: file}) // where nobody wants to know
				if len(records[name].Answers) == 0 || records[name].Unseen {
					t.Errorf("%s: noted is %v", name, records[name])
				}
			}
			now := sources()
			test.change(t, dir, &now)
			var broken []string
			for _, name := range slices.Sorted(maps.Keys(records)) {
				if !(Vicinity{Sources: now, Path: file}).Holds(records[name].Answers) {
					broken = append(broken, name)
				}
				if sources := records[name].Sources(); (sources != "") != (name == "types" || name == "glance") {
					t.Errorf("%s: the fingerprint of Go types is %q", name, sources)
				}
				if now.Go != nil && records[name].Changed(file, now.Go) != (slices.Contains(broken, name) && records[name].Sources() != "") {
					t.Errorf("%s: that Go types have changed is not what was found", name)
				}
			}
			if got := strings.Join(broken, " "); got != test.broken {
				t.Errorf("other answers have %q, not %q", got, test.broken)
			}
		})
	}
}

// TestFolders looks for types around a manifest, or in the folders that are named and nowhere else.
func TestFolders(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t)
	for name, test := range map[string]struct {
		folders                             []string
		finds, requires, changes, isUnknown bool
	}{
		"around":           {nil, true, true, true, true},
		"one":              {[]string{"api"}, true, false, true, false},
		"the second":       {[]string{"other", "api"}, true, false, true, false},
		"one without them": {[]string{"other"}, false, false, true, false},
	} {
		record := &Record{}
		s := Vicinity{Sources: Sources{Go: typesOf(dir, test.folders...)}, Path: "crd.yaml", Record: record}
		found := s.Find(widget)
		if (found.Kind != nil) != test.finds {
			t.Errorf("%s: found is %v", name, found)
		}
		if kind, _ := s.Required(widget, found); kind != nil || record.Unseen {
			t.Errorf("%s: a kind of the repository is looked for among what it requires: %v", name, kind)
		}
		kind, module := s.Required(gadget, s.Find(gadget))
		if (kind != nil) != test.requires || record.Unseen != test.isUnknown || test.requires && module.Path != "example.net/gadgets-api" {
			t.Errorf("%s: required is %v of %v; that this may change unseen is %t", name, kind, module, record.Unseen)
		}
		if s.Go.Unread().fingerprint("crd.yaml") != record.Sources() || record.Sources() == "" {
			t.Errorf("%s: without a change the fingerprint is another one", name)
		}
	}
	// Of a folder with more files than are read nothing can be told to be as it was.
	limits := gotypes.DefaultLimits
	limits.Entries = 1
	for _, folders := range [][]string{nil, {"api"}, {"api", "other"}} {
		record := &Record{}
		s := Vicinity{Sources: Sources{Go: &GoTypes{Index: gotypes.New(dir, limits), Folders: folders}}, Path: "crd.yaml", Record: record}
		s.Find(widget)
		if !record.Unseen || record.Sources() != "" || record.Changed("crd.yaml", s.Go) {
			t.Errorf("%v: the report depends on what may change unseen: %t", folders, record.Unseen)
		}
	}
}
