package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest lists the known words that a misspelt one may have been meant to be, in their order: all that take the fewest
// letters inserted, removed, replaced or swapped with their neighbour, if those are few for its length. Upper and lower
// case are the same. The word itself, if it is known, is none of them; nil when none is near.
func Nearest(word string, known []string) []string {
	var near []string
	length := utf8.RuneCountInString(word)
	fewest := min(max(length/3, 1), 3, length-1)
	for _, k := range known {
		switch d := distance(word, k, fewest+1); {
		case d > fewest || k == word:
		case d < fewest:
			near, fewest = []string{k}, d
		default:
			near = append(near, k)
		}
	}
	return near
}

// DidYouMean asks whether one of some words was meant.
func DidYouMean(words ...string) string {
	return "did you mean " + strings.Join(words, " or ") + "?"
}

// Misspelt is a word that is not among the known ones, in quotes, with the one that was meant where one is near, or only
// one begins with it.
func Misspelt(word string, known []string) string {
	text := Quoted(word).Brief()
	meant := Nearest(word, known)
	if longer := abbreviated(word, known); len(meant) == 0 && len(longer) == 1 {
		meant = longer
	}
	if len(meant) > 0 {
		text += fmt.Sprintf(" (did you mean %q?)", meant[0])
	}
	return text
}

// NotOneOf says that a word is none of those that something can be, and which one was meant.
func NotOneOf(what, word string, known []string) string {
	return fmt.Sprintf("%s cannot be %s; it is one of %s", what, Misspelt(word, known), strings.Join(known, ", "))
}

// abbreviated lists the known words that begin with a word of three letters or more: "warn" is short for "warning".
func abbreviated(word string, known []string) []string {
	if utf8.RuneCountInString(word) < 3 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		return len(k) == len(word) || !strings.HasPrefix(strings.ToLower(k), strings.ToLower(word))
	})
}

// distance counts the edits between two words; it may stop counting at a limit.
func distance(s, t string, limit int) int {
	a, b := []rune(strings.ToLower(s)), []rune(strings.ToLower(t))
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var before, above, row []int
	for i := range len(a) + 1 {
		before, above, row = above, row, make([]int, len(b)+1)
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
				continue
			case a[i-1] == b[j-1]:
				row[j] = above[j-1]
			default:
				row[j] = 1 + min(above[j-1], above[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
