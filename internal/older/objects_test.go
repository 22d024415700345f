package older

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

func objectOf(version, metadata, from string) string {
	return fmt.Sprintf("{apiVersion: example.com/%s, kind: Alpha, metadata: %s, from: %q}\n", version, metadata, from)
}

// object is a custom resource of today.
func object(t *testing.T, version, metadata string) *objects.Object {
	t.Helper()
	all, _ := objects.Find(manifest.Parse("now.yaml", []byte(objectOf(version, metadata, "now"))).Documents[0].Root.YNode())
	return all[0]
}

func sideOfObjects(t *testing.T, files ...lint.File) *Side {
	t.Helper()
	s, err := New(files, objects.MayHold)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestObject finds objects as they were, whatever their version and file.
func TestObject(t *testing.T) {
	t.Parallel()
	if sideOfObjects(t, fileOf("a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: a}}")).HasObjects() {
		t.Error("an object of Kubernetes' own is one")
	}
	s := sideOfObjects(t,
		fileOf("a.yaml", objectOf("v1beta1", "{name: a}", "first")+"---\n"+objectOf("v1", "{name: a}", "last")),
		fileOf("b.yaml", objectOf("v1", "{name: a, namespace: ns}", "b")+"---\n"+objectOf("v1", "{generateName: a-}", "generated")),
		fileOf("c.yaml", "{{ range . }}\n"+objectOf("v1", "{name: c}", "template")),
		fileOf("d.yaml", "{apiVersion: example.com/v1, kind: Alpha, metadata: {name: d}, from: patch, $patch: delete}"))
	if !s.HasObjects() {
		t.Error("there are none")
	}
	for metadata, from := range map[string]any{
		"{name: a}": "last", "{name: a, namespace: ns}": "b", "{name: c}": nil, "{name: d}": nil, "{generateName: a-}": nil,
	} {
		if was, _ := s.Object(object(t, "v1", metadata), "a.yaml"); was["from"] != from {
			t.Errorf("%s: got %v, want that of %v", metadata, was, from)
		}
	}
	if s, err := New([]lint.File{fileOf("a.yaml", objectOf("v1", "{name: a}", "a"))}, func([]byte) bool { return false }); err != nil || s.HasObjects() {
		t.Errorf("objects that nobody wants are read, %v", err)
	}
}

// TestObjectUnknown: where it is not known how an object was, that is said.
func TestObjectUnknown(t *testing.T) {
	t.Parallel()
	s := sideOfObjects(t,
		fileOf("a.yaml", objectOf("v1", "{name: none}", "")+"---\n"+objectOf("v1", "{name: one, namespace: ns}", "")+"---\n{apiVersion: example.com/v1, kind: Alpha, metadata: {name: huge}, n: !!int x}"),
		fileOf("b.yaml", "apiVersion: example.com/v1\nkind: Alpha\nmetadata: {"))
	if broken := s.BrokenObjects(); len(broken) != 1 || !strings.HasPrefix(broken[0], "old:b.yaml:") {
		t.Errorf("broken: %q", broken)
	}
	for metadata, want := range map[string]string{
		"{name: none}":                    "",
		"{name: none, namespace: ns}":     "it has a namespace now, and had none",
		"{name: one}":                     "it has no namespace now, and had one",
		"{name: one, namespace: another}": "",
		"{name: two}":                     "",
		"{name: huge}":                    "kubectl could not send it as it was",
	} {
		if _, why := s.Object(object(t, "v1", metadata), "a.yaml"); why != want {
			t.Errorf("%s: got %q, want %q", metadata, why, want)
		}
	}
}
