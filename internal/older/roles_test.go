package older

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// A memoryTree is files by their paths.
type memoryTree map[string]string

func (t memoryTree) Files() []string         { return slices.Sorted(maps.Keys(t)) }
func (t memoryTree) Read(path string) []byte { return []byte(t[path]) }

// A newer side is the roles of its files, and the CRDs whose source is not there.
type newer struct {
	roles   map[string]repository.Decision
	missing []repository.Missing
}

func (n newer) CRD(file, _ string) repository.Decision { return n.roles[file] }
func (n newer) Missing() []repository.Missing          { return n.missing }

const goType = `// +groupName=example.com
package v1

type Foo struct {
	metav1.TypeMeta
}
`

// withRoles is a side with some files that all have a CRD, in a repository that declares its kind.
func withRoles(t *testing.T, now newer, paths ...string) *Side {
	t.Helper()
	tree := memoryTree{"api/v1/foo.go": goType, "Makefile": "manifests:\n\tcontroller-gen crd output:crd:dir=config/crd\n"}
	var files []lint.File
	for _, path := range paths {
		text := manifestOf("foos.example.com", "") + "  names: {kind: Foo, plural: foos}\n"
		if strings.HasPrefix(path, "dist") {
			text += "---\nkind: ConfigMap\n"
		}
		tree[path] = text
		files = append(files, lint.File{Path: path, Label: "v1:" + path, Read: func() ([]byte, error) { return []byte(text), nil }})
	}
	s, err := New(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.UseRoles(repository.Look(tree), now)
	return s
}

// TestRolesDecide finds the former version of a CRD by what its file is, where that of the nearest file would be another one's.
func TestRolesDecide(t *testing.T) {
	t.Parallel()
	source := repository.Decision{Role: lint.RoleSource}
	aCopy := repository.Decision{Role: lint.RoleBuilt, Source: "config/crd/foos.yaml"}
	test := repository.Decision{Role: lint.RoleTest}
	all := []string{"config/crd/foos.yaml", "deploy/foos.yaml", "dist/foos.yaml", "testdata/foos.yaml", "releases/v0.9/foos.yaml"}
	for _, tt := range []struct {
		name, at string
		is       repository.Decision
		was      []string
		found    string
		noted    bool
	}{
		{"the source moved to where a copy was", "deploy/foos.yaml", source, all, "config/crd/foos.yaml", false},
		{"a copy stays a copy", "deploy/foos.yaml", aCopy, all, "deploy/foos.yaml", false},
		{"a copy where a test was", "testdata/foos.yaml", aCopy, all, "dist/foos.yaml", false},
		{"a test stays a test", "testdata/foos.yaml", test, all, "testdata/foos.yaml", false},
		{"a file that is named", "testdata/foos.yaml", repository.Decision{}, all, "testdata/foos.yaml", false},
		{"a release comes nearer to the source than a test", "testdata/crd/foos.yaml", source, all[3:], "releases/v0.9/foos.yaml", true},
		{"a file that is in no tree comes last", "vendor/foos.yaml", source, []string{"testdata/foos.yaml"}, "testdata/foos.yaml", true},
		{"a test has no source", "testdata/foos.yaml", test, all[3:], "testdata/foos.yaml", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := withRoles(t, newer{roles: map[string]repository.Decision{tt.at: tt.is}}, tt.was...)
			was := s.Find("foos.example.com", tt.at, 0)
			if was == nil || was.Document.File.Path != "v1:"+tt.found {
				t.Errorf("found %v", was.Document.File.Path)
			}
			if noted := s.Uncompared(); len(noted) > 0 != tt.noted {
				t.Errorf("noted: %q", noted)
			}
		})
	}
}

// TestRolesOfLost are those of CRDs that only the older side has: of its files, the source stands for it, and nothing that was kept.
func TestRolesOfLost(t *testing.T) {
	t.Parallel()
	const name = "foos.example.com"
	old := repository.Decision{Role: lint.RoleOld}
	for _, tt := range []struct {
		title string
		now   newer
		asked string // by a file of the newer side
		was   []string
		lost  string
	}{
		{"the source of several", newer{}, "", []string{"a/foos.yaml", "config/crd/foos.yaml", "dist/foos.yaml"}, "config/crd/foos.yaml"},
		{"a copy, of which the source is elsewhere", newer{}, "", []string{"testdata/foos.yaml", "dist/foos.yaml"}, "dist/foos.yaml"},
		{"a test", newer{}, "", []string{"testdata/foos.yaml"}, ""},
		{"the new side has a kept release", newer{roles: map[string]repository.Decision{"v1.0/foos.yaml": old}}, "v1.0/foos.yaml", []string{"config/crd/foos.yaml"}, "config/crd/foos.yaml"},
		{"it is third-party now", newer{roles: map[string]repository.Decision{"x.yaml": {Role: lint.RoleForeign}}}, "x.yaml", []string{"config/crd/foos.yaml"}, ""},
		{"the new side has it", newer{roles: map[string]repository.Decision{"x.yaml": {Role: lint.RoleSource}}}, "x.yaml", []string{"config/crd/foos.yaml"}, ""},
		{"its generator did not run", newer{missing: []repository.Missing{{Name: name}}}, "", []string{"config/crd/foos.yaml"}, ""},
		{"only a test has it now", newer{missing: []repository.Missing{{Name: name, IsTest: true}}}, "", []string{"config/crd/foos.yaml"}, "config/crd/foos.yaml"},
	} {
		t.Run(tt.title, func(t *testing.T) {
			t.Parallel()
			s := withRoles(t, tt.now, tt.was...)
			if tt.asked != "" {
				s.Find(name, tt.asked, 0)
			}
			lost := s.Lost(func(lint.File) bool { return true })
			var files []string
			for _, l := range lost {
				files = append(files, l.File.Path)
			}
			if got := strings.Join(files, ", "); got != tt.lost {
				t.Errorf("lost: %s", got)
			}
		})
	}
}
