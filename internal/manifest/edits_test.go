package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestEditsRead(t *testing.T) {
	text := func(s string) *yaml.Node { return yaml.NewStringRNode(s).YNode() }
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
		"the first key behind a dash gives its place to the next": {
			"- a: b\n  # about c\n  c: d\n",
			"# about c\n- c: d\n",
			func(root *yaml.Node) { root.Content[0].Content = root.Content[0].Content[2:] },
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
			f := Parse("test.yaml", []byte(c.src))
			c.change(f.Documents[0].Root.YNode())
			edits, encoded, err := f.Documents[0].Edits()
			if err != nil || encoded {
				t.Fatalf("encoded %v, error %v", encoded, err)
			}
			if diff := cmp.Diff(c.want, string(Apply(f.Source, edits))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"separators belong to the document behind them":     {"a: 1\n---\nb: 2\n", []string{"a: 1\n", "---\nb: 2\n"}},
		"a licence in front of the first separator":         {"# licence\n---\na: 1\n", []string{"# licence\n---\na: 1\n"}},
		"a directive belongs to its document":               {"%YAML 1.1\n---\na: 1\n", []string{"%YAML 1.1\n---\na: 1\n"}},
		"three dots end a document":                         {"a: 1\n...\nb: 2\n", []string{"a: 1\n...\n", "b: 2\n"}},
		"dashes with more behind them are no separator":     {"a: |\n ---\n---x: 1\n", []string{"a: |\n ---\n---x: 1\n"}},
		"a comment behind the separator":                    {"a: 1\r\n--- # two\r\nb: 2", []string{"a: 1\r\n", "--- # two\r\nb: 2"}},
		"a byte order mark is no document's":                {"\ufeffa: 1\n", []string{"a: 1\n"}},
		"JSON values follow each other":                     {"{\"a\":1}\n{\"b\":2}", []string{`{"a":1}`, `{"b":2}`}},
		"what starts with a brace may be YAML nevertheless": {"{a: 1}\n---\nb: 2\n", []string{"{a: 1}\n", "---\nb: 2\n"}},
		"nothing is one empty document":                     {"", []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range Parse("test.yaml", []byte(c.src)).Documents {
				got = append(got, string(d.Text()))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	src := "\ufeffäb: c\r\nd: \u0085e\nf: g"
	f := Parse("test.yaml", []byte(src))
	for offset, want := range map[int][2]int{3: {1, 1}, 5: {1, 2}, 11: {2, 1}, len(src): {3, 5}} {
		if line, column := f.Position(offset); line != want[0] || column != want[1] {
			t.Errorf("offset %d is at %d:%d, want %d:%d", offset, line, column, want[0], want[1])
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 50) + "世" + strings.Repeat("z", 50)
	f := Parse("f.yaml", []byte("\ufeffshort: 1\r\n"+"# "+long+"\n#\tlast"))
	for _, tt := range []struct {
		line, column int
		text         string
		from         int
	}{
		{1, 8, "short: 1", 1},
		{2, 1, "# " + strings.Repeat("é", 9), 1},
		{2, 53, "éé世" + strings.Repeat("z", 13), 51}, // five bytes before it are two and a half characters
		{2, 103, "zzzzzz", 98},
		{2, 999, "zzzzz", 99},
		{3, 1, "#\tlast", 1},
		{4, 1, "", 1},
		{0, 1, "", 1},
	} {
		text, from := f.Excerpt(tt.line, tt.column, 20)
		if text != tt.text || from != tt.from {
			t.Errorf("%d:%d: got %q from column %d, want %q from %d", tt.line, tt.column, text, from, tt.text, tt.from)
		}
	}
}
