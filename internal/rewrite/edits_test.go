package rewrite

import (
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestEditsRead(t *testing.T) {
	text := func(s string) *yaml.Node { return yaml.NewStringRNode(s).YNode() }
	swap := func(root *yaml.Node) { root.Content = append(root.Content[2:4:4], root.Content[:2]...) }
	for name, c := range map[string]struct {
		src, want string
		change    func(root *yaml.Node)
	}{
		"a new entry goes behind the last, in front of the comments that close the block": {
			"a:\n  b: c # d\n  # the end of a\ne: f\n",
			"a:\n  b: c # d\n  new: value\n  # the end of a\ne: f\n",
			func(root *yaml.Node) {
				a := root.Content[1]
				a.Content = append(a.Content, text("new"), text("value"))
			},
		},
		"a deleted entry leaves its comments to the next one": {
			"# about a\na: b # beside\n\n# about c\nc: d\n",
			"# about a\n# beside\n\n# about c\nc: d\n",
			func(root *yaml.Node) { root.Content = root.Content[2:] },
		},
		"a block that moves is its own text, re-indented": {
			"old:\n    # first\n    a: |\n        text\n\n          deeper\nnew:\n    x: y\n",
			"new:\n    x: y\n    # first\n    a: |\n        text\n\n          deeper\n",
			func(root *yaml.Node) {
				root.Content[3].Content = append(root.Content[3].Content, root.Content[1].Content...)
				root.Content = root.Content[2:]
			},
		},
		"a renamed key keeps what stands around it": {
			"  a:   b   # c\n",
			"  z:   b   # c\n",
			func(root *yaml.Node) { root.Content[0].Value = "z" },
		},
		"a value that YAML would misread is quoted": {
			"a: b\n",
			"a: \"yes\"\n",
			func(root *yaml.Node) { root.Content[1].Value = "yes" },
		},
		"quotes are a change where YAML 1.1 reads plain text as something else": {
			"a: [red, on] # b\n",
			"a: [red, \"on\"] # b\n",
			func(root *yaml.Node) { root.Content[1].Content[1].Style = yaml.DoubleQuotedStyle },
		},
		"a key that is quoted alone": {
			"a:\n  on: b\n",
			"a:\n  \"on\": b\n",
			func(root *yaml.Node) { root.Content[1].Content[0].Style = yaml.DoubleQuotedStyle },
		},
		"quotes are no change where both read the same": {
			"a: 'b' # c\n",
			"a: 'b' # c\n",
			func(root *yaml.Node) { root.Content[1].Style = 0 },
		},
		"flow style stays flow style": {
			"a: {b: c}   # d\n",
			"a: {b: c, e: f}   # d\n",
			func(root *yaml.Node) {
				root.Content[1].Content = append(root.Content[1].Content, text("e"), text("f"))
			},
		},
		"a flow mapping that gets a block becomes one": {
			"list: [{name: a}]\nblock:\n  # why\n  x: y\n",
			"list:\n- name: a\n  block:\n    # why\n    x: y\n",
			func(root *yaml.Node) {
				item := root.Content[1].Content[0]
				item.Content = append(item.Content, root.Content[2], root.Content[3])
				root.Content = root.Content[:2]
			},
		},
		"a comment behind a flow item stands above the block that it becomes": {
			"list:\n- {name: a} # beside\nblock:\n  x: # why\n    y: z\n",
			"list:\n# beside\n- name: a\n  block:\n    x: # why\n      y: z\n",
			func(root *yaml.Node) {
				item := root.Content[1].Content[0]
				item.Content = append(item.Content, root.Content[2], root.Content[3])
				root.Content = root.Content[:2]
			},
		},
		"comments in flow collections that become blocks stand above them": {
			"list: [\n  # one\n  {name: a, # two\n   # three\n   b: {c: [ # four\n     d]}} # five\n]\nblock:\n  x: y\n",
			"# one\n# two\n# three\n# five\nlist:\n- name: a\n  b: {c: [ # four\n    d]}\n  block:\n    x: y\n",
			func(root *yaml.Node) {
				item := root.Content[1].Content[0]
				item.Content = append(item.Content, root.Content[2], root.Content[3])
				root.Content = root.Content[:2]
			},
		},
		"an anchor and a tag may stand on lines of their own": {
			"a: # one\n  &x # two\n  !!map\n  # three\n  b: c\n\n  d:   e\nf: g\n",
			"a: # one\n  &x # two\n  !!map\n  # three\n  b: new\n\n  d:   e\nf: g\n",
			func(root *yaml.Node) { root.Content[1].Content[1].Value = "new" },
		},
		"a copy in brackets leaves the anchor to its original": {
			"a: &x {b: c} # d\ne: [&y !!seq [f], *x , *y]\n",
			"a: &x {b: c} # d\ne: [&y !!seq [f], {b: c}, !!seq [f]]\n",
			func(root *yaml.Node) {
				e := root.Content[3]
				for i := 1; i < 3; i++ {
					e.Content[i] = yaml.NewRNode(e.Content[i].Alias).Copy().YNode()
					e.Content[i].Anchor = ""
				}
			},
		},
		"brackets of several lines lose their anchor": {
			"a: &x { # why\n  b: c,\n}\nd: e\n",
			"a: { # why\n  b: c,\n}\nd: e\n",
			func(root *yaml.Node) { root.Content[1].Anchor = "" },
		},
		"brackets that are new have their anchor": {
			"a: []\n",
			"a: [&x {b: c}]\n",
			func(root *yaml.Node) {
				item := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Anchor: "x", Content: []*yaml.Node{text("b"), text("c")}}
				root.Content[1].Content = []*yaml.Node{item}
			},
		},
		"a copy of a block has the comment at its end once": {
			"a:\n  b: &x # beside\n    c: d\n    # the end of b\ne:\n  f: g\n",
			"a:\n  b: &x # beside\n    c: d\n    # the end of b\ne:\n  f: g\n  b: # beside\n    c: d\n    # the end of b\n",
			func(root *yaml.Node) {
				a := yaml.NewRNode(root.Content[1]).Copy().YNode()
				a.Content[1].Anchor = ""
				root.Content[3].Content = append(root.Content[3].Content, a.Content...)
			},
		},
		"an emptied block leaves its comments": {
			"a:\n- b: c # why\n  # the end\n- e: f\n",
			"a:\n# why\n# the end\n- {}\n- e: f\n",
			func(root *yaml.Node) {
				item := root.Content[1].Content[0]
				item.Content, item.Style = nil, yaml.FlowStyle
			},
		},
		"a text at the end of a file without a line end means the same elsewhere": {
			"a: b\nc: >2 # folded\n   two\n    lines",
			"c: >2- # folded\n   two\n    lines\na: b",
			swap,
		},
		"a text that keeps its line ends, at the end of a file without one": {
			"a: b\nc: |+\n  text",
			"c: |-\n  text\na: b",
			swap,
		},
		"a text that ends without a line end anyway": {
			"a: b\nc: |-\n  text",
			"c: |-\n  text\na: b",
			swap,
		},
		"a text at the end of a file without a line end that stays there": {
			"a: b\nc: |\n  text",
			"a: new\nc: |\n  text",
			func(root *yaml.Node) { root.Content[1].Value = "new" },
		},
		"a text at the end of a file without a line end, copied": {
			"a: b\nc: |\n  text",
			"a: |-\n  text\nc: |\n  text",
			func(root *yaml.Node) { root.Content[1] = yaml.NewRNode(root.Content[3]).Copy().YNode() },
		},
		"the header of a text that ends the file": {
			"a: b\nc: |2",
			"c: |2\na: b",
			swap,
		},
		"a text that ends in a line end needs it at the end of a file": {
			"a: |\n  text\nc: d",
			"c: d\na: |\n  text\n",
			swap,
		},
		"a file without a line end stays so when its last entry goes": {
			"a: b\n\nc: d",
			"a: b",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"a file without a line end stays so when comments of its last entry stay": {
			"a:\r\n  b: c\r\n\r\n  # about d\r\n  d: e # beside",
			"a:\r\n  b: c\r\n\r\n  # about d\r\n  # beside",
			func(root *yaml.Node) { root.Content[1].Content = root.Content[1].Content[:2] },
		},
		"an anchor of the whole document": {
			"# one\n&x\n# two\na: b\n\nc:   d\n",
			"# one\n&x\n# two\na: new\n\nc:   d\n",
			func(root *yaml.Node) { root.Content[1].Value = "new" },
		},
		"a key behind a question mark": {
			"? a # one\n# two\n: # three\n  b: c\n\n  d:   e\n? f\n:   g # four\n",
			"? a # one\n# two\n: # three\n  b: new\n\n  d:   e\n? h\n:   g # four\n",
			func(root *yaml.Node) {
				root.Content[1].Content[1].Value = "new"
				root.Content[2].Value = "h"
			},
		},
		"a key behind a question mark whose value is replaced becomes an ordinary one": {
			"? a # one\n# two\n:\n  b: c # three\nd: e\n",
			"# two\n# three\na: new # one\nd: e\n",
			func(root *yaml.Node) { root.Content[1] = text("new") },
		},
		"tight flow style stays tight, with a space where the colon needs one": {
			"a: {\"b\":\"c\",\"d\":[1,2]}\ne: {f:  [g],h: {\"i\":j}}\n",
			"a: {\"b\":\"c\",\"d\":[1,2],\"new\":\"value\"}\ne: {f:  [g],h: {\"i\":j},new: value}\n",
			func(root *yaml.Node) {
				for _, i := range []int{1, 3} {
					root.Content[i].Content = append(root.Content[i].Content, text("new"), text("value"))
				}
			},
		},
		"blanks in front of colons and commas stay": {
			"a: {b : c , d : e ,f : [g , h]}\n",
			"a: {b : new , d : e ,f : [h]}\n",
			func(root *yaml.Node) {
				root.Content[1].Content[1].Value = "new"
				root.Content[1].Content[5].Content = root.Content[1].Content[5].Content[1:]
			},
		},
		"comments and blank lines in flow style stay with what they stand at": {
			"{\n  a: b, # of a\n\n  # above c\n  c: d , # of c\n  e: f # of e\n  ,\n  g: h # of g\n}\n",
			"{\n  a: b, # of a\n\n  # above c\n  # of c\n  e: f # of e\n  ,\n  g: h, # of g\n  new: value\n}\n",
			func(root *yaml.Node) {
				root.Content = append(append(root.Content[:2:2], root.Content[4:]...), text("new"), text("value"))
			},
		},
		"the last of a flow collection leaves its comments": {
			"{a: b, # of a\n  c: d # of c\n}\n",
			"{a: b # of a\n  # of c\n}\n",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"a flow entry takes its comments along": {
			"a: {\n  b: c, # of b\n  # above d\n  d: e, # of d\n}\nf: {\n  g: h,\n}\ni:\n  j: k\n",
			"a: {}\nf: {\n  g: h,\n  # above d\n  # of d\n  d: e,\n}\ni:\n  j: k\n  # of b\n  b: c\n",
			func(root *yaml.Node) {
				a, f, i := root.Content[1], root.Content[3], root.Content[5]
				f.Content = append(f.Content, a.Content[2:]...)
				i.Content = append(i.Content, a.Content[:2]...)
				a.Content = nil
			},
		},
		"the first key behind a dash gives its place to the next": {
			"- a: b\n  # about c\n  c: d\n",
			"# about c\n- c: d\n",
			func(root *yaml.Node) { root.Content[0].Content = root.Content[0].Content[2:] },
		},
		"blank lines do not become part of a text that comes to stand above them": {
			"a: |+\n  text\n\n\nb: c\n  d\n\n",
			"a: |+\n  text\n\n\n",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"nor do those of an entry that moves": {
			"a: b\n\n\n# why\nc: >2+ # folded +\n    text\nd: e\n",
			"d: e\n\n\n# why\nc: >2+ # folded +\n    text\na: b\n",
			func(root *yaml.Node) {
				root.Content[0], root.Content[1], root.Content[4], root.Content[5] = root.Content[4], root.Content[5], root.Content[0], root.Content[1]
			},
		},
		"blank lines stay below a text that does not keep its line ends, unless they hold spaces": {
			"a:\n- |\n  text\n- b\n\n     \n\n# end\n",
			"a:\n- |\n  text\n\n# end\n",
			func(root *yaml.Node) { root.Content[1].Content = root.Content[1].Content[:1] },
		},
		"lines of spaces stay below the text that they stood below": {
			"a:\n- |-\n  text\n \n\n- b: c\n",
			"a:\n- |-\n  text\n \n\n- b: new\n",
			func(root *yaml.Node) { root.Content[1].Content[1].Content[1] = text("new") },
		},
		"blank lines stay below a comment behind a text": {
			"a: |+\n  text\n # why\nb: c # what\n\nd: e\n",
			"a: |+\n  text\n # why\n# what\n\nd: e\n",
			func(root *yaml.Node) { root.Content = append(root.Content[:2:2], root.Content[4:]...) },
		},
		"blank lines stay below a comment of what is gone": {
			"a: |+\n  text\nb: c # what\n\n",
			"a: |+\n  text\n# what\n\n",
			func(root *yaml.Node) { root.Content = root.Content[:2] },
		},
		"brackets and commas belong to a tag": {
			"a: b\nc: [!t,] d, !u[ &v , *v]\n",
			"a: new\nc: [!t,] d, !u[ &v]\n",
			func(root *yaml.Node) {
				setFirst(root)
				c := root.Content[3]
				c.Content = c.Content[:2]
			},
		},
		"a line of a text may end at a lone carriage return": {
			"a: b\nc: |\n  text\n\r  more\nd: e\n",
			"a: new\nc: |\n  text\n\r  more\nd: e\n",
			setFirst,
		},
		"a lone carriage return may stand in front of what a text is indented from": {
			"a: b\nc:\n- d\n-\r e: |\n   text\n",
			"a: new\nc:\n- d\n-\r e: |\n   text\n",
			setFirst,
		},
		"a text that moves away takes no blank lines along": {
			"a: >+\n  text\n\nb:\n  c: d\n\ne: f\n",
			"b:\n  c: >+\n    text\n\ne: f\n",
			func(root *yaml.Node) {
				root.Content[3].Content[1] = root.Content[1]
				root.Content = root.Content[2:]
			},
		},
		"JSON stays JSON": {
			"{\n    \"a\": [1],\n    \"b\": {}\n}\n",
			"{\n    \"a\": [1],\n    \"b\": {\n        \"c\": \"d\"\n    }\n}\n",
			func(root *yaml.Node) {
				root.Content[3].Content = []*yaml.Node{text("c"), text("d")}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := manifest.Parse("test.yaml", []byte(c.src))
			c.change(f.Documents[0].Root.YNode())
			edits, encoded, err := written(f.Documents[0])
			if err != nil || encoded != "" {
				t.Fatalf("encoded %q, error %v", encoded, err)
			}
			if diff := cmp.Diff(c.want, string(Apply(f.Source, edits))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestMarkStays changes a document that contains a byte order mark, where files were joined.
func TestMarkStays(t *testing.T) {
	f := manifest.Parse("test.yaml", []byte("a: 1\n---\n\ufeffb: 1\nc:\n- d\n"))
	root := f.Documents[1].Root.YNode()
	root.Content[1].Value = "2"
	root.Content = append(root.Content, yaml.NewStringRNode("e").YNode(), yaml.NewStringRNode("f").YNode())
	edits, encoded, err := written(f.Documents[1])
	if got, want := string(Apply(f.Source, edits)), "a: 1\n---\n\ufeffb: 2\nc:\n- d\ne: f\n"; got != want || encoded != "" || err != nil {
		t.Errorf("got %q, encoded %q, error %v", got, encoded, err)
	}
	root.Content = root.Content[2:]
	edits, encoded, err = written(f.Documents[1])
	if got, want := string(Apply(f.Source, edits)), "a: 1\n---\n\ufeffc:\n- d\ne: f\n"; got != want || encoded != "" || err != nil {
		t.Errorf("got %q, encoded %q, error %v", got, encoded, err)
	}
}
