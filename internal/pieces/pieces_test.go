package pieces

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// cut cuts a text wherever that is possible.
func cut(t testing.TB, text string) (*List, error) {
	t.Helper()
	return Find(strings.NewReader(text), Options{Size: 1})
}

// TestYAML cuts before each item of a list as kubectl writes it.
func TestYAML(t *testing.T) {
	t.Parallel()
	const head, tail = "apiVersion: v1\nitems:\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	for name, test := range map[string]struct {
		text string
		want []string // the sections
	}{
		"objects":                        {head + "- a: 1\n  b: 2\n- a: 2\n" + tail, []string{"- a: 1\n  b: 2\n", "- a: 2\n"}},
		"block scalar with a list in it": {head + "- a: |\n    - b\n   \n    - c\n- a: 2\n" + tail, []string{"- a: |\n    - b\n   \n    - c\n", "- a: 2\n"}},
		"list of lists":                  {head + "- - a\n  - b\n-\n  c: d\n" + tail, []string{"- - a\n  - b\n", "-\n  c: d\n"}},
		"quotes":                         {"# it's a dump\napiVersion: \"v1\"\nitems:\n- a: 1\n- a: 2\nkind: \"List\"\n", []string{"- a: 1\n", "- a: 2\n"}},
		"comments and blank lines":       {"# dumped\n---\n" + head + "# the first\n- a: 1\n\n# the second\n- a: 2\n" + tail, []string{"- a: 1\n\n# the second\n", "- a: 2\n"}},
		"indented":                       {head + "  - a: 1\n    b:\n    - 1\n  - a: 2\n" + tail, []string{"  - a: 1\n    b:\n    - 1\n", "  - a: 2\n"}},
		"carriage returns":               {strings.ReplaceAll(head+"- a: 1\n- a: 2\n"+tail, "\n", "\r\n"), []string{"- a: 1\r\n", "- a: 2\r\n"}},
		"byte order mark":                {lines.BOM + head + "- a: 1\n- a: 2\n" + tail, []string{"- a: 1\n", "- a: 2\n"}},
		"kind first":                     {"kind: DatabaseList\napiVersion: example.com/v1\nmetadata:\n  continue: \"\"\nitems:\n- a: 1\n- a: 2", []string{"- a: 1\n", "- a: 2"}},
		"long lines":                     {head + "- a: " + strings.Repeat("x", 200_000) + "\n- b: 1\n" + tail, []string{"- a: " + strings.Repeat("x", 200_000) + "\n", "- b: 1\n"}},
	} {
		l, err := cut(t, test.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := sections(test.text, l); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		checkPieces(t, test.text, l)
	}
}

// TestJSON cuts before each item of a list in JSON, however it is laid out.
func TestJSON(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"compact":          {`{"apiVersion":"v1","items":[{"a":"é"},{"b":[{}]}],"kind":"List","metadata":{}}`, []string{`{"a":"é"}`, `{"b":[{}]}`}},
		"indented":         {"{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    {\"a\": 1\n    },\n    {\"b\": 2}\n  ],\n  \"kind\": \"List\"\n}\n", []string{"{\"a\": 1\n    }", `{"b": 2}`}},
		"strings":          {`{"kind":"List","apiVersion":"v1","items":[{"a":"}]\"\\"},{"{":"]"}]}`, []string{`{"a":"}]\"\\"}`, `{"{":"]"}`}},
		"byte order mark":  {lines.BOM + `{"kind":"List","apiVersion":"v1","items":[{"a":1},{"b":2}]}`, []string{`{"a":1}`, `{"b":2}`}},
		"carriage returns": {"{\"kind\":\"List\",\r\n\"apiVersion\":\"v1\",\"items\":[\r\n{\"a\":1},\r\n{\"b\":2}\r\n]}\r\n", []string{`{"a":1}`, `{"b":2}`}},
	} {
		l, err := cut(t, test.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := sections(test.text, l); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		checkPieces(t, test.text, l)
	}
}

// TestSize has as many items in a section as it takes to be large enough.
func TestSize(t *testing.T) {
	t.Parallel()
	text := "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- a: 1\n", 10)
	l, err := Find(strings.NewReader(text), Options{Size: 20})
	if err != nil {
		t.Fatal(err)
	}
	var items []int
	for i, s := range l.Sections {
		items = append(items, s.Items)
		if first, last := l.Lines(i); i < 3 && last-first+1 != s.Items {
			t.Errorf("%d items are in the lines %d to %d", s.Items, first, last)
		}
	}
	if want := []int{3, 3, 3, 1}; !slices.Equal(items, want) {
		t.Errorf("got %v, want %v", items, want)
	}
}

// TestLimits: what is as large as may be is cut, and what has one byte more is not.
func TestLimits(t *testing.T) {
	t.Parallel()
	const head, tail = "apiVersion: v1\nitems:\n", "kind: List\n"
	const largest = 64
	item := func(n int) string { return "- a: " + strings.Repeat("x", n-len("- a: \n")) + "\n" }
	around := func(n int) string { return strings.Repeat("x", n) }
	for name, test := range map[string]struct {
		text string
		size int
		want []int // items in the sections; none where it is not cut
	}{
		"an item":                      {head + item(largest) + item(8) + tail, 1, []int{1, 1}},
		"a larger item":                {head + item(largest+1) + item(8) + tail, 1, nil},
		"the last item":                {head + item(8) + item(largest) + tail, 1, []int{1, 1}},
		"a section of exactly a size":  {head + item(8) + item(8) + item(8) + tail, 16, []int{2, 1}},
		"a section of a byte too few":  {head + item(8) + item(8) + item(8) + tail, 17, []int{3}},
		"a head of the largest size":   {"#" + around(maxAround-len(head)-2) + "\n" + head + item(8) + tail, 1, []int{1}},
		"a larger head":                {"#" + around(maxAround-len(head)-1) + "\n" + head + item(8) + tail, 1, nil},
		"a tail of the largest size":   {head + item(8) + tail + "#" + around(maxAround-len(tail)-2) + "\n", 1, []int{1}},
		"a larger tail":                {head + item(8) + tail + "#" + around(maxAround-len(tail)-1) + "\n", 1, nil},
		"no limit, and much in a list": {head + item(10*largest) + tail, 0, []int{1}},
	} {
		options := Options{Size: test.size, Max: largest}
		if test.size == 0 {
			options = Options{Size: 1}
		}
		l, err := Find(strings.NewReader(test.text), options)
		if (err == nil) != (test.want != nil) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []int
		for i := 0; err == nil && i < len(l.Sections); i++ {
			got = append(got, l.Sections[i].Items)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: sections of %v items, want %v", name, got, test.want)
		}
	}
}

// TestDoubt does not cut what may mean something else than it looks like.
func TestDoubt(t *testing.T) {
	t.Parallel()
	const head, tail = "apiVersion: v1\nitems:\n- a: 1\n", "kind: List\n"
	for name, test := range map[string]struct {
		text string
		line int
		why  string
	}{
		"empty":                             {"", 1, "there are no items"},
		"another object":                    {"apiVersion: v1\nkind: Foo\nspec:\n  a: 1\n", 3, "layout"},
		"no items":                          {"apiVersion: v1\nitems: []\n" + tail, 2, "layout"},
		"cut off":                           {head, 4, "cut off"},
		"not a list":                        {head + "kind: Foo\n", 5, "not a list"},
		"no version":                        {"items:\n- a: 1\n" + tail, 4, "not a list"},
		"a spec":                            {head + tail + "spec: {}\n", 5, "layout"},
		"several documents":                 {head + tail + "---\n", 5, "layout"},
		"end of the document":               {head + "...\n" + tail, 4, "layout"},
		"two lists of items":                {head + tail + "items:\n- b: 1\n", 5, "layout"},
		"text of a quoted scalar in front":  {"x: \"\nitems:\n- a: 1\"\n" + tail, 1, "layout"},
		"anchors in front":                  {"apiVersion: v1\nmetadata: &a\nitems:\n- a: 1\n" + tail, 2, "layout"},
		"half a pair of quotes behind":      {head + tail + "metadata:\n  resourceVersion: 9\"\n", 6, "layout"},
		"half a pair of quotes at the kind": {head + "kind: \"List\n", 4, "layout"},
		"quotes in a comment behind":        {head + tail + "# it's all\n", 5, "layout"},
		"a line end of YAML":                {head + "- a\rkind: b\n" + tail, 4, "only YAML knows"},
		"another line end of YAML":          {head + tail + "# \u2028a: b\n", 6, "only YAML knows"},
		"bytes that are no text":            {head + "- b: \xff\n" + tail, 4, "not UTF-8"},
		"such bytes before the items":       {"# \xff\n" + head + tail, 4, "not UTF-8"},
		"such bytes behind the items":       {head + tail + "# \xff\n", 6, "not UTF-8"},
		"such bytes in JSON":                {`{"apiVersion":"v1","items":[{"a":"` + "\xb5\xa9" + `"}],"kind":"List"}`, 1, "not UTF-8"},
		"such bytes behind JSON's items":    {`{"apiVersion":"v1","items":[{"a":1}],"kind":"List","metadata":{"a":"` + "\xff" + `"}}`, 1, "not UTF-8"},
		"tabs":                              {head + "\t- b: 1\n" + tail, 4, "layout"},
		"other columns":                     {"apiVersion: v1\nitems:\n  - a: 1\n - b: 1\n" + tail, 4, "layout"},
		"items in brackets":                 {"apiVersion: v1\nitems:\n[{a: 1},\n{b: 2}]\n" + tail, 3, "layout"},
		"JSON that is cut off":              {`{"apiVersion":"v1","items":[{"a":1},` + "\n" + `{"b":`, 2, "cut off"},
		"JSON that is no list":              {`{"apiVersion":"v1","items":[{"a":1}],"kind":"Foo"}`, 1, "not a list"},
		"JSON with a spec":                  {`{"apiVersion":"v1","items":[{"a":1}],"kind":"List","spec":{}}`, 1, "not a list"},
		"JSON with other items":             {`{"apiVersion":"v1","items":[{"a":1},2],"kind":"List"}`, 1, "layout"},
		"no JSON":                           {`{"apiVersion":"v1","items":[{"a":1` + "\u2028" + `}],"kind":"List"}`, 1, "not JSON"},
		"JSON without commas":               {`{"apiVersion":"v1","items":[{"a":1} {"a":1}],"kind":"List"}`, 1, "layout"},
		"JSON with two lists":               {`{"apiVersion":"v1","items":[{"a":1}],"kind":"List","items":[]}`, 1, "layout"},
		"JSON with an escaped key":          {`{"apiVersion":"v1","items":[{"a":1}],"kind":"List","item\u0073":[]}`, 1, "layout"},
		"several JSON values":               {`{"apiVersion":"v1","items":[{"a":1}],"kind":"List"}{}`, 1, "layout"},
		"an item in JSON that is too large": {`{"apiVersion":"v1","items":[{"a":"` + strings.Repeat("x", 200_000) + `"}],"kind":"List"}`, 1, "too large"},
		"an item that is too large":         {head + "- b: " + strings.Repeat("x", 200_000) + "\n" + tail, 4, "too large"},
		"much in front":                     {strings.Repeat("# x\n", 10_000) + head + tail, 4097, "layout"},
	} {
		_, err := Find(strings.NewReader(test.text), Options{Size: 1, Max: 100_000})
		var doubt *Doubt
		if !errors.As(err, &doubt) || doubt.Line != test.line || !strings.Contains(doubt.Why, test.why) {
			t.Errorf("%s: got %v, want line %d: %s", name, err, test.line, test.why)
		}
	}
}

// TestLook does not cut a text of which somebody else says why not.
func TestLook(t *testing.T) {
	t.Parallel()
	look := func(text []byte) string {
		if bytes.Contains(text, []byte("b")) {
			return "there is a b"
		}
		return ""
	}
	_, err := Find(strings.NewReader("apiVersion: v1\nkind: List\nitems:\n- a: 1\n- b: 1\n"), Options{Size: 1, Look: look})
	if err == nil || err.Error() != "line 5: there is a b" {
		t.Errorf("got %v", err)
	}
}

// TestChanged does not take the text of a file that has become shorter for a piece.
func TestChanged(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- b: 1\n"
	l, err := cut(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Piece(strings.NewReader(text[:len(text)-3]), 1); err == nil {
		t.Error("read a piece")
	}
}

// sections are the texts of sections.
func sections(text string, l *List) (all []string) {
	for _, s := range l.Sections {
		all = append(all, text[s.Start:s.End])
	}
	return all
}

// checkPieces compares all pieces with the text: each character is where its part says.
func checkPieces(t testing.TB, text string, l *List) {
	t.Helper()
	table := lines.TableOf([]byte(text))
	for i := range l.Sections {
		piece, parts, err := l.Piece(strings.NewReader(text), i)
		if err != nil {
			t.Fatal(err)
		}
		for j, p := range parts {
			end := len(piece)
			if j+1 < len(parts) {
				end = parts[j+1].Offset - len(l.closing)
			}
			if err := isAt(text, table, string(piece[p.Offset:end]), p); err != nil {
				t.Errorf("piece %d: %v", i, err)
			}
		}
		if !strings.HasPrefix(text, string(piece[:parts[0].Offset])) {
			t.Errorf("piece %d does not begin as the text does: %q", i, piece)
		}
	}
}

// isAt reports that a part is not where it is said to be.
func isAt(text string, table *lines.Table, part string, at lint.Part) error {
	offset, ok := table.Offset(at.Line, at.Column)
	if part != "" && (!ok || !strings.HasPrefix(text[offset:], part)) {
		return fmt.Errorf("%q is not at %d:%d", part, at.Line, at.Column)
	}
	return nil
}

// FuzzFind never finds pieces that are not in the text.
func FuzzFind(f *testing.F) {
	f.Add("apiVersion: v1\nitems:\n- a: 1\n- b: |\n    - c\nkind: List\n")
	f.Add(`{"apiVersion":"v1","items":[{"a":"é"},{"b":[{}]}],"kind":"List"}`)
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := cut(t, text); err == nil {
			checkPieces(t, text, l)
		}
	})
}
