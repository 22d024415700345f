package lines

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestLongLine compares positions and excerpts in a line of many blocks with those counted one by one.
func TestLongLine(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("añ世🎉 x", 3*runeBlock)
	for _, before := range []string{"", "\ufeff", "short\n", "世\n"} {
		f := TableOf([]byte(before + line + "\nnext"))
		begin := len(before)
		lineNumber := 1 + strings.Count(before, "\n")
		for at := 0; at <= len(line); at++ {
			if at < len(line) && !utf8.RuneStart(line[at]) || at%37 > 5 {
				continue
			}
			want := 1 + utf8.RuneCountInString(line[:at])
			if l, c := f.Position(begin + at); l != lineNumber || c != want {
				t.Fatalf("%q: position of byte %d is %d:%d, not %d:%d", before, at, l, c, lineNumber, want)
			}
			text, from := f.Excerpt(lineNumber, want, 100)
			start := strings.Index(line[max(0, at-25):], text) // what repeats is found at its first place
			if start < 0 || len(text) > 100 || len(text) < 90 && at < len(line)-75 || from > want || want-from > 25 {
				t.Fatalf("%q: excerpt at column %d begins at %d: %q", before, want, from, text)
			}
			if rest := []rune(text)[want-from:]; at < len(line) && !strings.HasPrefix(line[at:], string(rest)) {
				t.Fatalf("%q: column %d shows %q", before, want, string(rest))
			}
		}
	}
}

// TestExcerptsOfALongLine takes them as fast as of short lines: to look for the end of this one each time takes minutes.
func TestExcerptsOfALongLine(t *testing.T) {
	t.Parallel()
	const excerpts = 200_000
	f := TableOf([]byte(`["` + strings.Repeat("many words", 8*excerpts+10) + `"]`))
	start := time.Now()
	for i := range excerpts {
		if text, _ := f.Excerpt(1, 80*i, 100); len(text) < 90 {
			t.Fatalf("excerpt at column %d: %q", 80*i, text)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
