package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestParts looks for places of a text in the larger file that its parts are taken out of, and back.
func TestParts(t *testing.T) {
	t.Parallel()
	// In the file: `x: [` at 1:1, `yz]` at 7:9, and from 20:5 on the rest.
	const text = "x: [yz]\na:\n  b: 1\n"
	f := SplitParts("a.go", []byte(text), []lint.Part{{Offset: 0, Line: 1, Column: 1}, {Offset: 4, Line: 7, Column: 9}, {Offset: 8, Line: 20, Column: 5}})
	for at, want := range map[string]string{
		"x":   `1:1 "x: [yz]" from 1`,
		"[":   `1:4 "x: [yz]" from 1`,
		"y":   `7:9 "yz]" from 9`,
		"z":   `7:10 "yz]" from 9`,
		"\na": `7:12 "yz]" from 9`,
		"a":   `20:5 "a:" from 5`,
		"b":   `21:3 "  b: 1" from 1`,
		"1":   `21:6 "  b: 1" from 1`,
	} {
		pos := f.Range(strings.Index(text, at), len(text))
		s := f.SourceAt(pos)
		if got := fmt.Sprintf("%d:%d %q from %d", pos.Line, pos.Column, s.Excerpt, s.From); got != want || pos.EndLine != 22 || pos.EndColumn != 1 || pos.File != "a.go" {
			t.Errorf("%q: got %s, to %d:%d, want %s", at, got, pos.EndLine, pos.EndColumn, want)
		}
	}
	late := SplitParts("a.go", []byte(text), []lint.Part{{Offset: 8, Line: 20, Column: 5}})
	if line, column := late.Position(4); line != 1 || column != 5 {
		t.Errorf("before all parts: %d:%d", line, column)
	}
	if s := late.SourceAt(lint.Position{Line: 1, Column: 5}); s.Excerpt != "x: [yz]" || s.From != 1 {
		t.Errorf("before all parts: %+v", s)
	}
	cut := SplitParts("a.go", []byte("ab"), []lint.Part{{Offset: 0, Line: 1, Column: 1}, {Offset: 2, Line: 3, Column: 4}})
	if s := cut.SourceAt(lint.Position{Line: 3, Column: 4}); s.Excerpt != "" || s.From != 4 {
		t.Errorf("behind the text: %+v", s)
	}
	f.HideAll()
	if s := f.SourceAt(lint.Position{Line: 7, Column: 9}); s.Excerpt != "" {
		t.Errorf("what is hidden: %+v", s)
	}
}

// TestSpan looks for nodes in the source: of values that were changed, that is what they were.
func TestSpan(t *testing.T) {
	t.Parallel()
	const text = "kind: List\n---\nword: bcd\nquoted: \"e f\"\nsingle: 'g'\nflow: [h, \"i\"]\nanchor: &j k\nempty:\ncomment: l#m # n\nlast: o"
	for name, test := range map[string]struct {
		key    string
		change func(*yaml.Node)
		want   string
	}{
		"as it is":                     {"word", nil, "bcd"},
		"in quotes":                    {"quoted", nil, `"e f"`},
		"in single quotes":             {"single", nil, "'g'"},
		"in brackets":                  {"flow", nil, `[h, "i"]`},
		"with an anchor":               {"anchor", nil, "&j k"},
		"empty":                        {"empty", nil, ""},
		"with a number sign":           {"comment", nil, "l#m"},
		"at the end of the file":       {"last", nil, "o"},
		"shorter":                      {"word", func(n *yaml.Node) { n.Value = "bc" }, "bcd"},
		"longer":                       {"word", func(n *yaml.Node) { n.Value = "bcde" }, "bcd"},
		"longer at the end":            {"last", func(n *yaml.Node) { n.Value = "op" }, "o"},
		"shorter before a number sign": {"comment", func(n *yaml.Node) { n.Value = "l" }, "l"}, // which may begin a comment
		"without quotes":               {"quoted", func(n *yaml.Node) { n.Style = 0 }, `"e f"`},
		"another in quotes":            {"quoted", func(n *yaml.Node) { n.Value = "e g" }, `"e f"`},
		"tagged":                       {"word", func(n *yaml.Node) { n.Style = yaml.TaggedStyle }, "bcd"},
		"in another line":              {"word", func(n *yaml.Node) { n.Line = 4 }, "nowhere"},
		"of another document":          {"word", func(n *yaml.Node) { n.Line, n.Column, n.Value = 1, 7, "List" }, "nowhere"},
		"behind the file":              {"word", func(n *yaml.Node) { n.Line = 99 }, "nowhere"},
		"behind its line":              {"word", func(n *yaml.Node) { n.Column = 99 }, "nowhere"},
		"made anew":                    {"word", func(n *yaml.Node) { n.Line, n.Column = 0, 0 }, "nowhere"},
		"in no column":                 {"word", func(n *yaml.Node) { n.Column = 0 }, "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := Parse("x", []byte(text)).Documents[1]
			n := d.Root.Field(test.key).Value.YNode()
			if test.change != nil {
				test.change(n)
			}
			got := "nowhere"
			if start, end, ok := d.Span(n); ok {
				got = text[start:end]
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if _, _, ok := d.Span(nil); ok {
				t.Error("no node has a place")
			}
		})
	}
}

// TestBegin counts lines as editors do, and not as the parser does.
func TestBegin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: b\nc: d\n":                   "2:4",
		"a: \"b\u2028  e\"\nc: d\n":      "2:4",
		"a: b\rc: d\n":                   "1:9",
		"{\"a\": \"\u0085\",\n\"c\": 1}": "2:6",
	} {
		d := Parse("x", []byte(text)).Documents[0]
		if d.Err != nil {
			t.Errorf("%q: %v", text, d.Err)
			continue
		}
		line, column := d.Begin(d.Root.Field("c").Value.YNode())
		if got := fmt.Sprintf("%d:%d", line, column); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestReread finds nodes in what became of a document, and not those of its tree.
func TestReread(t *testing.T) {
	t.Parallel()
	d := Parse("x", []byte("a: b\n---\nc: d\n")).Documents[1]
	l, err := d.Reread([]byte("c: e # f\n"))
	if err != nil || l.Root.End != 4 || len(l.Comments) != 1 || l.OriginOf(d.Root.YNode()) != nil {
		t.Errorf("got %+v, %v", l, err)
	}
	if _, err := d.Reread([]byte("c: [\n")); err == nil || !strings.Contains(err.Error(), "a [ is open") && !strings.Contains(err.Error(), "never closed") {
		t.Errorf("got %v", err)
	}
	if l, err := d.Reread([]byte("# nothing\n")); err != nil || l.Root != nil {
		t.Errorf("got %+v, %v", l, err)
	}
}

// TestAroundDocuments looks at what stands before the content of documents: separators, directives, comments.
func TestAroundDocuments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a: 1\n---\nb: 1\n":                          {"", ""},
		"a: 1\n...\nb: 1\n":                          {"", "unseparated"},
		"a: 1\n...\n# c\n\n---\nb: 1\n":              {"", `header "# c\n"`},
		"a: 1\n...\n# c\nb: 1\n---\nd: 1\n":          {"", `unseparated header "# c\n"`, ""},
		"a: 1\n...\n%YAML 1.1\n---\nb: 1\n":          {"", `directive "%YAML 1.1" at 9`},
		"# x\n%TAG ! a\n%YAML 1.1\n---\nb: 1\n":      {`directive "%TAG ! a" at 4 header "# x\n"`},
		"# x\r\n\r\n  # y\r\nb: 1 # z\n# v":          {`header "# x\r\n  # y\r\n"`},
		"# x\n---\n# y\na: 1\n---\n# z\nb: 1\n# v\n": {`header "# x\n# y\n"`, `header "# x\n# y\n# z\n"`},
		"\ufeff# x\n---\na: 1\n---\n# y\nb: 1\n":     {`header "# x\n"`, `header "# x\n# y\n"`},
		"{\"a\": 1}\nb: 2\n":                         {"", ""},
		"{\"a\": 1}{\"b\": 2}":                       {"", ""},
		"a: 1\n...\n# only\n":                        {"", `unseparated header "# only\n"`},
		"b\n%c\n":                                    {""},
	} {
		var got []string
		for _, d := range Split("x", []byte(text)).Documents {
			s := ""
			if d.Unseparated() {
				s = "unseparated "
			}
			if line, at := d.Directive(); line != "" {
				s += fmt.Sprintf("directive %q at %d ", line, at)
			}
			if header := d.Header(); header != "" {
				s += fmt.Sprintf("header %q ", header)
			}
			got = append(got, strings.TrimSpace(s))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}
