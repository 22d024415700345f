package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest lists the known words that a misspelt one may have been meant to be, in their order: all that take the fewest
// letters inserted, removed, replaced or swapped with their neighbour, if those are few for its length. Upper and lower
// case are the same. The word itself, if it is known, is not among them; nil when no word is near.
func Nearest(word string, known []string) []string {
	length := utf8.RuneCountInString(word)
	alike := slices.DeleteFunc(slices.Clone(known), func(k string) bool { // most words are not
		n := utf8.RuneCountInString(k)
		return max(n-length, length-n) > mostEdits(length)
	})
	return NewWords(alike).Nearest(word)
}

// mostEdits is how many edits may make a word of so many letters another: each changes its length by one letter at most.
func mostEdits(length int) int { return min(max(length/3, 1), 3, length-1) }

// Words are known words that misspelt ones may have been meant to be. They are sorted by their letters: what an edit does to
// letters that several begin with is found out once, and those that begin with too many edits are skipped together.
type Words struct {
	known  []string
	sorted []letters
}

// letters are those of the nth word, in lower case.
type letters struct {
	all []rune
	nth int
}

// NewWords returns words to ask for the nearest of more than once.
func NewWords(known []string) *Words {
	w := &Words{known: known}
	for i, k := range known {
		w.sorted = append(w.sorted, letters{[]rune(strings.ToLower(k)), i})
	}
	slices.SortFunc(w.sorted, func(a, b letters) int { return slices.Compare(a.all, b.all) })
	return w
}

// Nearest is the function of that name for these words.
func (w *Words) Nearest(word string) (near []string) {
	length := utf8.RuneCountInString(word)
	for edits := range mostEdits(length) + 1 {
		for _, i := range w.within(word, edits) {
			if w.known[i] != word {
				near = append(near, w.known[i])
			}
		}
		if near != nil {
			break
		}
	}
	return near
}

// within are the words that some edits or fewer make of one. rows[n] has how many edits make the first n letters of a known
// word of the first letters of that one.
func (w *Words) within(word string, edits int) (all []int) {
	a := []rune(strings.ToLower(word))
	rows, done := [][]int{make([]int, len(a)+1)}, 0
	for j := range rows[0] {
		rows[0][j] = j
	}
	var before []rune
	for i := 0; i < len(w.sorted); {
		b := w.sorted[i].all
		done = min(done, shared(before, b))
		before = b
		near := true
		for ; near && done < len(b); done++ {
			if len(rows) == done+1 {
				rows = append(rows, make([]int, len(a)+1))
			}
			fill(rows[:done+2], a, b)
			near = slices.Min(rows[done+1]) <= edits || slices.Min(rows[done]) < edits // by a swap
		}
		if !near {
			rest := w.sorted[i+1:]
			n, _ := slices.BinarySearchFunc(rest, b[:done], func(l letters, begin []rune) int {
				return cmp.Or(slices.Compare(l.all[:min(len(l.all), len(begin))], begin), -1)
			})
			i += 1 + n
			continue
		}
		if rows[len(b)][len(a)] <= edits {
			all = append(all, w.sorted[i].nth)
		}
		i++
	}
	slices.Sort(all)
	return all
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

// NotOneOf says that a word is not one of those that something can be, and which one was meant.
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

// fill fills the last row for one more letter of b.
func fill(rows [][]int, a, b []rune) {
	i := len(rows) - 1
	row, above := rows[i], rows[i-1]
	row[0] = i
	for j := 1; j < len(row); j++ {
		if a[j-1] == b[i-1] {
			row[j] = above[j-1]
			continue
		}
		row[j] = 1 + min(above[j-1], above[j], row[j-1])
		if i > 1 && j > 1 && a[j-1] == b[i-2] && a[j-2] == b[i-1] {
			row[j] = min(row[j], rows[i-2][j-2]+1)
		}
	}
}

// shared counts the letters that two words begin with.
func shared(a, b []rune) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
