package older

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// manifestOf is a CRD that tells where it is from.
func manifestOf(name, from string) string {
	return fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: %s\n  labels: {from: %q}\nspec:\n  group: example.com\n", name, from)
}

// patchOf is a part of a CRD, as kustomize has it.
func patchOf(name string) string {
	return fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: %s\n  labels: {from: patch}\n", name)
}

func fileOf(path, text string) lint.File {
	return lint.File{Path: path, Label: "old:" + path, Read: func() ([]byte, error) { return []byte(text), nil }}
}

func side(t *testing.T, files ...lint.File) *Side {
	t.Helper()
	s, err := New(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBroken(t *testing.T) {
	t.Parallel()
	text := manifestOf("foos.example.com", "") + "spec: {\n"
	template := "{{- if .Values.crds }}\n" + text + "{{- end }}\n"
	s := side(t, fileOf("a.yaml", text), fileOf("b.yaml", text), fileOf("c.yaml", template), fileOf("d.yaml", manifestOf("bars.example.com", "")+"---\n"+text))
	if got := s.Uncompared(); got != nil {
		t.Errorf("before anybody looked: %v", got)
	}
	if got := s.Find("foos.example.com", "b.yaml", 0); got != nil {
		t.Errorf("found %v", got)
	}
	var got []string
	for _, line := range s.Uncompared() {
		got = append(got, line[:len("old:a.yaml")])
	}
	if want := []string{"old:a.yaml", "old:b.yaml", "old:d.yaml"}; !slices.Equal(got, want) {
		t.Errorf("said of %q, want %q", got, want)
	}
}

func TestMisspelt(t *testing.T) {
	t.Parallel()
	typo := func(name string) string {
		return strings.Replace(manifestOf(name, ""), "CustomResourceDefinition", "CustomResourceDefiniton", 1)
	}
	s := side(t, fileOf("a.yaml", typo("foos.example.com")), fileOf("b.yaml", manifestOf("bars.example.com", "")+"---\n"+typo("bars.example.com")),
		fileOf("c.yaml", typo("nobody.example.com")), fileOf("d.yaml", strings.Replace(manifestOf("old.example.com", ""), "apiextensions.k8s.io", "apiextensions", 1)))
	for _, name := range []string{"foos.example.com", "bars.example.com", "old.example.com", "new.example.com"} {
		if found := s.Find(name, "x.yaml", 0) != nil; found != (name == "bars.example.com") {
			t.Errorf("%s: found %v", name, found)
		}
		if got, want := s.IsUnknown(name, "x.yaml"), name == "foos.example.com" || name == "old.example.com"; got != want {
			t.Errorf("%s: misspelt %v", name, got)
		}
	}
	var got []string
	for _, line := range s.Misspelt() {
		line, _, _ = strings.Cut(line, "; ")
		got = append(got, line)
	}
	want := []string{
		`foos.example.com is not compared, because its earlier version has a mistake (old:a.yaml:2:7: there is no kind "CustomResourceDefiniton" in apiextensions.k8s.io`,
		`old.example.com is not compared, because its earlier version has a mistake (old:d.yaml:1:13: no server has CustomResourceDefinitions in "apiextensions/v1"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if lost := s.Lost(func(lint.File) bool { return true }); len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	at := func(path string) lint.File { return fileOf(path, manifestOf("foos.example.com", path)) }
	tests := []struct {
		name  string
		files []lint.File
		path  string
		want  string
	}{
		{"same path", []lint.File{at("a/foos.yaml"), at("b/foos.yaml"), at("c/foos.yaml")}, "b/foos.yaml", "b/foos.yaml"},
		{"same path rather than one that shares as much", []lint.File{at("a/b.yaml"), at("a/x/b.yaml")}, "a/b.yaml", "a/b.yaml"},
		{"moved", []lint.File{at("docs/foos.md.yaml"), at("config/crd/foos.yaml")}, "charts/crds/foos.yaml", "config/crd/foos.yaml"},
		{"renamed", []lint.File{at("config/crd/example.com_foos.yaml"), at("hack/old.yaml")}, "config/crd/foos.yaml", "config/crd/example.com_foos.yaml"},
		{"newest release", []lint.File{at("v1.10/crds.yaml"), at("v1.9/crds.yaml"), at("v1.2/crds.yaml")}, "v1.11/crds.yaml", "v1.10/crds.yaml"},
		{"shortest path", []lint.File{at("test/data/foos.yaml"), at("foos.yaml")}, "config/foos.yaml", "foos.yaml"},
		{"several in a file", []lint.File{fileOf("a.yaml", manifestOf("foos.example.com", "first")+"---\n"+manifestOf("foos.example.com", "second"))}, "a.yaml", "first"},
		{"item of a list", []lint.File{fileOf("a.json", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"foos.example.com","labels":{"from":"list"}},"spec":{"group":"example.com"}}]}`)}, "b.yaml", "list"},
		{"beside what does not parse", []lint.File{fileOf("a.yaml", "a: [\n---\n"+manifestOf("foos.example.com", "good"))}, "a.yaml", "good"},
		{"beside a patch", []lint.File{at("config/bases/foos.yaml"), fileOf("config/patches/foos.yaml", patchOf("foos.example.com"))}, "config/patches/foos.yaml", "config/bases/foos.yaml"},
		{"below a patch", []lint.File{fileOf("a.yaml", patchOf("foos.example.com")+"---\n"+manifestOf("foos.example.com", "whole"))}, "a.yaml", "whole"},
		{"patched only", []lint.File{fileOf("a.yaml", patchOf("foos.example.com"))}, "a.yaml", ""},
		{"mentioned only", []lint.File{fileOf("a.yaml", manifestOf("bars.example.com", "foos.example.com"))}, "a.yaml", ""},
		{"of another kind", []lint.File{fileOf("a.yaml", strings.Replace(manifestOf("foos.example.com", ""), "CustomResourceDefinition", "Other", 1))}, "a.yaml", ""},
		{"none", nil, "a.yaml", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if c := side(t, tt.files...).Find("foos.example.com", tt.path, 0); c != nil {
				got = crd.StringAt(c.Node, "metadata", "labels", "from")
			}
			if got != tt.want {
				t.Errorf("found that of %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOddNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"foos", "Foos.example.com", ".x", "foos.example.com."} {
		if side(t, fileOf("a.yaml", manifestOf(name, ""))).Find(name, "a.yaml", 0) == nil {
			t.Errorf("%q is not found", name)
		}
	}
	for _, text := range []string{"name: foos.example.com", `{"name":"foos.example.com"}`, "foos.example.com.", "- foos.example.com\r\n", "(foos.example.com)"} {
		s := side(t, fileOf("other.yaml", "kind: Other\n"), fileOf("a.yaml", text+"\nkind: CustomResourceDefinition\n"))
		if got := s.candidates("foos.example.com"); len(got) != 1 || got[0].Path != "a.yaml" {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNth(t *testing.T) {
	t.Parallel()
	s := side(t, fileOf("a.yaml", manifestOf("foos.example.com", "0")+"---\n"+manifestOf("bars.example.com", "x")+"---\n"+manifestOf("foos.example.com", "1")))
	for nth, want := range []string{"0", "1", "1"} {
		if got := crd.StringAt(s.Find("foos.example.com", "a.yaml", nth).Node, "metadata", "labels", "from"); got != want {
			t.Errorf("nth %d: %s, want %s", nth, got, want)
		}
	}
}

func TestLost(t *testing.T) {
	t.Parallel()
	s := side(t,
		fileOf("a.yaml", manifestOf("a.example.com", "")+"---\n"+manifestOf("b.example.com", "")),
		fileOf("b.yaml", manifestOf("b.example.com", "")+"---\n"+manifestOf("c.example.com", "")),
		fileOf("elsewhere/d.yaml", manifestOf("d.example.com", "")),
		fileOf("patch.yaml", patchOf("e.example.com")),
		fileOf("other.yaml", "kind: Other\n"))
	s.Find("a.example.com", "a.yaml", 0)
	s.Find("new.example.com", "a.yaml", 0)
	var names []string
	for _, l := range s.Lost(func(f lint.File) bool { return !strings.Contains(f.Path, "/") }) {
		names = append(names, l.File.Path+" "+s.Gone(l).Name())
	}
	if want := []string{"a.yaml b.example.com", "b.yaml c.example.com"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if used := s.Used(); len(used) != 1 || used[0].Path != "a.yaml" {
		t.Errorf("used: %v", used)
	}
}

// TestReadsOnce asks for the CRDs of a bundle and of a list, which are read once for all of them.
func TestReadsOnce(t *testing.T) {
	t.Parallel()
	bundle, list := "", "apiVersion: v1\nkind: List\nitems:\n"
	for i := range 30 {
		bundle += "---\n" + manifestOf(fmt.Sprintf("n%d.example.com", i), "bundle")
		list += "- " + strings.ReplaceAll(manifestOf(fmt.Sprintf("n%d.example.org", i), "list"), "\n", "\n  ") + "\n"
	}
	reads := map[string]int{}
	counted := func(path, text string) lint.File {
		return lint.File{Path: path, Label: path, Read: func() ([]byte, error) {
			reads[path]++
			return []byte(text), nil
		}}
	}
	s := side(t, counted("bundle.yaml", bundle), counted("list.yaml", list))
	documents := map[any]bool{}
	for i := range 30 {
		for _, group := range []string{"com", "org"} {
			name := fmt.Sprintf("n%d.example.%s", i, group)
			old := s.Find(name, "x.yaml", 0)
			if old == nil || old.Name() != name {
				t.Fatalf("%s is not found", name)
			}
			if line, _, _ := old.Document.Span(crd.Get(old.Node, "metadata", "name")); line == 0 {
				t.Errorf("%s: no span", name)
			}
			documents[old.Document] = true
		}
	}
	if len(documents) != 31 {
		t.Errorf("%d documents, want one for each CRD of the bundle, and one of the list", len(documents))
	}
	if reads["bundle.yaml"] != 2 || reads["list.yaml"] != 2 { // New looks for names
		t.Errorf("reads: %v", reads)
	}
}

func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	text := manifestOf("a0.example.com", "")
	names := []string{"a0.example.com"}
	files := []lint.File{{Path: "a.yaml", Label: "a.yaml", Read: func() ([]byte, error) { return []byte(text), nil }}}
	for i := range 2 * keptFiles {
		names = append(names, fmt.Sprintf("b%d.example.com", i))
		files = append(files, fileOf(fmt.Sprintf("b%d.yaml", i), manifestOf(names[i+1], "")))
	}
	s := side(t, files...)
	for _, name := range names {
		if s.Find(name, "x.yaml", 0) == nil {
			t.Errorf("%s is not found", name)
		}
	}
	text += "---\n" + text
	if s.Find(names[0], "x.yaml", 0) != nil || s.Err() == nil || !strings.Contains(s.Err().Error(), "a.yaml was changed") {
		t.Errorf("Find: %v", s.Err())
	}
}

// TestConcurrently finds the CRDs of more bundles than stay parsed, from many goroutines; run with -race.
func TestConcurrently(t *testing.T) {
	t.Parallel()
	var files []lint.File
	for i := range 2 * keptFiles {
		text := ""
		for j := range 5 {
			text += manifestOf(fmt.Sprintf("n%d.g%d.example.com", j, i), "") + "---\n"
		}
		files = append(files, fileOf(fmt.Sprintf("%d.yaml", i), text))
	}
	s := side(t, files...)
	var wg sync.WaitGroup
	for j := range 5 {
		wg.Go(func() {
			for i := range files {
				name := fmt.Sprintf("n%d.g%d.example.com", j, i)
				c := s.Find(name, "x.yaml", 0)
				if c == nil || c.Name() != name {
					t.Errorf("%s is not found", name)
					return
				}
				c.Document.Span(c.Node)
			}
		})
	}
	wg.Wait()
	if lost := s.Lost(func(lint.File) bool { return true }); len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken disk")
	if _, err := New([]lint.File{{Read: func() ([]byte, error) { return nil, broken }}}, nil); !errors.Is(err, broken) {
		t.Errorf("New: %v", err)
	}
	reads := 0
	s := side(t, lint.File{Path: "a.yaml", Read: func() ([]byte, error) {
		if reads++; reads > 1 {
			return nil, broken
		}
		return []byte(manifestOf("foos.example.com", "")), nil
	}}, lint.File{Path: "large.yaml", Read: func() ([]byte, error) { return nil, nil }})
	if s.Find("foos.example.com", "a.yaml", 0) != nil || !errors.Is(s.Err(), broken) {
		t.Errorf("Find: %v", s.Err())
	}
}

func TestNatural(t *testing.T) {
	t.Parallel()
	sorted := []string{"", "a", "a01", "a1", "a2", "a10", "a10b", "b", "v1.9/x", "v1.10/x"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := natural(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("natural(%q, %q) = %d", a, b, got)
			}
		}
	}
}
