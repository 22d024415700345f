package skeleton

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// everything has all that a tree can have.
const everything = `# a comment
apiVersion: v1  # another
"quoted": 'it''s'
'single': "a \"b\" # c"
list:
- a
- b: 1
  c: [x, "y", {z: 1}]
-
  d: 2
- - e
  - f
empty:
nothing: ~
text: |
  one: two
    - three

  # four
folded: >-
  five
  six
plain: seven
  eight
flow: {a: 1, "b": [2, 3], c: , d: {}, e: []}
braces: {
  x: 1,
  y: [
    2
  ]
}
anchor: &a
  k: v
alias: *a
tagged: !!str 5
last:
    deep:
        er: "multi
          line"
`

// TestSameTree holds that a text that parses has the tree that the parser makes of it.
func TestSameTree(t *testing.T) {
	sameTree(t, "everything", []byte(everything))
	sameTree(t, "windows", []byte(strings.ReplaceAll(everything, "\n", "\r\n")))
	sameTree(t, "json", []byte("{\"a\": [1, {\"b\":\"c\"}], \"d\":{\"e\" : null}}\n"))
	sameTree(t, "two", []byte("a: 1\n--- # second\n- b\n...\n---\nc: {}\n"))
}

func TestCorpusHasTheSameTrees(t *testing.T) {
	for _, file := range corpus.Sample(t, corpus.Files(t, "v1", "fragments"), 150) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sameTree(t, file, src)
	}
}

func sameTree(t *testing.T, name string, src []byte) {
	t.Helper()
	for _, d := range manifest.Parse(name, src).Documents {
		if d.Err != nil || d.Root == nil {
			continue
		}
		n := d.Root.YNode()
		var want, got []string
		ofYAML(n, "", &want)
		ofSkeleton(Of(src, len(bytes.TrimRight(src[:d.End], " \r\n.-"))), "", &got)
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || want[i] != got[i] {
				t.Errorf("%s, value %d:\ngot  %q\nwant %q", name, i, get(got, i), get(want, i))
				break
			}
		}
	}
}

func get(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return "nothing"
}

func ofYAML(n *yaml.Node, at string, out *[]string) {
	switch n.Kind {
	case yaml.MappingNode:
		*out = append(*out, at+" {}")
		for i := 0; i < len(n.Content); i += 2 {
			ofYAML(n.Content[i+1], at+"/"+strings.TrimPrefix(n.Content[i].Value, "!!merge "), out)
		}
	case yaml.SequenceNode:
		*out = append(*out, at+" []")
		for i, item := range n.Content {
			ofYAML(item, fmt.Sprintf("%s/%d", at, i), out)
		}
	case yaml.AliasNode:
		*out = append(*out, at+" *"+n.Value)
	default:
		*out = append(*out, at+" = "+strings.Join(strings.Fields(n.Value), " "))
	}
}

func ofSkeleton(n *Node, at string, out *[]string) {
	switch n.Kind {
	case Mapping:
		*out = append(*out, at+" {}")
		for _, c := range n.Children {
			ofSkeleton(c, at+"/"+c.Key, out)
		}
	case Sequence:
		*out = append(*out, at+" []")
		for i, c := range n.Children {
			ofSkeleton(c, fmt.Sprintf("%s/%d", at, i), out)
		}
	case Alias:
		*out = append(*out, at+" *"+n.Text)
	default:
		*out = append(*out, at+" = "+strings.Join(strings.Fields(n.Text), " "))
	}
}
