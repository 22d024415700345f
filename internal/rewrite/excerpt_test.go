package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestExcerpt makes changes in an excerpt of one mapping, and in the whole document.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	const head = "z: 0\n---\n# doc\nm:\n"
	entries := "  # about a\n  a: 1\n  b: |+\n    text\n\n\n  c: {d: 1} # c\n  d:\n  - e: 1\n  # f\n\n  f: >-\n    folded\n  g: 2\n"
	set := func(key, value string) func(m *yaml.RNode) error {
		return func(m *yaml.RNode) error { return m.PipeE(yaml.SetField(key, yaml.NewScalarRNode(value))) }
	}
	remove := func(key string) func(m *yaml.RNode) error {
		return func(m *yaml.RNode) error { return m.PipeE(yaml.Clear(key)) }
	}
	tests := []struct {
		name, text string
		gaps       [][2]int
		change     func(m *yaml.RNode) error
		refused    bool
	}{
		{"before the gap", entries, [][2]int{{2, 5}}, set("b", "x"), false},
		{"at the gap", entries, [][2]int{{1, 5}}, remove("a"), true},
		{"after the gap", entries, [][2]int{{1, 3}}, set("g", "x"), false},
		{"an entry removed after the gap", entries, [][2]int{{1, 3}}, remove("f"), false},
		{"between two gaps", entries, [][2]int{{4, 5}, {1, 2}}, remove("d"), true},
		{"an entry at the end", entries, [][2]int{{1, 4}}, set("new", "x"), false},
		{"other line ends", strings.ReplaceAll(entries, "\n", "\r\n"), [][2]int{{1, 3}}, set("g", "x"), false},
		{"no line end", strings.TrimSuffix(entries, "\n"), [][2]int{{1, 3}}, set("new", "x"), false},
		{"deeper indentation", strings.ReplaceAll("  "+entries, "\n  ", "\n    "), [][2]int{{1, 3}}, set("new", "x"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := head + tt.text
			d := manifest.Parse("x", []byte(text)).Documents[1]
			w := Of(d)
			var gaps []Gap
			for _, g := range tt.gaps {
				gaps = append(gaps, Gap{w.source.Root.Children[1], g[0], g[1]})
			}
			x := w.Excerpt(gaps)
			if x == nil {
				t.Fatal("there is no excerpt")
			}
			if err := tt.change(yaml.NewRNode(x.Root).Field("m").Value); err != nil {
				t.Fatal(err)
			}
			got, err := x.Write()
			if tt.refused {
				if err == nil {
					t.Errorf("it is written, by %v", got.Edits)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.change(d.Root.Field("m").Value); err != nil {
				t.Fatal(err)
			}
			want, err := w.Write(d.Root.YNode())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Edits, got.Edits); diff != "" || len(got.Edits) == 0 {
				t.Error("no edits, or others: ", diff)
			}
		})
	}
}

// TestNoExcerpt has documents that need all of their text, and gaps that leave out too much.
func TestNoExcerpt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		from, to   int
	}{
		{"an anchor", "m:\n  a: 1\n  b: &b 1\n  c: 1\n  d: 1\n", 1, 2},
		{"an alias", "m:\n  a: &a 1\n  b: 1\n  c: *a\n  d: 1\n", 1, 2},
		{"JSON", `{"m": {"a": 1, "b": 2, "c": 3}}`, 1, 2},
		{"braces", "m: {a: 1, b: 2, c: 3}\n", 1, 2},
		{"the first entry", "m:\n  a: 1\n  b: 1\n  c: 1\n", 0, 1},
		{"the last entry", "m:\n  a: 1\n  b: 1\n  c: 1\n", 1, 3},
		{"nothing", "m:\n  a: 1\n  b: 1\n  c: 1\n", 1, 1},
	} {
		w := Of(manifest.Parse("x", []byte(tt.text)).Documents[0])
		if x := w.Excerpt([]Gap{{w.source.Root.Children[1], tt.from, tt.to}}); x != nil {
			t.Errorf("%s: there is an excerpt", tt.name)
		}
	}
}

// TestExcerptStyle writes new text in the style of the document, which most of what is left out has.
func TestExcerptStyle(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("m:\n")
	for i := range 9 {
		fmt.Fprintf(&b, "  k%d:\n      a: 1\n", i)
	}
	b.WriteString("  z: 1\n")
	d := manifest.Parse("x", []byte(b.String())).Documents[0]
	w := Of(d)
	x := w.Excerpt([]Gap{{w.source.Root.Children[1], 1, 7}})
	fresh := yaml.NewMapRNode(nil)
	if err := fresh.PipeE(yaml.LookupCreate(yaml.MappingNode, "a"), yaml.SetField("b", yaml.NewScalarRNode("c"))); err != nil {
		t.Fatal(err)
	}
	if err := yaml.NewRNode(x.Root).Field("m").Value.PipeE(yaml.SetField("z", fresh)); err != nil {
		t.Fatal(err)
	}
	got, err := x.Write()
	if err != nil {
		t.Fatal(err)
	}
	if want := "z:\n      a:\n          b: c\n"; !strings.HasSuffix(string(Apply([]byte(b.String()), got.Edits)), want) {
		t.Errorf("got %v, want it to end in %q", got.Edits, want)
	}
}
