package carry

import (
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// pathOf reads a path of a test: "spec.parts[0].name".
func pathOf(s string) (at request.Path) {
	for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if i, err := strconv.Atoi(name); err == nil {
			at = append(at, request.Index(i))
		} else {
			at = append(at, request.Key(name))
		}
	}
	return at
}

// tracesOf reads traces of a test: "a > b", and "a => b" for what is computed.
func tracesOf(s string) (all []Trace) {
	for line := range strings.Lines(s) {
		if from, to, ok := strings.Cut(line, "=>"); ok {
			all = append(all, Trace{From: pathOf(strings.TrimSpace(from)), To: pathOf(strings.TrimSpace(to)), Computed: true})
		} else if from, to, ok := strings.Cut(line, ">"); ok {
			all = append(all, Trace{From: pathOf(strings.TrimSpace(from)), To: pathOf(strings.TrimSpace(to))})
		}
	}
	return all
}

// rebuilt is a text whose object becomes that of another one.
func rebuilt(t *testing.T, in, want, traces string) (string, error) {
	t.Helper()
	d := manifest.Parse("in.yaml", []byte(in)).Documents[0]
	root := crd.Clone(d.Root.YNode())
	o := subjectsIn(root)[0].Object
	before, _, err := o.Tree()
	if err != nil {
		t.Fatal(err)
	}
	value, err := layout.Value(manifest.Parse("want.yaml", []byte(want)).Documents[0].Root.YNode())
	if err != nil {
		t.Fatal(err)
	}
	after := value.(map[string]any)
	schema := func(at request.Path) *crd.Schema { return nil }
	if err := build(root, o, before, &Carried{Object: after, Traces: tracesOf(traces)}, after, schema); err != nil {
		return "", err
	}
	if now, err := layout.Value(root); err != nil || !layout.Same(now, value) {
		t.Fatalf("the tree has another value: %v", now)
	}
	made, err := rewrite.Of(d).Write(root)
	if err != nil {
		return "", err
	}
	if made.Encoded != "" {
		t.Errorf("the layout is lost: %s", made.Encoded)
	}
	return string(rewrite.Apply([]byte(in), made.Edits)), nil
}

const head = "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: a}\nspec:\n"

// TestTree has the objects of a webhook written: values that have moved take their text along.
func TestTree(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want, traces string }{
		"renamed": {
			"  # how many\n  replicas: 0x10 # two\n",
			"  # how many\n  size: 0x10 # two\n", "spec.replicas > spec.size",
		},
		"a new parent": {
			"  n: 1\n  # pinned\n  image: \"nginx:1.27\" # digest follows\n  script: |\n    #!/bin/sh\n    # no comment\n    exit 0\n  last: x\n",
			"  n: 1\n  container:\n    # pinned\n    image: \"nginx:1.27\" # digest follows\n    script: |\n      #!/bin/sh\n      # no comment\n      exit 0\n  last: x\n",
			"spec.image > spec.container.image\nspec.script > spec.container.script",
		},
		"out of a parent": {
			"  box:\n    # above\n    a: 'x' # a\n    b: 2\n  last: 1\n",
			"  # above\n  a: 'x' # a\n  b: 2\n  last: 1\n", "spec.box.a > spec.a\nspec.box.b > spec.b",
		},
		"a parent that is there": {
			"  image: x # i\n  box:\n    b: 2 # b\n  last: 1\n",
			"  box:\n    b: 2 # b\n    image: x # i\n  last: 1\n", "spec.image > spec.box.image",
		},
		"computed": {
			"  # slow disks\n  timeout: 5m # measured\n",
			"  # slow disks\n  timeoutSeconds: 300 # measured\n", "spec.timeout => spec.timeoutSeconds",
		},
		"computed in place": {
			"  # slow disks\n  timeout: 5m # measured\n",
			"  # slow disks\n  timeout: 300 # measured\n", "spec.timeout => spec.timeout",
		},
		"one that becomes several": {
			"  a: 1\n  schedule: \"*/5 3\" # why\n  b: 1\n",
			"  a: 1\n  schedule: # why\n    hour: \"3\"\n    minute: \"*/5\"\n  b: 1\n", "",
		},
		"equal values": {
			"  # by day\n  owner: team-a\n  # by night\n  backup: team-a\n",
			"  people:\n    # by day\n    primary: team-a\n    # by night\n    secondary: team-a\n",
			"spec.owner > spec.people.primary\nspec.backup > spec.people.secondary",
		},
		"swapped": {
			"  a: team-a # a\n  b: team-b # b\n",
			"  b: team-a # a\n  a: team-b # b\n", "spec.a > spec.b\nspec.b > spec.a",
		},
		"items that become mappings": {
			"  hosts:\n  # the old one\n  - a.example.com\n  - 'b.example.com' # new\n",
			"  hosts:\n  # the old one\n  - name: a.example.com\n  - name: 'b.example.com' # new\n",
			"spec.hosts[0] > spec.hosts[0].name\nspec.hosts[1] > spec.hosts[1].name",
		},
		"items in another order": {
			"  l:\n  # one\n  - a: 1 # 1\n    b: x\n  # two\n  - a: 2 # 2\n    b: y\n",
			"  l:\n  # two\n  - a: 2 # 2\n    b: y\n  # one\n  - a: 1 # 1\n    b: x\n",
			"spec.l[0].a > spec.l[1].a\nspec.l[0].b > spec.l[1].b\nspec.l[1].a > spec.l[0].a\nspec.l[1].b > spec.l[0].b",
		},
		"a whole mapping moves": {
			"  # the box\n  box: # of wood\n    # above\n    a: {x: 1,   y: 2}\n\n    b: 2 # b\n  last: 1\n",
			"  # the box\n  chest: # of wood\n    # above\n    a: {x: 1,   y: 2}\n\n    b: 2 # b\n  last: 1\n",
			"spec.box.a.x > spec.chest.a.x\nspec.box.a.y > spec.chest.a.y\nspec.box.b > spec.chest.b",
		},
		"a copy": {
			"  a: x # a\n", "  a: x # a\n  b: x\n", "spec.a > spec.b",
		},
		"the same source twice": {
			"  # why\n  a: x # a\n  last: 1\n", "  # why\n  b: x # a\n  last: 1\n  c: x\n", "spec.a > spec.b\nspec.a > spec.c",
		},
		"new ones": {
			"  a: x # a\n", "  a: x # a\n  mode: \"off\"\n  parts:\n  - \"off\": null\n    size: 1.5\n", "",
		},
		"gone": {
			"  a: x # a\n  # b\n  b: {c: 1} # c\n  d: 1\n", "  a: x # a\n  # b\n  # c\n  d: 1\n", "",
		},
		"an alias that stays": {
			"  a: &x {b: 1}\n  c: *x\n  d: 1\n", "  a: &x {b: 1}\n  c: *x\n  e: 1\n", "spec.d > spec.e",
		},
		"an alias that changes": {
			"  a: &x {b: 1}\n  # c\n  c: *x # d\n  d: 1\n", "  a: &x {b: 1}\n  # c\n  c: {b: 2} # d\n  d: 1\n", "",
		},
		"an anchor on what changes": {
			"  a: &x {b: 1}\n  c:\n    d: &y # why\n      e: 1\n    f: *x\n  g: 1\n", "  a: &x {b: 1}\n  c:\n    d: &y # why\n      h: 1\n    f: *x\n  g: 1\n",
			"spec.c.d.e > spec.c.d.h",
		},
		"an anchored mapping that is renamed inside": {
			"  a: &x\n    b: 1 # one\n    c: 2\n  d: *x\n", "  a: &x\n    e: 1 # one\n    c: 2\n  d:\n    e: 1\n    c: 2\n", "spec.a.b > spec.a.e\nspec.d.b > spec.d.e",
		},
		"a merge key that stays": {
			"  a: &x {b: 1}\n  c:\n    # all\n    <<: *x # x\n    d: 1\n", "  a: &x {b: 1}\n  c:\n    # all\n    <<: *x # x\n    e: 1\n", "spec.c.d > spec.c.e",
		},
		"flow": {
			"  {replicas: 2, image: x, last: [1, 2]} # why\n", "  {size: 2, container: {image: x}, last: [1, 2]} # why\n",
			"spec.replicas > spec.size\nspec.image > spec.container.image",
		},
		"duplicate keys": {
			"  a: 1\n  a: 2 # counts\n  d: 1\n", "  a: 1\n  a: 2 # counts\n  e: 1\n", "spec.d > spec.e",
		},
		"an empty one is filled": {
			"  box: {} # empty\n  a: x # a\n", "  box: # empty\n    a: x # a\n", "spec.a > spec.box.a",
		},
	} {
		in, want := head+test.in, head+test.want
		for form, change := range map[string]func(string) string{
			"": func(s string) string { return s }, "CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"BOM": func(s string) string { return "\ufeff" + s }, "open": func(s string) string { return strings.TrimSuffix(s, "\n") },
		} {
			in, want := change(in), change(want)
			got, err := rebuilt(t, in, want, test.traces)
			if err != nil {
				t.Errorf("%s %s: %v", name, form, err)
			} else if got != want {
				t.Errorf("%s %s: got\n%s\nwant\n%s", name, form, got, want)
			}
		}
	}
}

// TestMergeKey leaves objects alone of which something moves that a merge key brings in.
func TestMergeKey(t *testing.T) {
	t.Parallel()
	in := head + "  base: &b {image: x}\n  box:\n    <<: *b\n    n: 2\n"
	for name, test := range map[string]struct{ want, traces string }{
		"moves":   {"  base: &b {image: x}\n  box: {n: 2}\n  image: x\n", "spec.box.image > spec.image"},
		"changes": {"  base: &b {image: x}\n  box: {n: 2, image: y}\n", "spec.box.image => spec.box.image"},
		"goes":    {"  base: &b {image: x}\n  box: {n: 2}\n", ""},
	} {
		_, err := rebuilt(t, in, head+test.want, test.traces)
		if u, is := err.(*unwritable); !is || u.node.Value != "<<" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
