package lines

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shortTexts are all texts of up to n of some characters.
func shortTexts(n int, characters ...string) []string {
	all := []string{""}
	for last := all; n > 0; n-- {
		var longer []string
		for _, text := range last {
			for _, c := range characters {
				longer = append(longer, text+c)
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

var yamlBreak = regexp.MustCompile("\r\n|[\r\n\u0085\u2028\u2029]")

// TestYAML compares the lines of every short text, and of a part of it, with those that one expression finds. Some characters
// share their first bytes with a line break.
func TestYAML(t *testing.T) {
	t.Parallel()
	for _, text := range shortTexts(4, "a", "\n", "\r", "\u0085", "\u2028", "\u2029", BOM, "\u0084", "\u2027", "\u2128") {
		breaks := yamlBreak.FindAllStringIndex(text, -1)
		odd := slices.ContainsFunc(breaks, func(b []int) bool { return text[b[1]-1] != '\n' })
		if got := TableOf([]byte(text)).Odd(); got != odd {
			t.Errorf("%q: odd is %t", text, got)
		}
		want := []int{1}
		for _, b := range breaks {
			want = append(want, 1+b[1]+MarkWidth([]byte(text[b[1]:])))
		}
		if got := YAML([]byte("x"+text+"\n"), 1, 1+len(text)); !slices.Equal(got, want) {
			t.Errorf("%q: lines begin at %v, not at %v", text, got, want)
		}
	}
	for _, cut := range []string{"\xc2", "\xe2", "\xe2\x80", "\xe2\x80a\r"} {
		want := []int{0}
		if strings.HasSuffix(cut, "\r") {
			want = append(want, len(cut))
		}
		if got := YAML([]byte(cut), 0, len(cut)); !slices.Equal(got, want) {
			t.Errorf("%q: lines begin at %v, not at %v", cut, got, want)
		}
	}
}

// TestEditorLines compares what a table says of every place of every short text with a walk from its start.
func TestEditorLines(t *testing.T) {
	t.Parallel()
	for _, text := range shortTexts(5, "ä", " ", "\n", "\r", "\t", BOM) {
		table := TableOf([]byte(text))
		number, column, begin := 1, 1, MarkWidth([]byte(text))
		for at := begin; ; {
			if l, c := table.Position(at); l != number || c != column {
				t.Fatalf("%q: byte %d is at %d:%d, not %d:%d", text, at, l, c, number, column)
			}
			if back, ok := table.Offset(number, column); !ok || back != at {
				t.Fatalf("%q: %d:%d is byte %d, not %d", text, number, column, back, at)
			}
			whole, _, _ := strings.Cut(text[begin:], "\n")
			if got := table.LineStart(at); got != begin {
				t.Fatalf("%q: the line of byte %d begins at %d, not %d", text, at, got, begin)
			}
			if got, want := table.Indentation(at), len(whole)-len(strings.TrimLeft(whole, " \t")); got != want {
				t.Fatalf("%q: the line of byte %d is indented by %d, not %d", text, at, got, want)
			}
			whole = strings.TrimRight(whole, "\r")
			if got, from := table.Excerpt(number, column, len(whole)); got != whole || from != 1 {
				t.Fatalf("%q: line %d is %q from %d, not %q", text, number, got, from, whole)
			}
			if at == len(text) {
				break
			}
			_, width := utf8.DecodeRuneInString(text[at:])
			if at, column = at+width, column+1; text[at-1] == '\n' {
				at += MarkWidth([]byte(text[at:]))
				number, column, begin = number+1, 1, at
			}
		}
		for _, line := range []int{-1, 0, number + 1} {
			if _, ok := table.Offset(line, 1); ok {
				t.Fatalf("%q has no line %d", text, line)
			}
			if got, from := table.Excerpt(line, 1, 10); got != "" || from != 1 {
				t.Fatalf("%q has no line %d, not %q from %d", text, line, got, from)
			}
		}
		if l, c := table.Position(len(text) + 5); l != number || c != column {
			t.Fatalf("%q: what is beyond the end is at %d:%d, not %d:%d", text, l, c, number, column)
		}
		if l, c := table.Position(-1); l != 1 || c != 1 {
			t.Fatalf("%q: what is before the start is at %d:%d", text, l, c)
		}
		if end, _ := table.Offset(number, 1000); end != len(text) {
			t.Fatalf("%q: the end of the last line is %d", text, end)
		}
	}
}
