package lines

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Table answers where positions of a text are. It is made when it is first asked; several goroutines may ask.
type Table struct {
	text []byte

	counted sync.Once
	begins  []int // offset of every line, after a byte order mark
	odd     bool  // the text may hold line breaks that YAML counts and editors do not

	countedRunes sync.Once
	runes        []int // code points before every runeBlock-th byte
}

// TableOf returns the table of a text.
func TableOf(text []byte) *Table { return &Table{text: text} }

// lines are the offsets of the lines.
func (t *Table) lines() []int {
	t.counted.Do(func() {
		t.odd = HaveOddBreaks(t.text)
		t.begins = make([]int, 1, bytes.Count(t.text, []byte("\n"))+1)
		t.begins[0] = MarkWidth(t.text)
		for at := 0; ; {
			i := bytes.IndexByte(t.text[at:], '\n')
			if i < 0 {
				return
			}
			at += i + 1
			t.begins = append(t.begins, at+MarkWidth(t.text[at:]))
		}
	})
	return t.begins
}

// Odd reports whether the text may hold line breaks that YAML counts and editors do not.
func (t *Table) Odd() bool {
	t.lines()
	return t.odd
}

// Position returns the line and column of a byte offset as editors count them: lines end at a line feed, columns are
// Unicode code points, both from 1, and a byte order mark does not count as a column.
func (t *Table) Position(offset int) (line, column int) {
	begins := t.lines()
	offset = max(begins[0], min(offset, len(t.text)))
	line, found := slices.BinarySearch(begins, offset)
	if found {
		line++
	}
	return line, 1 + t.runesBetween(begins[line-1], offset)
}

// Offset returns the offset of a position as editors count it; false where there is no such line. A column beyond the
// text means its end.
func (t *Table) Offset(line, column int) (int, bool) {
	if begins := t.lines(); 1 <= line && line <= len(begins) {
		return t.afterRunes(begins[line-1], column-1, len(t.text)), true
	}
	return 0, false
}

// LineStart is where the line that holds an offset begins. It looks that up: a text may be one line of megabytes, with a
// thousand places to ask about.
func (t *Table) LineStart(at int) int {
	begins := t.lines()
	i, found := slices.BinarySearch(begins, at)
	if !found {
		i--
	}
	return begins[max(i, 0)]
}

// Indentation counts the spaces and tabs at the start of the line that holds an offset.
func (t *Table) Indentation(at int) int { return Indentation(t.text[t.LineStart(at):]) }

// Excerpt returns the text of a line without its line end, unchanged: for a line that is longer than limit bytes the
// part around a column, and the column of its first character. It returns "" where there is no such line.
func (t *Table) Excerpt(line, column, limit int) (text string, from int) {
	begins := t.lines()
	if line < 1 || line > len(begins) {
		return "", 1
	}
	// The table tells where the line ends: it may be megabytes long, with something to show in every word.
	begin := begins[line-1]
	whole := t.text[begin:]
	if line < len(begins) {
		whole = bytes.TrimSuffix(t.text[begin:begins[line]], []byte(BOM)) // the next line's
	}
	whole = bytes.TrimRight(whole, "\r\n")
	if len(whole) <= limit {
		return string(whole), 1
	}
	// The text after a mark is of more use than the text before it.
	at := t.afterRunes(begin, column-1, begin+len(whole)) - begin
	start := max(0, at-limit/4)
	for start > 0 && start < at && !utf8.RuneStart(whole[start]) {
		start++
	}
	end := min(len(whole), start+limit)
	for end < len(whole) && end > at && !utf8.RuneStart(whole[end]) {
		end--
	}
	return string(whole[start:end]), 1 + t.runesBetween(begin, begin+start)
}
