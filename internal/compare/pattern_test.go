package compare

import (
	"regexp"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"
)

// shortTexts are all texts of up to three of some characters, the shortest first.
func shortTexts() []string {
	all := []string{""}
	for last, n := all, 0; n < 3; n++ {
		var longer []string
		for _, text := range last {
			for _, c := range []string{"a", "b", "A", "_", "0", "-", "ä", "\n", "\x01"} {
				longer = append(longer, text+c)
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

// TestPatterns compares what is said of patterns, and of each with every other, with what all short texts show.
func TestPatterns(t *testing.T) {
	t.Parallel()
	patterns := []string{
		"", "a", "^a", "a$", "^a$", "^(a|b)$", "^[ab]$", "^a*$", "^a+$", "^aa*$", "^a?$", "^(?i)a$", "^[^a]$", "^.$", "^(?s).$", `^\w$`, `^\W$`, `\ba`, `a\b`, `\Ba`,
		"^(?m)a$", `^a\z`, "^ä$", "^[a-z]{2}$", "^a{1,2}$", "^[^-]*$", "b|^a$", "^$", `^\d$`, `^\D+$`, "^[[:cntrl:]]$", "^[!-~]$",
	}
	texts := shortTexts()
	for _, p := range patterns {
		re := regexp.MustCompile(p)
		for length := range 4 {
			is := slices.IndexFunc(texts, func(text string) bool {
				return utf8.RuneCountInString(text) == length && canBePrinted(text) && re.MatchString(text)
			}) >= 0
			text, ok := textOfLength(p, length)
			if ok != (is && p != "") || ok && (utf8.RuneCountInString(text) != length || !re.MatchString(text) || !canBePrinted(text)) {
				t.Errorf("a text of %q with %d characters is %q, %t", p, length, text, ok)
			}
		}
	}
	for _, old := range patterns {
		for _, new := range patterns {
			was, is := regexp.MustCompile(old), regexp.MustCompile(new)
			shown := slices.IndexFunc(texts, func(text string) bool { return was.MatchString(text) && !is.MatchString(text) })
			apart, all := patternsApart(old, new, false)
			if all != (shown < 0) || all != (len(apart) == 0) {
				t.Errorf("%q and %q: that all texts of the first are of the second is %t; %q", old, new, all, apart)
			}
			for _, text := range apart {
				if !was.MatchString(text) || is.MatchString(text) {
					t.Errorf("%q and %q: %q tells them not apart", old, new, text)
				}
			}
			if shown >= 0 && utf8.RuneCountInString(apart[0]) != utf8.RuneCountInString(texts[shown]) {
				t.Errorf("%q and %q: %q is not the shortest text, as %q is", old, new, apart[0], texts[shown])
			}
			if i := slices.IndexFunc(apart, ascii); i > 0 && utf8.RuneCountInString(apart[i]) == utf8.RuneCountInString(apart[0]) {
				t.Errorf("%q and %q: %q comes before %q", old, new, apart[0], apart[i])
			}
			if some, _ := patternsApart(old, new, true); slices.ContainsFunc(some, func(text string) bool { return !canBePrinted(text) }) {
				t.Errorf("%q and %q: %q are not printable", old, new, some)
			}
		}
	}
}

func canBePrinted(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// ascii reports whether a text has characters only that everybody can type.
func ascii(text string) bool {
	return canBePrinted(text) && len(text) == utf8.RuneCountInString(text)
}
