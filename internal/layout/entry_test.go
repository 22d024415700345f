package layout

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestTree changes mappings, and tells the lines that do not come out as they went in.
func TestTree(t *testing.T) {
	t.Parallel()
	set := func(m *yaml.Node) []*yaml.Node { return Set(m, "b", String("new")) }
	first := func(m *yaml.Node) []*yaml.Node { return SetBefore(m, "b", String("new"), "c", "d") }
	remove := func(m *yaml.Node) []*yaml.Node { return Remove(m, "b") }
	removeTwo := func(m *yaml.Node) []*yaml.Node { return Remove(m, "c", "a") }
	insert := func(m *yaml.Node) []*yaml.Node {
		InsertSorted(m, String("b"), String("new"), String("d"), String("new"))
		return nil
	}
	rename := func(m *yaml.Node) []*yaml.Node { return Rename(m, "b", "z") }
	tests := []struct {
		name    string
		change  func(*yaml.Node) []*yaml.Node
		in, out string
		lines   []int // that are touched
	}{
		{"set anew", set, "a: 1\n", "a: 1\nb: new\n", nil},
		{"set", set, "a: 1\nb: 2\nc: 3\n", "a: 1\nb: new\nc: 3\n", []int{2}},
		{"set the last", set, "b: 1\nb: 2\n", "b: 1\nb: new\n", []int{2}},
		{"set anew in flow style", set, "{a: 1}\n", "{a: 1, b: new}\n", []int{1}},
		{"set anew in nothing", set, "{}\n", "b: new\n", []int{1}},
		{"set what is merged", set, "<<: {b: 1}\n", "!!merge <<: {b: 1}\nb: new\n", nil},
		{"set before", first, "a: 1\nd: 2\nc: 3\n", "a: 1\nb: new\nd: 2\nc: 3\n", nil},
		{"set before none", first, "a: 1\n", "a: 1\nb: new\n", nil},
		{"set before what is there", first, "c: 1\nb: 2\na: 3\n", "c: 1\nb: new\na: 3\n", []int{2}},
		{"remove", remove, "a: 1\nb: 2\nc: 3\n", "a: 1\nc: 3\n", []int{2}},
		{"remove the first", remove, "b: 1\nc: 2\n", "c: 2\n", []int{1, 2}},
		{"remove the only one", remove, "b: 1\n", "{}\n", []int{1}},
		{"remove all", remove, "b: 1\na: 2\nb: 3\n", "a: 2\n", []int{1, 2, 3}},
		{"remove two", removeTwo, "a: 1\nb: 2\nc: 3\na: 4\n", "b: 2\n", []int{1, 2, 3, 4}},
		{"remove two of flow style", removeTwo, "{a: 1,\n b: 2,\n c: 3,\n d: 4}\n", "{b: 2, d: 4}\n", []int{1, 2, 3}},
		{"insert in order", insert, "a: 1\nc: 3\n", "a: 1\nb: new\nc: 3\nd: new\n", nil},
		{"insert where there is no order", insert, "c: 1\na: 3\n", "c: 1\na: 3\nb: new\nd: new\n", nil},
		{"remove none", remove, "a: 1\n", "a: 1\n", nil},
		{"remove what is merged", remove, "<<: {b: 1}\n", "!!merge <<: {b: 1}\n", nil},
		{"remove from flow style", remove, "{a: 1,\n b: 2,\n c: 3}\n", "{a: 1, c: 3}\n", []int{1, 2}},
		{"remove from a list", remove, "[b]\n", "[b]\n", nil},
		{"rename", rename, "a: 1\nb: 2\n", "a: 1\nz: 2\n", []int{2}},
		{"rename the last", rename, "b: 1\na: 2\nb: 3\n", "a: 2\nz: 3\n", []int{1, 3}},
		{"rename none", rename, "a: 1\n", "a: 1\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := yaml.MustParse(tt.in).YNode()
			var lines []int
			for _, n := range tt.change(m) {
				if n.Line > 0 {
					lines = append(lines, n.Line)
				}
			}
			slices.Sort(lines)
			if lines = slices.Compact(lines); !slices.Equal(lines, tt.lines) {
				t.Errorf("touches lines %v, want %v", lines, tt.lines)
			}
			if got := yaml.NewRNode(m).MustString(); got != tt.out {
				t.Errorf("got\n%swant\n%s", got, tt.out)
			}
		})
	}
}

func TestExpandAliases(t *testing.T) {
	t.Parallel()
	m := yaml.MustParse("a: &a {x: &x 1}\nb: *a\nc: {<<: *a, y: [*x]}\n").YNode()
	if !Expandable(m) {
		t.Error("has no aliases")
	}
	gone := ExpandAliases(m)
	if got, want := yaml.NewRNode(m).MustString(), "a: &a {x: &x 1}\nb: {x: 1}\nc: {x: 1, y: [1]}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	own := yaml.MustParse("a: &a {x: 1}\nb: {<<: *a, y: &y 2}\n").YNode()
	ExpandAliases(own)
	if got, want := yaml.NewRNode(own).MustString(), "a: &a {x: 1}\nb: {x: 1, y: &y 2}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(gone) != 4 || Expandable(m) {
		t.Errorf("%d nodes are gone", len(gone))
	}
	bomb := "a0: &a0 [1]\n"
	for i := range 9 {
		n := string(rune('0' + i))
		bomb += "a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+n+", ", 99) + "]\n"
	}
	if Expandable(yaml.MustParse(bomb).YNode()) {
		t.Error("a bomb is expanded")
	}
}

func TestEveryNode(t *testing.T) {
	t.Parallel()
	m := yaml.MustParse("a: [1, {b: 2}]\n").YNode()
	if got := len(EveryNode(m)); got != 7 {
		t.Errorf("%d nodes", got)
	}
	if EveryNode(nil) != nil {
		t.Error("nothing has nodes")
	}
	Forget(m)
	for _, n := range EveryNode(m) {
		if n.Line != 0 || n.Column != 0 {
			t.Errorf("%q stands in %d:%d", n.Value, n.Line, n.Column)
		}
	}
	if got := String("yes").Style; got != yaml.DoubleQuotedStyle {
		t.Errorf("yes is written in style %d", got)
	}
	if got := yaml.NewRNode(Mapping("a", List(Bool(true), String("b")))).MustString(); got != "a:\n- true\n- b\n" {
		t.Errorf("made %s", got)
	}
}
