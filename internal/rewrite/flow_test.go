package rewrite

import (
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// in finds the node at keys and indexes below a mapping or list.
func in(root *yaml.Node, path ...int) *yaml.Node {
	for _, i := range path {
		root = root.Content[i]
	}
	return root
}

// flowMap is a new mapping in brackets, or where all is nil an empty one.
func flowMap(all ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: yaml.FlowStyle, Content: all}
}

// TestEditsStyle adds something, and it is written as what is around it.
func TestEditsStyle(t *testing.T) {
	t.Parallel()
	text := func(s string) *yaml.Node { return yaml.NewStringRNode(s).YNode() }
	add := func(n *yaml.Node, more ...*yaml.Node) { n.Content = append(n.Content, more...) }
	blockList := func(items ...*yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
	}
	blockMap := func(all ...*yaml.Node) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Content: all}
	}
	for name, c := range map[string]struct {
		src, want string
		change    func(root *yaml.Node)
	}{
		"JSON that was empty has a line for each entry": {
			"{}\n", "{\n  \"a\": {\n    \"b\": \"c\"\n  },\n  \"d\": []\n}\n",
			func(root *yaml.Node) {
				add(root, text("a"), flowMap(text("b"), text("c")), text("d"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq})
			},
		},
		"JSON that stays empty stays as it is": {
			"{ }\n", "{ }\n", func(root *yaml.Node) { root.Content = nil },
		},
		"JSON on one line stays on one": {
			`{"a":{},"b":[1]}`, `{"a":{"c":{"d":"e"}},"b":[1]}`,
			func(root *yaml.Node) { add(in(root, 1), text("c"), flowMap(text("d"), text("e"))) },
		},
		"JSON that is indented as a whole": {
			"  {\n    \"a\": {},\n    \"b\": {\n      \"c\": 1\n    }\n  }\n",
			"  {\n    \"a\": {\n      \"d\": \"e\"\n    },\n    \"b\": {\n      \"c\": 1,\n      \"f\": {\n        \"g\": \"h\"\n      }\n    }\n  }\n",
			func(root *yaml.Node) {
				add(in(root, 1), text("d"), text("e"))
				add(in(root, 3), text("f"), flowMap(text("g"), text("h")))
			},
		},
		"brackets of several lines that move with their key": {
			"old:\n  b: {\n    # of c\n    c: d, # beside c\n    e: f # beside e\n  }\nnew:\n  n:\n    x: y\n",
			"new:\n  n:\n    x: y\n    b: {\n      # of c\n      # beside c\n      e: f, # beside e\n      g: h\n    }\n",
			func(root *yaml.Node) {
				b := in(root, 1, 1)
				b.Content = append(b.Content[2:], text("g"), text("h"))
				add(in(root, 3, 1), root.Content[1].Content...)
				root.Content = root.Content[2:]
			},
		},
		"brackets of several lines whose last entry goes, that move with their key": {
			"old:\n  b: {\n    c: d,\n    e: f # beside e\n  }\nnew:\n  n:\n    x: y\n",
			"new:\n  n:\n    x: y\n    b: {\n      c: d\n      # beside e\n    }\n",
			func(root *yaml.Node) {
				b := in(root, 1, 1)
				b.Content = b.Content[:2]
				add(in(root, 3, 1), root.Content[1].Content...)
				root.Content = root.Content[2:]
			},
		},
		"a value in brackets keeps its own text below a new key": {
			"a: {k: \"\\x41\", l: [ 1,2 ], m: n}\n", "a: {z: \"\\x41\", x: [ 1,2 ], m: n}\n",
			func(root *yaml.Node) { in(root, 1, 0).Value, in(root, 1, 2).Value = "z", "x" },
		},
		"brackets inside of brackets keep their text around a change": {
			"a: {b: { c: d,   e: f }, g: [ [ 1,  2 ] ]}\n", "a: {b: { c: new,   e: f }, g: [ [ 1,  2, 3 ] ]}\n",
			func(root *yaml.Node) {
				in(root, 1, 1, 1).Value = "new"
				add(in(root, 1, 3, 0), &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: "3"})
			},
		},
		"a key without a value stays one": {
			"a: {b, c: d, ? e}\n", "a: {b, c: new, ? e}\n",
			func(root *yaml.Node) { in(root, 1, 3).Value = "new" },
		},
		"an empty collection that is new has no lines": {
			"a: {\n  b: c,\n}\n", "a: {\n  b: c,\n  d: {},\n  e: {\n    f: g,\n  },\n}\n",
			func(root *yaml.Node) {
				add(in(root, 1), text("d"), flowMap(), text("e"), flowMap(text("f"), text("g")))
			},
		},
		"brackets of the source inside of new ones": {
			"a: {\n  b: {\n    c:   d,\n  },\n}\n", "a: {\n  b: {\n    w: {\n      c:   d,\n    },\n    v: [],\n  },\n}\n",
			func(root *yaml.Node) {
				in(root, 1).Content[1] = flowMap(text("w"), in(root, 1, 1), text("v"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Style: yaml.FlowStyle})
			},
		},
		"a comment before a comma": {
			"{a: b #x\n, c: d}\n", "{a: new #x\n, c: d, e: f}\n",
			func(root *yaml.Node) {
				in(root, 1).Value = "new"
				add(root, text("e"), text("f"))
			},
		},
		"a comment inside of what is gone moves with what it is about": {
			"a: {b: {c: d, # of c\n  e: f}, x: y}\ng: h\n", "a: {x: y}\ng: h\n# of c\nc: d\n",
			func(root *yaml.Node) {
				b := in(root, 1, 1)
				add(root, b.Content[0], b.Content[1])
				root.Content[1].Content = root.Content[1].Content[2:]
			},
		},
		"a comment at the end of what is gone stays": {
			"{\n  a: {b: c\n    # the end of a\n  },\n  d: e\n}\n", "{\n  # the end of a\n  d: e\n}\n",
			func(root *yaml.Node) { root.Content = root.Content[2:] },
		},
		"blanks before commas and none after them": {
			"a: [b ,c ,d]\n", "a: [b ,c ,d,new]\n", func(root *yaml.Node) { add(in(root, 1), text("new")) },
		},
		"spaces after commas, and none before them": {
			"a: [b, c,d, e]\n", "a: [b, c,d, e, new]\n", func(root *yaml.Node) { add(in(root, 1), text("new")) },
		},
		"as many strings in quotes as without": {
			"a: [\"b\", c]\n", "a: [\"b\", c, new]\n", func(root *yaml.Node) { add(in(root, 1), text("new")) },
		},
		"a key that needs quotes, where nothing shows how colons are written": {
			"a: [b]\n", "a: [b, {\"on\": c}]\n", func(root *yaml.Node) { add(in(root, 1), flowMap(text("on"), text("c"))) },
		},
		"new brackets of a document in blocks have no quotes": {
			"a: {\"b\": \"c\", \"d\": \"e\"}\nf: g\n", "a: {\"b\": \"c\", \"d\": \"e\"}\nf: g\nh: {i: j}\n",
			func(root *yaml.Node) { add(root, text("h"), flowMap(text("i"), text("j"))) },
		},
		"new brackets of a document in brackets have its quotes": {
			"{\"a\": {\"b\": \"c\"}}\n", "{\"a\": {\"b\": \"c\"}, \"h\": {\"i\": \"j\"}}\n",
			func(root *yaml.Node) { add(root, text("h"), flowMap(text("i"), text("j"))) },
		},
		"blocks four columns deep, in a list": {
			"- a:\n      b: c\n  d:\n      e: f\n", "- a:\n      b: c\n  d:\n      e: f\n  g:\n      h: i\n",
			func(root *yaml.Node) { add(in(root, 0), text("g"), blockMap(text("h"), text("i"))) },
		},
		"blocks of two depths as often": {
			"a:\n    b: c\nd:\n  e: f\ng:\n   h: i\n", "a:\n    b: c\nd:\n  e: f\ng:\n   h: i\nj:\n  k: l\n",
			func(root *yaml.Node) { add(root, text("j"), blockMap(text("k"), text("l"))) },
		},
		"blocks of one depth more often": {
			"a:\n    b: c\nd:\n  e: f\ng:\n    h: i\n", "a:\n    b: c\nd:\n  e: f\ng:\n    h: i\nj:\n    k: l\n",
			func(root *yaml.Node) { add(root, text("j"), blockMap(text("k"), text("l"))) },
		},
		"no blocks": {
			"a: b\n", "a: b\nj:\n  k: l\nm:\n- o\n", func(root *yaml.Node) {
				add(root, text("j"), blockMap(text("k"), text("l")), text("m"), blockList(text("o")))
			},
		},
		"lists that are indented": {
			"a:\n  - b\n", "a:\n  - b\nc:\n  - d\n", func(root *yaml.Node) { add(root, text("c"), blockList(text("d"))) },
		},
		"lists that are not": {
			"a:\n- b\n", "a:\n- b\nc:\n- d\n", func(root *yaml.Node) { add(root, text("c"), blockList(text("d"))) },
		},
		"as many that are as are not": {
			"a:\n- b\nc:\n  - d\n", "a:\n- b\nc:\n  - d\ne:\n- f\n", func(root *yaml.Node) { add(root, text("e"), blockList(text("f"))) },
		},
		"as many keys in quotes as without": {
			"a: {\"b\": c, d: e}\n", "a: {\"b\": c, d: e, f: g}\n", func(root *yaml.Node) { add(in(root, 1), text("f"), text("g")) },
		},
		"a block that moves with its key, changed inside": {
			"old:\n  b:\n    c: d # why\nnew:\n  n:\n    x: y\n", "new:\n  n:\n    x: y\n    b:\n      c: new # why\n",
			func(root *yaml.Node) {
				in(root, 1, 1, 1).Value = "new"
				add(in(root, 3, 1), root.Content[1].Content...)
				root.Content = root.Content[2:]
			},
		},
		"a block that becomes an item, without the key that it had": {
			"a:\n  x: y # why\nb:\n- c\n", "b:\n- c\n- x: y # why\n",
			func(root *yaml.Node) {
				add(in(root, 3), in(root, 1))
				root.Content = root.Content[2:]
			},
		},
		"a block that is empty now": {
			"a:\n  b: c\nd: e\n", "a: {}\nd: e\n", func(root *yaml.Node) { in(root, 1).Content = nil },
		},
		"a key keeps its own text beside a new value": {
			"\"\\x41\": {b: c}\n", "\"\\x41\": new\n", func(root *yaml.Node) { root.Content[1] = text("new") },
		},
		"a new key behind a question mark, before a text of several lines": {
			"? a\n: |\n  text\nb: c\n", "? z\n: |\n  text\nb: c\n", func(root *yaml.Node) { in(root, 0).Value = "z" },
		},
		"text of one column, at the end of a file without a line end": {
			"a: b\nc: |1\n  text", "c: |1-\n  text\na: b",
			func(root *yaml.Node) { root.Content = append(root.Content[2:4:4], root.Content[:2]...) },
		},
		"text of nine columns, at the end of a file without a line end": {
			"a: b\nc: |9\n           text", "c: |9-\n           text\na: b",
			func(root *yaml.Node) { root.Content = append(root.Content[2:4:4], root.Content[:2]...) },
		},
		"comments above items in items that go": {
			"a:\n# one\n- - # two\n    b: c\n  # three\n  - d\n", "a:\n# one\n# two\n# three\n- - d\n",
			func(root *yaml.Node) { in(root, 1, 0).Content = in(root, 1, 0).Content[1:] },
		},
		"text that single quotes can hold": {
			"a: 'b'\n", "a: 'it''s so'\n", func(root *yaml.Node) { in(root, 1).Value = "it's so" },
		},
		"text that only double quotes can hold on a line": {
			"a: 'b'\nc: 'd'\ne: 'f'\n", "a: \"x\\u0085y\"\nc: \"x\\u007fy\"\ne: \"x\\ny\"\n",
			func(root *yaml.Node) {
				in(root, 1).Value, in(root, 3).Value, in(root, 5).Value = "x\u0085y", "x\u007fy", "x\ny"
			},
		},
		"text with a no-break space, as it is": {
			"a: 'b'\n", "a: ' x\u00a0y '\n", func(root *yaml.Node) { in(root, 1).Value = " x\u00a0y " },
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
