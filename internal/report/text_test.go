package report

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/crdlift/crdlift/lint"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("世", 100)
	for name, tt := range map[string]struct {
		text        string
		from        int
		column, end int // of the mark
		source      string
		marked      string // the text above the mark
	}{
		"plain":                  {"  type: integr", 0, 9, 15, "  type: integr", "integr"},
		"nothing wide":           {"a: b", 0, 4, 4, "a: b", "b"},
		"end of line":            {"a: b", 0, 5, 5, "a: b", " "},
		"behind the end":         {"a: b", 0, 9, 12, "a: b", " "},
		"tabs":                   {"\ta:\tb", 0, 5, 6, "    a:  b", "b"},
		"a tab is marked":        {"a\tb", 0, 2, 3, "a→  b", "→  "},
		"chinese":                {"a: 世界 b", 0, 7, 8, "a: 世界 b", "b"},
		"chinese is marked":      {"a: 世界 b", 0, 4, 6, "a: 世界 b", "世界"},
		"combining":              {"cafe\u0301 b", 0, 7, 8, "cafe\u0301 b", "b"},
		"begins at a mark":       {"cafe\u0301 b", 0, 5, 6, "cafe\u0301 b", "e\u0301"},
		"control characters":     {"\x1b[0m b", 0, 6, 7, `\x1b[0m b`, "b"},
		"joined emoji":           {"👩\u200d💻 b", 0, 5, 6, `👩\u200d💻 b`, "b"},
		"invalid UTF-8":          {"\xff\xfe b", 0, 4, 5, `\xff\xfe b`, "b"},
		"long, at the start":     {"k: " + strings.Repeat("x", 200), 0, 1, 2, "k: " + strings.Repeat("x", 97) + "…", "k"},
		"long, at the end":       {strings.Repeat("x", 200) + " k", 0, 202, 203, "…" + strings.Repeat("x", 39) + " k", "k"},
		"long, all of it":        {strings.Repeat("x", 200), 0, 1, 201, strings.Repeat("x", 100) + "…", strings.Repeat("x", 100)},
		"long and wide":          {wide + "k", 0, 101, 102, "…" + strings.Repeat("世", 20) + "k", "k"},
		"part of a longer line":  {"xx k", 5000, 5003, 5004, "…xx k", "k"},
		"only white space":       {"   ", 0, 1, 2, "", ""},
		"nothing":                {"", 0, 1, 1, "", ""},
		"just within the limit":  {strings.Repeat("x", 100), 0, 100, 101, "…" + strings.Repeat("x", 41), "x"},
		"end in the line's tail": {"abc", 0, 2, 99, "abc", "bc"},
	} {
		f := &lint.Finding{Source: lint.Source{Excerpt: tt.text, From: tt.from}}
		f.Pos = lint.Position{Line: 1, Column: tt.column, EndLine: 1, EndColumn: tt.end}
		source, before, width := excerpt(f)
		if source != tt.source {
			t.Errorf("%s: got %q, want %q", name, source, tt.source)
			continue
		}
		if tt.source == "" {
			continue
		}
		if got := above(source, before, width); got != tt.marked {
			t.Errorf("%s: the mark is below %q, want %q", name, got, tt.marked)
		}
	}
}

// above returns the text that a terminal shows above a mark.
func above(source string, before, width int) string {
	var out strings.Builder
	at := 0
	for g := uniseg.NewGraphemes(source + " "); g.Next(); at += g.Width() {
		if at >= before && at < before+width {
			out.WriteString(g.Str())
		}
	}
	return out.String()
}

func TestRangeOverLines(t *testing.T) {
	t.Parallel()
	f := &lint.Finding{Source: lint.Source{Excerpt: "spec: {", Pos: lint.Position{Line: 1, Column: 7, EndLine: 9, EndColumn: 2}}}
	if _, before, width := excerpt(f); before != 6 || width != 1 {
		t.Errorf("got %d, %d", before, width)
	}
}

// TestColorIsNotGlobal writes with and without colours in one process, whatever standard output is.
func TestColorIsNotGlobal(t *testing.T) {
	t.Parallel()
	if plain := write(t, Text, nasty(), Options{}); strings.Contains(plain, "\x1b") {
		t.Error("colours that nobody asked for")
	}
	if colored := write(t, Text, nasty(), Options{Color: true}); !strings.Contains(colored, "\x1b[31;1merror") {
		t.Error("no colours")
	}
}

// TestRulesAreLinks has a terminal that knows links lead from a rule to its page, and only from one that has a page.
func TestRulesAreLinks(t *testing.T) {
	t.Parallel()
	linked := "\x1b]8;;" + RulePage("schema-type-missing") + "\x1b\\schema-type-missing\x1b]8;;\x1b\\"
	out := write(t, Text, nasty(), Options{Links: true, Rules: catalog})
	if !strings.Contains(out, "["+linked+"]\n") || !strings.Contains(out, " [uncatalogued]\n") {
		t.Errorf("got %q", out)
	}
	if out := write(t, Text, nasty(), Options{Rules: catalog}); strings.Contains(out, Homepage) {
		t.Error("links that nobody asked for")
	}
}
