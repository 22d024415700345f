package skeleton

import (
	"testing"
)

// FuzzOf: whatever the text, it has a tree, whose nodes are in the text and in each other, and each place has spots in the text.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{everything, "", "a: {b: [", "a:\n- - b: \"c\n d", "\uFEFFa: 1\r\rb", "--- a\n...\n", "? a\n: b\n", "{{ if .x }}\na: {{ .y }}"} {
		f.Add([]byte(seed), 5)
	}
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		if offset < 0 || offset > len(src) {
			return
		}
		root := Of(src, offset)
		check(t, root, src)
		for _, s := range root.Spots(src, offset) {
			if s.In == nil || s.Start < 0 || s.Start > offset || s.End < offset || s.End > len(src) || !s.Key && !s.Value {
				t.Errorf("the spot at %d of %q is %+v", offset, src, s)
			}
		}
	})
}

func check(t *testing.T, n *Node, src []byte) {
	if n.Start < 0 || n.End < n.Start || n.End > len(src) {
		t.Fatalf("%q: a value is from %d to %d", src, n.Start, n.End)
	}
	if (n.Kind == Mapping || n.Kind == Sequence) == (len(n.Children) == 0) && !n.Flow {
		t.Fatalf("%q: a value of kind %d has %d parts", src, n.Kind, len(n.Children))
	}
	for _, c := range n.Children {
		if c.Parent != n || c.KeyStart < 0 || c.KeyEnd < c.KeyStart || c.KeyEnd > len(src) {
			t.Fatalf("%q: the key %q is from %d to %d", src, c.Key, c.KeyStart, c.KeyEnd)
		}
		check(t, c, src)
	}
}
