// Package text has the words that messages for people share: counts, suggestions for misspelt words, values cut to a
// length, and the escapes that make text harmless to terminals.
//
// Read words.go first; text.go has every limit at which values are cut. spelling.go and harmless.go
// are independent. Outputs for programs are never cut.
package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Count is a number with its noun, which takes an s unless the number is one: "1 file", "0 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Verb is the form of a verb that goes with a number: "1 does", "2 do".
func Verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// And lists items: "a, b and c".
func And(items []string) string { return list(items, " and ") }

// Or lists alternatives: "a, b or c".
func Or(items []string) string { return list(items, " or ") }

func list(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + word + items[last]
}

// Capital begins a text with a capital letter.
func Capital(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}

// OneLine folds white space, so that a text never spans lines.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

const ellipsis = "…"

// cut is OneLine, of a longer text as many characters as the limit: up to the end of a word, if one ends near there, and
// an ellipsis.
func cut(s string, limit int) string {
	s = OneLine(s)
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	kept := string(runes[:limit-1])
	if end := strings.LastIndexByte(kept, ' '); runes[limit-1] != ' ' && end > len(kept)*2/3 {
		kept = kept[:end]
	}
	return strings.TrimRight(kept, " ") + ellipsis
}
