package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		"a byte order mark behind a separator":              {"a: 1\n---\n\ufeffb: 2\n", []string{"a: 1\n", "---\n\ufeffb: 2\n"}},
		"JSON and a separator":                              {"{\"a\":\"\\/\"} \r\n---\n{\"b\":2}\n", []string{`{"a":"\/"}`, "---\n{\"b\":2}\n"}},
		"JSON and YAML on its line":                         {"{\"a\":1} # b\n---\nc: 2", []string{`{"a":1}`, " # b\n---\nc: 2"}},
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
	f := Parse("f.yaml", []byte("\ufeffshort: 1\r\n"+"# "+long+"\n\ufeff#\tlast"))
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

// TestMarkBehindSeparator: where files were joined, a byte order mark is not part of the document, and stays. After the
// first line of a file it is.
func TestMarkBehindSeparator(t *testing.T) {
	f := Parse("test.yaml", []byte("a: 1\n---\n\ufeffb: 1\nc:\n- d\n"))
	root := f.Documents[1].Root.YNode()
	if name := root.Content[0].Value; name != "b" {
		t.Errorf("the first key is %q", name)
	}
	if start, end, ok := f.Documents[1].Span(root.Content[0]); !ok || string(f.Source[start:end]) != "b" {
		t.Errorf("the first key is at %q", f.Source[start:end])
	}
	if line, column := f.Documents[1].Begin(root.Content[1]); line != 3 || column != 4 {
		t.Errorf("the first value is at %d:%d", line, column)
	}
	if text, from := f.Excerpt(2, 1, 100); text != "---" || from != 1 {
		t.Errorf("the line above is %q from %d", text, from)
	}
	for src, want := range map[string]string{
		"---\n\ufeffa: 1\n":           "2:1: does not parse: a byte order mark follows the first ---",
		"\ufeff---\n\ufeffa: 1\n":     "2:1: does not parse: a byte order mark follows the first ---",
		"# a\n---\n\ufeffa: 1\n":      "",
		"a: 1\n---\n\ufeffa: [\nb: c": "3:1: does not parse: a [ is open here",
	} {
		if got := firstError("test.yaml", src); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

// TestScan finds the same documents as Split, and keeps none in YAML.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "a: 1\n", "# a\n---\na: 1\n---\n---\nb: 2", "a: 1\n...\n# b\nb: 2\n...\n", "%YAML 1.1\n---\na: 1\n", "\ufeff---\n\ufeffa: 1\n---\nb: 1\n",
		"a: |\u2028  b\n---\nc: d\n", `{"a": 1}` + "\n" + `{"b": 2}`, `{"a": 1}` + "\n---\nb: 1\n---\nc: 1\n", "{a: 1}\n---\nb: 2\n", "a: \x00\n---\n", "a: [\n---\nb: ]\n",
	} {
		split, scanned := Split("x", []byte(text)), Scan("x", []byte(text))
		var all []*Document
		for range 2 {
			all = all[:0]
			for d := range scanned.All() {
				all = append(all, d)
			}
		}
		for _, d := range scanned.Documents {
			if !d.JSON && d.Err == nil {
				t.Errorf("%q: document %d is kept", text, d.Index)
			}
		}
		type summary struct {
			Text                                 string
			Index, Start, End, Base              int
			JSON, Unseparated, HasRoot, HasError bool
		}
		describe := func(documents []*Document) (all []summary) {
			for _, d := range documents {
				all = append(all, summary{string(d.Text()), d.Index, d.Start, d.End, d.base, d.JSON, d.Unseparated(), d.Root != nil, d.Err != nil})
			}
			return all
		}
		if diff := cmp.Diff(describe(split.Documents), describe(all)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		for d := range scanned.All() {
			if d.Index != 0 {
				t.Errorf("%q: it begins with document %d", text, d.Index)
			}
			break
		}
	}
}
