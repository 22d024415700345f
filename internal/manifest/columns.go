package manifest

import (
	"slices"
	"unicode/utf8"
)

// runeBlock is how many bytes apart code points are counted in advance. A file may be one line of megabytes, with
// findings all over it; to count from the start of the line for each would be quadratic.
const runeBlock = 1024

// countRunes makes the table of the code points before every block.
func (f *File) countRunes() {
	f.countedRunes.Do(func() {
		n := 0
		for start := 0; ; start += runeBlock {
			f.runes = append(f.runes, n)
			if start > len(f.Source) {
				return
			}
			n += runeStarts(f.Source[start:min(start+runeBlock, len(f.Source))])
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
func (f *File) runesBetween(start, end int) int {
	if end-start <= 2*runeBlock {
		return utf8.RuneCount(f.Source[start:end])
	}
	f.countRunes()
	before := func(at int) int {
		block := at / runeBlock
		return f.runes[block] + runeStarts(f.Source[block*runeBlock:at])
	}
	return before(end) - before(start)
}

// behindRunes is the offset so many code points behind start, but at most end.
func (f *File) behindRunes(start, n, end int) int {
	if n > 2*runeBlock && end-start > 2*runeBlock {
		want := n + f.runesBetween(0, start)
		f.countRunes()
		block, _ := slices.BinarySearch(f.runes, want) // the first with as many before it
		if at := (block - 1) * runeBlock; at > start {
			for at < len(f.Source) && !utf8.RuneStart(f.Source[at]) {
				at++
			}
			n -= f.runesBetween(start, at)
			start = at
		}
	}
	for ; n > 0 && start < end; n-- {
		_, size := utf8.DecodeRune(f.Source[start:])
		start += size
	}
	return min(start, end)
}
