package manifest

import (
	"strings"
	"testing"
)

// TestSyntaxErrors pins the positions and messages of syntax errors: the line that a person has to change, not the one
// where go-yaml began to read the unfinished element.
func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	const head = "kind: CustomResourceDefinition\nmetadata:\n  name: a\n" // three lines
	for name, c := range map[string]struct {
		src, want string // the path left out
	}{
		"a tab":                            {head + "spec:\n  group: a\n\tscope: b\n", "6:1: indented with a tab; YAML wants spaces"},
		"a tab behind spaces":              {head + "spec:\n  a: |\n  \tb\n", "6:3: indented with a tab; YAML wants spaces"},
		"too far in":                       {head + "spec:\n  group: a\n   scope: b\n", "6:4: a key is not allowed here"},
		"not far enough in":                {head + "spec:\n  group: a\n scope: b\n", "6:2: this fits nothing above it"},
		"far below where it belongs":       {"a:\n" + strings.Repeat("  - b\n", 100) + " - c\n", "102:2: this fits nothing above it"},
		"a key behind a list":              {"a:\n  - b\n  c: d\n", "3:3: this is neither an item of the list above"},
		"a colon in text":                  {head + "spec:\n  group: When: to run\n  scope: b\n", "5:3: a key is not allowed here"},
		"a key without a colon":            {head + "spec:\n  a: b\n  group a\n", "6:3: a key without a colon"},
		"a dash without a space":           {"a:\n  -name: b\n  c: d\n", ""}, // a key called -name
		"text behind a quote":              {head + "spec:\n  a: \"b\" c\n  d: e\n", "5:3: this fits nothing above it: its indentation is wrong, or a quote"},
		"an open quote":                    {head + "spec:\n  a: \"b\n  c: d\n  e: f\n", "5:3: the quote that begins on this line is never closed"},
		"an open quote behind others":      {"a: 'b\n  c'\nd: 'e\nf: g\n", "3:1: the quote that begins on this line is never closed"},
		"an open bracket":                  {head + "spec:\n  a: [b, c\n  d: e\n", "5:3: a [ is open here that lacks its ]"},
		"an open brace":                    {head + "spec:\n  a: {b: c\n  d: e\n", "5:3: a { is open here that lacks its }"},
		"an open bracket at the end":       {"a: 1\n---\nb: [c\n\n---\nd: 1\n", "3:1: a [ is open here that lacks its ]"},
		"an escape":                        {head + "spec:\n  a: \"\\d+\"\n", "5:3: there is no such escape"},
		"an anchor that is not there":      {head + "spec:\n  a: *b\n  c: d\n", `5:3: there is no anchor "b" above`},
		"an asterisk":                      {head + "spec:\n  a: *\n  c: d\n", "5:3: a name has to follow & and *"},
		"an at sign":                       {head + "spec:\n  a: @b\n  c: d\n", "5:3: a value cannot begin with this character"},
		"text behind a block's bar":        {head + "spec:\n  a: | b\n", "5:3: text after | and > belongs on the next line"},
		"a tag":                            {"a: b\nc: !\"d\"\n", "2:1: this tag cannot be read"},
		"a list in its key's line":         {"a: - b\n", "1:1: a list item is not allowed here"},
		"a value in front of it all":       {"a\nb: c\n", "2:1: a key is not allowed here"},
		"a control character":              {"a: b\nc: \x07d\ne: f\n", "2:1: there is a control character on this line"},
		"a merge conflict":                 {head + "<<<<<<< HEAD\na: b\n=======\na: c\n>>>>>>> main\n", "4:1: a merge conflict is not resolved here"},
		"the second document":              {"a: 1\n---\nb: c\nd: [\n", "4:1: a value is missing, or a bracket is never closed"},
		"behind a lone carriage return":    {"a: 1\rb: 2\nc: d: e\n", "2:1: a key is not allowed here"},
		"with Windows' line ends":          {"a: 1\r\nb:\r\n\tc: d\r\n", "3:1: indented with a tab; YAML wants spaces"},
		"a tab below a key":                {head + "spec:\n\tgroup: a\n", "5:1: indented with a tab; YAML wants spaces"},
		"a tab below an item":              {"a:\n- b: c\n\td: e\n", "3:1: indented with a tab; YAML wants spaces"},
		"a tab behind a colon":             {"a:\n  b:\t@c\n", "2:3: a value cannot begin with this character"},
		"behind a byte order mark":         {"\ufeffa: b: c\n", "1:1: a key is not allowed here"},
		"flow style without a comma":       {"{\n  a: b,\n  c: d\n  e: f\n}\n", "4:3: a { is open here that lacks its }, or a comma is missing"},
		"what the table does not know":     {"%YAML 9.9\n---\na: b\n", "1:1: found incompatible YAML document"},
		"binary":                           {"a: b\nc: \x00", "2:4: the file is binary (it holds a NUL byte)"},
		"UTF-16":                           {"\xff\xfea\x00", "1:1: the file is UTF-16; save it as UTF-8"},
		"not UTF-8":                        {"a: b\nc: \ufffd\xff", "2:5: the file is not valid UTF-8"},
		"text behind an indented document": {" a: b\n\"c d\"\n", "2:1: the document has ended above"},
		"a document behind a lone return":  {"a: b\r---\nc: d\n", "1:6: a document begins here after a lone carriage return"},
		"text behind a lone return":        {"a: b\nc: d\r...\r[\n", "2:10: the document has ended above"},
		"a character that looks invalid":   {"a: \ufffd\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := firstError("test.yaml", c.src)
			if c.want == "" && got != "" || !strings.HasPrefix(got, strings.Replace(c.want, ": ", ": does not parse: ", 1)) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// firstError is the first error of a file without its path, "" when all of it parses.
func firstError(path, src string) string {
	for _, d := range Parse(path, []byte(src)).Documents {
		if d.Err != nil {
			return strings.TrimPrefix(d.Err.Error(), path+":")
		}
	}
	return ""
}

// TestJSONErrors: a file that is called JSON is explained by JSON's rules, another one that begins alike is not.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	const src = "{\n  \"a\": 1,\n  \"b\": 2\n  \"c\": [3],\n}\n"
	for path, want := range map[string]string{
		"a.json": "4:3: does not parse: '\"' where a comma or a closing brace should be",
		"a.yaml": "4:3: does not parse: a { is open here that lacks its }, or a comma is missing",
	} {
		if got := firstError(path, src); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := firstError("a.json", "{\n  a: b,\n  c: [\n}\n"); got != "2:3: does not parse: 'a' where a key in double quotes should be" {
		t.Errorf("YAML in a file called JSON: %q", got)
	}
}

// TestLargeSyntaxError: a text that is too large to be parsed again and again keeps the parser's own line.
func TestLargeSyntaxError(t *testing.T) {
	t.Parallel()
	src := "a:\n" + strings.Repeat("  b: c\n", maxSearched/7+1) + " d: e\n"
	if got := firstError("test.yaml", src); !strings.HasPrefix(got, "149798:3: does not parse: this fits nothing") {
		t.Error(got)
	}
}
