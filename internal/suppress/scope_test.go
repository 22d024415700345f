package suppress

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// TestScope: a comment is about the same as long as it stays at its entry, whatever is around that.
func TestScope(t *testing.T) {
	t.Parallel()
	const text = `# crdlift:ignore a -- document
kind: K
metadata: {name: a, namespace: b}
spec: # crdlift:ignore a -- at the end of a key's line
  # crdlift:ignore a -- above an entry
  one:
    two: {three: 3} # crdlift:ignore a -- the first entry of a line
  list: # crdlift:ignore a -- key of a list
  - # crdlift:ignore a -- in an item
    name: v1
    x.y: | # crdlift:ignore a -- block
      text
  # crdlift:ignore a -- above an item
  - z: 1
    last: [
      1, 2 # crdlift:ignore a -- items in flow style
    ] # crdlift:ignore a -- after the end of it
---
- {} # crdlift:ignore a -- without a name
`
	var got []string
	for _, d := range manifest.Parse("x", []byte(text)).Documents {
		comments, _ := Comments(d, "", func() lint.Rules { return lint.Rules{{ID: "a"}} })
		for _, c := range comments {
			got = append(got, c.Reason+": "+c.Scope)
		}
	}
	if diff := cmp.Diff([]string{
		`document: "K"/"b"/"a"`,
		`at the end of a key's line: "K"/"b"/"a"."spec"`,
		`above an entry: "K"/"b"/"a"."spec"."one"`,
		`the first entry of a line: "K"/"b"/"a"."spec"."one"."two"`,
		`key of a list: "K"/"b"/"a"."spec"."list"`,
		`in an item: "K"/"b"/"a"."spec"."list"[v1]`,
		`block: "K"/"b"/"a"."spec"."list"[v1]."x.y"`,
		`above an item: "K"/"b"/"a"."spec"."list"[1]`,
		`items in flow style: "K"/"b"/"a"."spec"."list"[1]."last"[0]`,
		`after the end of it: "K"/"b"/"a"."spec"."list"[1]."last"[1]`,
		"without a name: /[0]",
	}, got); diff != "" {
		t.Error(diff)
	}
}
