package crd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigs "sigs.k8s.io/yaml"
)

// node reads one document.
func node(t testing.TB, text string) *yaml.Node {
	t.Helper()
	d := manifest.Parse("test.yaml", []byte(text)).Documents
	if len(d) != 1 || d[0].Root == nil {
		t.Fatalf("not one document:\n%s", text)
	}
	return d[0].Root.YNode()
}

func only(t testing.TB, text string) *CRD {
	t.Helper()
	found, _ := Find(node(t, text))
	if len(found) != 1 {
		t.Fatalf("%d CRDs in\n%s", len(found), text)
	}
	return found[0]
}

const header = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"

func TestFind(t *testing.T) {
	for _, test := range []struct {
		text   string
		names  []string
		others int
	}{
		{header + "metadata: {name: a}", []string{"a"}, 0},
		{"apiVersion: apiextensions.k8s.io/v9\nkind: CustomResourceDefinition\nmetadata: {name: a}", []string{"a"}, 0},
		{"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition, metadata: {name: a}}\n- {kind: Pod}\n- text\n", []string{"a"}, 2},
		{"kind: CustomResourceDefinitionList\nitems:\n- &a {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}}\n- *a\n", []string{"a", "a"}, 0},
		{"kind: CustomResourceDefinitionList\napiVersion: apiextensions.k8s.io/v1\nitems:\n- {metadata: {name: a}}\n- {kind: '', metadata: {name: b}}\n" +
			"- {kind: Pod, metadata: {name: c}}\n- {apiVersion: v1, metadata: {name: d}}\n- text\n- ~\n", []string{"a", "b"}, 4},
		{"kind: CustomResourceDefinitionList\napiVersion: v1\nitems:\n- {metadata: {name: a}}\n", nil, 1},
		{"kind: List\napiVersion: apiextensions.k8s.io/v1\nitems:\n- {metadata: {name: a}}\n", nil, 1},
		{"kind: List\nitems:\n- kind: List\n  items:\n  - {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}}\n  - {kind: Pod}\n" +
			"- &l {kind: List, items: [{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: b}}]}\n- *l\n", []string{"a", "b"}, 2},
		{"kind: List\nitems: []", nil, 0},
		{"kind: List", nil, 1},
		{"kind: CustomResourceDefinition", nil, 1},
		{"apiVersion: apiextensions.k8s.io\nkind: CustomResourceDefinition", nil, 1},
		{"apiVersion: example.com/v1\nkind: CustomResourceDefinition", nil, 1},
		{"[1, 2]", nil, 1},
		{"text", nil, 1},
		{"~", nil, 0},
	} {
		found, others := Find(node(t, test.text))
		var names []string
		for _, c := range found {
			names = append(names, c.Name())
		}
		if !reflect.DeepEqual(names, test.names) || others != test.others {
			t.Errorf("%s\nfound %v and %d others, want %v and %d", test.text, names, others, test.names, test.others)
		}
	}
	if found, others := Find(nil); found != nil || others != 0 {
		t.Errorf("found %v and %d others in nothing", found, others)
	}
}

// mappings have keys that several entries compete for.
var mappings = []string{
	"a: 1\nb: 2\n",
	"a: 1\nb: 2\na: 3\n",
	"base: &base {a: 1, b: 2}\n<<: *base\nb: 3\n",
	"base: &base {a: 1, b: 2}\nb: 3\n<<: *base\n",
	"x: &x {a: 1}\ny: &y {a: 2, b: 2}\n<<: [*x, *y]\n",
	"x: &x {a: 1}\ny: &y {<<: *x, b: 2}\n<<: *y\na: {c: 1}\n",
	"<<: {a: 1, a: 2}\n<<: {a: 3}\n",
	"on: 1\ntrue: 2\n010: 3\n8: 4\n",
	"a: &v {b: 1}\nc: *v\n? &k d\n: 1\n*k : 2\n",
	"a: null\na: 1\nb: 1\nb: ~\n",
	"\"<<\": 1\na: 2\n",
	"{}\n",
}

// TestEntries compares the effective entries of a mapping with those that the API server's YAML library reads.
func TestEntries(t *testing.T) {
	for _, text := range mappings {
		raw, err := sigs.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		n := node(t, text)
		got := map[string]any{}
		for _, e := range Entries(n) {
			if _, twice := got[e.Name]; twice {
				t.Errorf("%q: %s is listed twice", text, e.Name)
			}
			got[e.Name] = meaning(t, e.Value)
			if k, v := Lookup(n, e.Name); k != e.Key || v != e.Value {
				t.Errorf("%q: Lookup finds another %s than Entries", text, e.Name)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n got %v\nwant %v", text, got, want)
		}
		if k, v := Lookup(n, "missing"); k != nil || v != nil {
			t.Errorf("%q has a missing key", text)
		}
	}
}

// TestMergeBomb looks into mappings that merge themselves, and others so often that following every way takes forever.
func TestMergeBomb(t *testing.T) {
	bomb := "m0: &m0 {a: 1}\n"
	for i := range 40 {
		bomb += fmt.Sprintf("m%d: &m%d {<<: [*m%d, *m%d, *m%d]}\n", i+1, i+1, i, i, i)
	}
	for _, text := range []string{"a: 1\n<<: &a {b: 2, <<: *a}\n", "<<: &a {<<: [*a, {<<: *a}], b: 1}\nc: 1\n", bomb + "<<: *m40\n"} {
		n := node(t, text)
		if k, v := Lookup(n, "missing"); k != nil || v != nil {
			t.Errorf("%.60s has a missing key", text)
		}
		for _, e := range Entries(n) {
			if k, _ := Lookup(n, e.Name); k != e.Key {
				t.Errorf("%.60s: Lookup finds another %s than Entries", text, e.Name)
			}
		}
		Find(n)
	}
	for _, c := range Parse([]byte(header + "spec: &s {<<: *s, versions: [*s]}\nmetadata: {name: a}")) {
		if _, err := c.Decode(); err == nil {
			t.Error("a mapping that contains itself is decoded")
		}
		c.UnknownFields()
		c.Locate("spec.versions[0].versions[0].name")
	}
}

func meaning(t *testing.T, n *yaml.Node) (v any) {
	t.Helper()
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestClone(t *testing.T) {
	original := node(t, "outside: &o {x: 1}\ninside:\n  first: &i [1, 2]\n  again: *i\n  far: *o\n  <<: *o\n")
	part := Get(original, "inside")
	copied := Clone(part)
	if got, want := meaning(t, copied), meaning(t, part); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy means %v, not %v", got, want)
	}
	if text := Clone(node(t, "text")); text.Content != nil {
		t.Error("the copy of a text has content")
	}
	_, first := Lookup(copied, "first")
	_, again := Lookup(copied, "again")
	_, far := Lookup(copied, "far")
	if again.Alias != first {
		t.Error("an alias of the copy stands for a node of the original")
	}
	if far.Alias != Get(original, "outside") {
		t.Error("an alias to the outside lost its target")
	}
	first.Content[0].Value = "9"
	if Get(part, "first").Content[0].Value != "1" {
		t.Error("the copy shares nodes with the original")
	}
	if first.Line != 3 || first.Column == 0 {
		t.Errorf("the copy is at %d:%d", first.Line, first.Column)
	}
}

func TestScalars(t *testing.T) {
	n := node(t, "s: text\nb: on\nq: \"on\"\nnull: 1\nz: ~\nl: [1]\nnum: 5\na: &a yes\nal: *a\n")
	if StringAt(n, "s") != "text" || StringAt(n, "q") != "on" || StringAt(n, "b") != "" || StringAt(n, "l") != "" || StringAt(n, "num") != "" {
		t.Error("StringAt reads other than strings")
	}
	if v, ok := BoolAt(n, "b"); !v || !ok {
		t.Error("on is true in YAML 1.1")
	}
	if v, ok := BoolAt(n, "al"); !v || !ok {
		t.Error("an alias is not followed")
	}
	if _, ok := BoolAt(n, "q"); ok {
		t.Error(`"on" is a string`)
	}
	if !IsNull(Get(n, "z")) || IsNull(Get(n, "s")) || IsNull(Get(n, "missing")) {
		t.Error("IsNull is wrong")
	}
}
