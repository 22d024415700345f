package lines

import (
	"slices"
	"unicode/utf8"
)

// runeBlock is how many bytes apart code points are counted in advance. A file may be one line of megabytes, with
// findings all over it; to count from the start of the line for each would be quadratic.
const runeBlock = 1024

// countRunes makes the table of the code points before every block.
func (t *Table) countRunes() {
	t.countedRunes.Do(func() {
		n := 0
		for start := 0; ; start += runeBlock {
			t.runes = append(t.runes, n)
			if start > len(t.text) {
				return
			}
			n += runeStarts(t.text[start:min(start+runeBlock, len(t.text))])
		}
	})
}

func runeStarts(text []byte) int {
	n := 0
	for _, b := range text {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// runesBetween counts the code points from one offset to another.
func (t *Table) runesBetween(start, end int) int {
	if end-start <= 2*runeBlock {
		return utf8.RuneCount(t.text[start:end])
	}
	t.countRunes()
	before := func(at int) int {
		block := at / runeBlock
		return t.runes[block] + runeStarts(t.text[block*runeBlock:at])
	}
	return before(end) - before(start)
}

// afterRunes is the offset so many code points after start, but at most end.
func (t *Table) afterRunes(start, n, end int) int {
	if n > 2*runeBlock && end-start > 2*runeBlock {
		want := n + t.runesBetween(0, start)
		t.countRunes()
		block, _ := slices.BinarySearch(t.runes, want) // the first with as many before it
		if at := (block - 1) * runeBlock; at > start {
			for at < len(t.text) && !utf8.RuneStart(t.text[at]) {
				at++
			}
			n -= t.runesBetween(start, at)
			start = at
		}
	}
	for ; n > 0 && start < end; n-- {
		_, size := utf8.DecodeRune(t.text[start:])
		start += size
	}
	return min(start, end)
}
