package skeleton

import (
	"fmt"
	"strings"
	"testing"
)

// TestSpots shows where somebody writes who has the cursor at ‸.
func TestSpots(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // one spot a line: its path, what it is, and the text that is written
	}{
		{"an empty text", "‸", "/: key value \"\" at 0, own line"},
		{"a first word", "ap‸", "/: key value \"ap\" at 0, own line"},
		{"a key", "a: 1\nb‸: 2\n", "/: key of b \"b\" at 0, own line"},
		{"a key without its colon", "a: 1\nb‸\nc: 2\n", "/: key of b \"b\" at 0, own line"},
		{"the end of a key", "spec‸:\n", "/: key of spec \"spec\" at 0, own line"},
		{"a quoted key", "\"a‸\": 1\n", "/: key of a \"\\\"a\\\"\" at 0, own line"},
		{"a value", "a: b‸c\n", "/a: value \"bc\" at 3"},
		{"a value that is not there", "a: ‸\nb: 1\n", "/a: value \"\" at 3"},
		{"right after a colon", "a:‸\n", "/a: value \"\" at 2"},
		{"a comment", "a: 1 # x‸\n", ""},
		{"a comment where a value may be", "a: # x‸\n", ""},
		{"a comment of its own", "a:\n  # x‸\n", ""},
		{"an empty line below a key", "a:\n  ‸\n", "/a: key value \"\" at 2, own line"},
		{"an empty line below comments", "a:\n  # x\n  ‸\nb: 1\n", "/a: key value \"\" at 2, own line"},
		{"an empty line between keys", "a:\n  b: 1\n  ‸\n  c: 1\n", "/a: key \"\" at 2, own line"},
		{"an empty line before keys", "a:\n  ‸\n  c: 1\n", "/a: key \"\" at 2, own line"},
		{"an empty line further out", "a:\n  b:\n    c: 1\n  ‸\n", "/a: key \"\" at 2, own line"},
		{"an empty line that belongs nowhere", "a: 1\n  ‸\n", ""},
		{"an empty line in no column", "a:\n    b: 1\n  ‸\n", ""},
		{"a word below a key", "a:\n  b‸\n", "/a: key value \"b\" at 2, own line"},
		{"a word that is a line of text", "a: 1\n  b‸\n", ""},
		{"an item", "a:\n  - ‸\n", "/a/0: key value \"\" at 4, own line"},
		{"a word of an item", "a:\n  - b‸\n", "/a/0: key value \"b\" at 4, own line"},
		{"a key of an item", "a:\n  - b: 1\n    ‸\n", "/a/0: key \"\" at 4, own line"},
		{"a first key of an item", "a:\n  - b‸: 1\n", "/a/0: key of b \"b\" at 4, own line"},
		{"an item of an item", "a:\n- - ‸\n", "/a/0/0: key value \"\" at 4, own line"},
		{"a next item", "a:\n  - b: 1\n  ‸\n", "/a/1: key value dash \"\" at 2, own line"},
		{"a next item without indentation", "a:\n- b: 1\n‸\n", "/a/1: key value dash \"\" at 0, own line\n/: key \"\" at 0, own line"},
		{"a key of an item without indentation", "a:\n- b: 1\n  ‸\nc: 1\n", "/a/0: key \"\" at 2, own line"},
		{"a word after a list without indentation", "a:\n- b: 1\nc‸\n", "/: key of c \"c\" at 0, own line"},
		{"lines of text", "a: |\n  b‸\n", "/a: value \"|\\n  b\" at 3"},
		{"an empty line of text", "a: |\n  b\n  ‸\nc: 1\n", "/a: value \"|\\n  b\\n  \" at 2"},
		{"after lines of text, further out", "a:\n  b: |\n    c\n  ‸\n", "/a: key \"\" at 2, own line"},
		{"after lines of text", "a: |\n  b\n‸\n", "/: key \"\" at 0, own line"},
		{"between braces", "a: {‸}\n", "/a: key \"\" at 4"},
		{"between open braces", "a: {‸\nb: 1\n", "/a: key \"\" at 4"},
		{"after a comma", "a: {b: 1, ‸}\n", "/a: key \"\" at 10"},
		{"a key between braces", "a: {b‸}\n", "/a: key of b \"b\" at 4"},
		{"a value between braces", "a: {b: ‸}\n", "/a/b: value \"\" at 7"},
		{"a word between braces", "a: {b: c‸, d: 1}\n", "/a/b: value \"c\" at 7"},
		{"after a value between braces", "a: {b: c ‸}\n", ""},
		{"an item between brackets", "a: [‸]\n", "/a/0: value \"\" at 4"},
		{"a next item between brackets", "a: [b, ‸]\n", "/a/1: value \"\" at 7"},
		{"a word between brackets", "a: [b‸]\n", "/a/0: value \"b\" at 4"},
		{"braces in lines", "a: {\n  b: 1,\n  ‸\n}\nc: 1\n", "/a: key \"\" at 2"},
		{"a comment between braces", "a: {\n  # x‸\n}\n", ""},
		{"JSON", "{\n  \"a\": {\n    ‸\n  }\n}\n", "/a: key \"\" at 4"},
		{"a quote that does not end", "a: \"b‸\nc: 1\n", "/a: value \"\\\"b\" at 3"},
		{"a second document", "a: 1\n---\nb: ‸\n", "/b: value \"\" at 3"},
		{"before a marker", "a: ‸\n---\nb: 1\n", "/a: value \"\" at 3"},
		{"an anchor", "a: &x\n  ‸\n", "/a: key value \"\" at 2, own line"},
		{"what has an anchor", "a: &x\n  b: 1\n  ‸\n", "/a: key \"\" at 2, own line"},
		{"an alias", "a: *x‸\n", ""},
		{"lines that end as on Windows", "a:\r\n  b: 1\r\n  ‸\r\n", "/a: key \"\" at 2, own line"},
		{"an action of a template", "a:\n  {{- if .x }}\n  b: 1\n  {{- end }}\n  ‸\n", "/a: key \"\" at 2, own line"},
		{"the value of an action", "a: {{ .x‸ }}\n", ""},
		{"behind an action", "a: {{ .x }}‸\n", "/a: value \"{{ .x }}\" at 3"},
		{"before the first key of an item", "a:\n- ‸\n  b: 1\n", "/a/0: key \"\" at 2, own line"},
		{"a space between open braces", "a: { ‸\nb: 1\n", "/a: key \"\" at 5"},
		{"keys below a word", "a:\n  b‸\n    c: 1\n", "/a: key of b \"b\" at 2, own line"},
		{"a word above keys", "a:\n  b‸\n  c: 1\n", "/a: key of b \"b\" at 2, own line"},
		{"the end of a value", "a: b‸\n", "/a: value \"b\" at 3"},
		{"past a value", "a: b ‸\n", ""},
		{"in the indentation of a key", "a:\n ‸ b: 1\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after, _ := strings.Cut(test.text, "‸")
			src := []byte(before + after)
			var got []string
			for _, s := range Of(src, len(before)).Spots(src, len(before)) {
				got = append(got, s.show(src))
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func (s Spot) show(src []byte) string {
	out := path(s.In) + ":"
	for word, is := range map[string]bool{" key": s.Key} {
		if is {
			out += word
		}
	}
	if s.Value {
		out += " value"
	}
	if s.Written != nil {
		out += " of " + s.Written.Key
	}
	if s.Dash {
		out += " dash"
	}
	out += fmt.Sprintf(" %q at %d", src[s.Start:s.End], s.Column)
	if s.OwnLine {
		out += ", own line"
	}
	return out
}

// path is where a node is.
func path(n *Node) string {
	if n.Parent == nil {
		return "/"
	}
	step := n.Key
	if n.Parent.Kind == Sequence {
		i := 0
		for i < len(n.Parent.Children) && n.Parent.Children[i] != n {
			i++
		}
		step = fmt.Sprint(i)
	}
	return strings.TrimSuffix(path(n.Parent), "/") + "/" + step
}
