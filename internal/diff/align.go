package diff

import (
	"slices"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxGap is how many lines, both sides together, the minimal diff is asked to align at once. It takes quadratic time on
// sides that have nothing in common, and has to come back within a second. It also keeps every line's number a valid rune,
// below the surrogates that go-diff's own numbering has to work around.
const maxGap = 1 << 14

// A change replaces the lines a0 to a1 of the old file by the lines b0 to b1 of the new; lines count from 0, ends are
// exclusive, one of the two may be empty.
type change struct{ a0, a1, b0, b1 int }

// changes returns what differs, in order; between two changes the files agree.
func changes(a, b []string) []change {
	partner := align(a, b)
	var found []change
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if i < len(a) && partner[i] == j {
			i, j = i+1, j+1
			continue
		}
		c := change{a0: i, b0: j}
		for i < len(a) && partner[i] < 0 {
			i++
		}
		j = len(b)
		if i < len(a) {
			j = partner[i]
		}
		c.a1, c.b1 = i, j
		found = append(found, c)
	}
	return found
}

// align finds for each line of a the line of b that it corresponds to, -1 for none; the lines found increase.
//
// The equal start and end are set aside first. The rest is cut at the lines that occur once on either side, as
// patience diff does, which keeps the hunks at places that a reader recognizes, and the pieces small; go-diff aligns
// the pieces. Those that are too large for it are cut at all lines that both sides have equally often.
func align(a, b []string) []int {
	al := aligner{a: a, b: b, partner: slices.Repeat([]int{-1}, len(a))}
	al.between(change{0, len(a), 0, len(b)}, 1, func(c change) {
		if c.a1-c.a0+c.b1-c.b0 <= maxGap {
			al.minimal(c)
		} else {
			al.between(c, len(a), al.minimal)
		}
	})
	return al.partner
}

type aligner struct {
	a, b    []string
	partner []int
}

// between aligns the equal start and end of a region, and the lines that both sides have equally often, up to most times. It
// hands on what lies between them.
func (al *aligner) between(c change, most int, rest func(change)) {
	c = al.trim(c)
	next := change{a0: c.a0, b0: c.b0}
	at := al.equallyFrequentLines(c, most)
	for _, k := range LongestIncreasing(at) {
		next.a1, next.b1 = c.a0+k, at[k]
		al.partner[next.a1] = next.b1
		rest(al.trim(next))
		next.a0, next.b0 = next.a1+1, next.b1+1
	}
	next.a1, next.b1 = c.a1, c.b1
	rest(al.trim(next))
}

// trim aligns the common lines at the start and the end of a region, and returns the rest.
func (al *aligner) trim(c change) change {
	for c.a0 < c.a1 && c.b0 < c.b1 && al.a[c.a0] == al.b[c.b0] {
		al.partner[c.a0] = c.b0
		c.a0, c.b0 = c.a0+1, c.b0+1
	}
	for c.a0 < c.a1 && c.b0 < c.b1 && al.a[c.a1-1] == al.b[c.b1-1] {
		c.a1, c.b1 = c.a1-1, c.b1-1
		al.partner[c.a1] = c.b1
	}
	return c
}

// equallyFrequentLines returns for each line of a region's old side its place in b, -1 for none. It pairs the first
// occurrence of a line with the first, the second with the second and so on, where both sides have the line equally often,
// and not more than most times.
func (al *aligner) equallyFrequentLines(c change, most int) []int {
	inA, inB := map[string]int{}, map[string][]int{}
	for _, line := range al.a[c.a0:c.a1] {
		inA[line]++
	}
	for j := c.b0; j < c.b1; j++ {
		if n := inA[al.b[j]]; 0 < n && n <= most {
			inB[al.b[j]] = append(inB[al.b[j]], j)
		}
	}
	places := make([]int, c.a1-c.a0)
	for i := range places {
		places[i] = -1
		line := al.a[c.a0+i]
		if rest := inB[line]; len(rest) > 0 && len(rest) == inA[line] {
			places[i], inB[line] = rest[0], rest[1:]
			inA[line]--
		}
	}
	return places
}

// minimal aligns a region by go-diff. Lines that only one side has cannot correspond to others and are left out before:
// this makes a large block that moved and was re-indented fast. A region that is still too large is replaced as a
// whole.
func (al *aligner) minimal(c change) {
	number := map[string]rune{}
	for _, line := range al.b[c.b0:c.b1] {
		number[line] = 0
	}
	var left, right []rune
	var fromA, fromB []int
	for i := c.a0; i < c.a1; i++ {
		if n, ok := number[al.a[i]]; ok {
			if n == 0 {
				n = rune(len(left) + 1)
				number[al.a[i]] = n
			}
			left, fromA = append(left, n), append(fromA, i)
		}
	}
	for j := c.b0; j < c.b1; j++ {
		if n := number[al.b[j]]; n != 0 {
			right, fromB = append(right, n), append(fromB, j)
		}
	}
	if len(left)+len(right) > maxGap {
		return
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the result must not depend on the machine's speed
	i, j := 0, 0
	for _, d := range dmp.DiffMainRunes(left, right, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		case diffmatchpatch.DiffEqual:
			for range n {
				al.partner[fromA[i]] = fromB[j]
				i, j = i+1, j+1
			}
		}
	}
}

// LongestIncreasing returns the positions of a longest increasing subsequence, skipping negative values.
func LongestIncreasing(values []int) []int {
	var tails []int // tails[k] is the position that ends the best subsequence of length k+1
	before := make([]int, len(values))
	for i, v := range values {
		if v < 0 {
			continue
		}
		k, _ := slices.BinarySearchFunc(tails, v, func(t, v int) int { return values[t] - v })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var chosen []int
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		chosen = append(chosen, i)
	}
	slices.Reverse(chosen)
	return chosen
}
