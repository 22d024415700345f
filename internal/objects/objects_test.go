package objects

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
)

// objectsIn are the objects of a text.
func objectsIn(t *testing.T, src string) (file *manifest.File, all []*Object) {
	t.Helper()
	file = manifest.Parse("test.yaml", []byte(src))
	for _, d := range file.Documents {
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		if d.Root != nil {
			found, _ := Find(d.Root.YNode())
			all = append(all, found...)
		}
	}
	return file, all
}

func TestFind(t *testing.T) {
	t.Parallel()
	const database = "{apiVersion: example.com/v1, kind: Database, metadata: {name: a, namespace: prod}}"
	for _, test := range []struct{ name, src, want string }{
		{"one object", database, "example.com/v1 Database prod/a"},
		{"of the core group", "{apiVersion: v1, kind: Pod, metadata: {name: a}}", "v1 Pod a"},
		{"several documents", database + "\n---\n# nothing\n---\n" + database, "example.com/v1 Database prod/a, example.com/v1 Database prod/a"},
		{"a list", "{apiVersion: v1, kind: List, items: [" + database + "]}", "example.com/v1 Database prod/a"},
		{"a list in a list", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [" + database + "]}]}", "example.com/v1 Database prod/a"},
		{"a list of a kind, as Go programs write it", "{apiVersion: example.com/v1, kind: DatabaseList, items: [{metadata: {name: b}}]}", "example.com/v1 Database b"},
		{"an object whose kind ends like that of a list", "{apiVersion: example.com/v1, kind: AllowList, metadata: {name: c}, items: none}", "example.com/v1 AllowList c"},
		{"one with items of its own", "{apiVersion: example.com/v1, kind: AllowList, metadata: {name: c}, spec: {}, items: []}", "example.com/v1 AllowList c"},
		{"an empty list", "{apiVersion: v1, kind: List, items: []}", ""},
		{"no object", "replicas: 3", ""},
		{"a scalar", "hello", ""},
		{"without a kind", "{apiVersion: example.com/v1, metadata: {name: a}}", ""},
		{"JSON", `{"apiVersion": "example.com/v1", "kind": "Database", "metadata": {"name": "a"}}`, "example.com/v1 Database a"},
		{"an anchor", "{apiVersion: v1, kind: List, items: [&a " + database + ", *a]}", "example.com/v1 Database prod/a, example.com/v1 Database prod/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, all := objectsIn(t, test.src)
			var got []string
			for _, o := range all {
				got = append(got, o.APIVersion()+" "+o.Kind+" "+o.ID())
			}
			if got := strings.Join(got, ", "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestOthers counts what is no object.
func TestOthers(t *testing.T) {
	t.Parallel()
	f := manifest.Parse("", []byte("{apiVersion: v1, kind: List, items: [3, {a: b}, {apiVersion: v1, kind: Pod}]}"))
	if found, others := Find(f.Documents[0].Root.YNode()); len(found) != 1 || others != 2 || found[0].Index != 0 {
		t.Errorf("found %d objects and %d others, want 1 and 2", len(found), others)
	}
}

// TestSwollen has lists that no kubectl sends: in themselves, or with more aliases than it follows. They have no objects.
func TestSwollen(t *testing.T) {
	t.Parallel()
	grown := func(times int) string {
		text := "apiVersion: v1\nkind: List\nl0: &l0 {apiVersion: v1, kind: Pod}\n"
		for i := range times {
			text += fmt.Sprintf("l%d: &l%[1]d {kind: List, items: [%s]}\n", i+1, strings.Repeat(fmt.Sprintf("*l%d, ", i), 4))
		}
		return fmt.Sprintf("%sitems: [*l%d]\n", text, times)
	}
	for text, want := range map[string]int{
		"&a {apiVersion: v1, kind: List, items: [*a, {apiVersion: v1, kind: Pod}]}":                    -1,
		"{apiVersion: v1, kind: List, items: [&a {apiVersion: v1, kind: Pod, spec: *a}]}":              -1,
		"{apiVersion: v1, kind: List, items: [{kind: List, items: [&a {apiVersion: v1, kind: Pod}]}]}": 1,
		grown(3):  64,
		grown(12): -1,
	} {
		root := manifest.Parse("", []byte(text)).Documents[0].Root.YNode()
		found, others := Find(root)
		if swollen := Swollen(root); swollen != (want < 0) || len(found) != max(want, 0) || swollen != (others == 1) {
			t.Errorf("%.80s: swollen is %t, %d objects and %d others, want %d", text, swollen, len(found), others, want)
		}
	}
}

// TestTree reads objects as kubectl does.
func TestTree(t *testing.T) {
	t.Parallel()
	_, all := objectsIn(t, `
apiVersion: example.com/v1
kind: DatabaseList
items:
- metadata: {name: a}
  on: yes
  size: 3
  size: 010
  big: 9007199254740993
  share: 1.5
  base: &base {x: 1, z: 2}
  merged: {<<: *base, z: 3}
  none: ~
`)
	tree, size, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	want := request.Object{
		"apiVersion": "example.com/v1", "kind": "Database", "metadata": map[string]any{"name": "a"},
		"true": true, "size": int64(8), "big": int64(9007199254740993), "share": 1.5, "none": nil,
		"base": map[string]any{"x": int64(1), "z": int64(2)}, "merged": map[string]any{"x": int64(1), "z": int64(3)},
	}
	if diff := gocmp.Diff(want, tree); diff != "" {
		t.Error(diff)
	}
	if size == 0 {
		t.Error("no size")
	}
}

// TestTreeOfNothing: what kubectl cannot send is an error.
func TestTreeOfNothing(t *testing.T) {
	t.Parallel()
	_, all := objectsIn(t, "apiVersion: example.com/v1\nkind: Database\nspec:\n  ? [a, b]\n  : 1\n")
	if _, _, err := all[0].Tree(); err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("got %v, want an error in line 4", err)
	}
}

// TestTreeOfLargeNumbers: kubectl decodes JSON as it is, and fails where a number is too large, even one that a later
// duplicate replaces. YAML becomes JSON first, in which such a number is a string.
func TestTreeOfLargeNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number string
		json   any // nil for one that cannot be decoded
		yaml   any
	}{
		{"1e400", nil, "1e400"},
		{"-1E+400", nil, "-1E+400"},
		{"1" + strings.Repeat("0", 400), nil, "1" + strings.Repeat("0", 400)},
		{"1e308", 1e308, 1e308},
		{"1e-400", int64(0), int64(0)},
		{"123456789012345678901234567890", 123456789012345678901234567890.0, 123456789012345678901234567890.0},
	} {
		text := fmt.Sprintf(`{"apiVersion": "example.com/v1", "kind": "Database", "size": [%s, 1]}`, test.number)
		var decoded map[string]any
		if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &decoded); (err == nil) != (test.json != nil) {
			t.Errorf("%s: API servers say %v", test.number, err)
		}
		_, all := objectsIn(t, text)
		tree, _, err := all[0].Tree()
		if test.json == nil && (err == nil || !strings.Contains(err.Error(), "line 1: "+test.number+" is larger than any number")) {
			t.Errorf("%s in JSON: got %v and %v", test.number, tree, err)
		}
		if test.json != nil && !reflect.DeepEqual(tree["size"], []any{test.json, int64(1)}) {
			t.Errorf("%s in JSON: got %v, %v", test.number, tree["size"], err)
		}
		_, all = objectsIn(t, "# YAML\n"+text)
		if tree, _, err := all[0].Tree(); err != nil || !reflect.DeepEqual(tree["size"], []any{test.yaml, int64(1)}) {
			t.Errorf("%s in YAML: got %v, %v", test.number, tree["size"], err)
		}
	}
	_, all := objectsIn(t, `{"apiVersion": "example.com/v1", "kind": "Database", "size": 1e400, "size": 1}`)
	if tree, _, err := all[0].Tree(); err == nil {
		t.Errorf("a number that is replaced is read: %v", tree)
	}
}

func TestFromServer(t *testing.T) {
	t.Parallel()
	_, all := objectsIn(t, "{apiVersion: a.b/v1, kind: K, metadata: {name: a}}\n---\n{apiVersion: a.b/v1, kind: K, metadata: {name: a, uid: x}}\n---\n{apiVersion: a.b/v1, kind: K, metadata: {name: a, resourceVersion: '1'}}\n")
	got := []bool{all[0].FromServer(), all[1].FromServer(), all[2].FromServer()}
	if !slices.Equal(got, []bool{false, true, true}) {
		t.Errorf("got %v", got)
	}
}

// TestCRDWithoutGroup defines no kind, and Kubernetes' own objects, which have no group either, are not its.
func TestCRDWithoutGroup(t *testing.T) {
	t.Parallel()
	const src = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.example.com}
spec: {names: {kind: Database, plural: databases}, scope: Namespaced, versions: [{name: v1, served: true, storage: true}]}
`
	var c Catalogue
	c.Add(Definitions("crd.yaml", "crd.yaml", []byte(src), false)...)
	_, all := objectsIn(t, "{apiVersion: v1, kind: Secret, metadata: {name: a}}")
	if got := c.Match(all[0], "a.yaml").Verdict; got != BuiltIn || c.Count() != 0 {
		t.Errorf("got verdict %d with %d CRDs, want %d with none", got, c.Count(), BuiltIn)
	}
}
