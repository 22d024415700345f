package rewrite

import (
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/google/go-cmp/cmp"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	const old = "a:\n    # about x\n\n    - x: |\n        two\n\n        lines\n      y: 'q' # why\n"
	tests := []struct {
		name, to, from string
		want           string // "" when it cannot be done
	}{
		{"to the left", "a:\n- z: 1\nb: 2\n", old, "a:\n- z: 1\n# about x\n\n- x: |\n    two\n\n    lines\n  y: 'q' # why\nb: 2\n"},
		{"to the right", "l:\n  a:\n      - z: 1\n      # the end\n", "a:\n- x: >\n    folded\n", "l:\n  a:\n      - z: 1\n      - x: >\n          folded\n      # the end\n"},
		{"other line ends", "a:\r\n- z: 1\r\n", "a:\n- x: 1\n  y: 2\n", "a:\r\n- z: 1\r\n- x: 1\r\n  y: 2\r\n"},
		{"no line end", "a:\n- z: 1", "a:\n- x: 1\n", "a:\n- z: 1\n- x: 1"},
		{"no line end where it is from", "a:\n- z: 1\n", "a:\n- x: 1", "a:\n- z: 1\n- x: 1\n"},
		{"a block scalar without a line end", "a:\n- |\n  z", "a:\n- x: 1\n", ""},
		{"a block scalar without a line end where it is from", "a:\n- z: 1\n", "a:\n- x: |\n    y", ""},
		{"to a flow list", "a: [z]\n", old, ""},
		{"from a flow list", "a:\n- z: 1\n", "a: [{x: 1}]\n", ""},
		{"JSON", `{"a": [1]}`, old, ""},
		{"an anchor", "a:\n- z: 1\n", "a:\n- x: &x 1\n", ""},
		{"an alias", "a:\n- z: 1\n", "b: &b 1\na:\n- x: *b\n", ""},
		{"an item on the line of another", "a:\n- z: 1\n", "a:\n- - x: 1\n", "a:\n- z: 1\n- - x: 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, from := manifest.Parse("new", []byte(tt.to)).Documents[0], manifest.Parse("old", []byte(tt.from)).Documents[0]
			root := d.Root
			if l := root.Field("l"); l != nil {
				root = l.Value
			}
			got := ""
			if edit, ok := Append(d, root.Field("a").Value.YNode(), from, from.Root.Field("a").Value.YNode().Content[0]); ok {
				got = string(Apply([]byte(tt.to), []Edit{edit}))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
