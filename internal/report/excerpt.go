package report

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Widths are in columns of a terminal, of which a Chinese character or an emoji takes two and a combining mark none.
const (
	maxWidth = 100 // of the part of a source line that is shown
	lead     = 40  // how much of it is shown before the mark, where the line is cut
	tabStop  = 4   // a tab goes to the next multiple
	ellipsis = "…" // marks an omission in a line
	tabSign  = "→" // shows a tab that a finding is about
)

// A cell is a piece of a source line that is shown as a whole: a character with its marks, a tab, an escape.
type cell struct {
	column int // of its first code point in the line
	points int // how many code points it is in the file
	text   string
	width  int
	tab    bool
}

// excerpt is the source line of a finding as a terminal can show it, and the part to underline: its offset and width in
// columns. The source is "" when there is nothing to show.
func excerpt(f *lint.Finding) (source string, before, width int) {
	cells := divide(f.Excerpt, max(f.From, 1), f.Pos.Column)
	first, last := marked(cells, f.Pos)
	for i := first; i <= last && i < len(cells); i++ {
		if c := &cells[i]; c.tab { // the subject of a finding has to be visible
			c.text = tabSign + strings.Repeat(" ", c.width-1)
		}
	}
	low, high := window(cells, first)
	if low >= high {
		return "", 0, 0
	}
	var text strings.Builder
	if low > 0 || f.From > 1 {
		text.WriteString(ellipsis)
		before = uniseg.StringWidth(ellipsis)
	}
	for i, c := range cells[low:high] {
		text.WriteString(c.text)
		switch at := low + i; {
		case at < first:
			before += c.width
		case at <= last:
			width += c.width
		}
	}
	if high < len(cells) {
		text.WriteString(ellipsis)
	}
	return strings.TrimRight(text.String(), " "), before, max(width, 1)
}

// divide makes cells of a source line, or of the part of it that begins at a column. It stops where nothing is shown any
// more, far after a mark.
func divide(line string, column, mark int) []cell {
	var cells []cell
	reached, behind := 0, 0
	for line != "" && behind <= 2*maxWidth {
		c := cell{column: column, points: 1, text: line[:1], width: 1}
		if standsAlone(line) {
			line = line[1:]
		} else {
			c.text, line, c.width, _ = uniseg.FirstGraphemeClusterInString(line, -1)
			c.points = utf8.RuneCountInString(c.text)
			switch safe := text.Harmless(c.text); {
			case c.text == "\t":
				c.tab, c.width = true, tabStop-reached%tabStop
				c.text = strings.Repeat(" ", c.width)
			case safe != c.text:
				c.text, c.width = safe, uniseg.StringWidth(safe)
			}
		}
		cells = append(cells, c)
		column += c.points
		reached += c.width
		if column > mark {
			behind += c.width
		}
	}
	for i := range max(len(cells)-2, 0) { // what Harmless does to the older sign of commands, which no cell holds alone
		if cells[i].text == text.OldCommandSign[:1] && cells[i+1].text == text.OldCommandSign[1:2] && strings.HasPrefix(cells[i+2].text, text.OldCommandSign[2:]) {
			cells[i].text, cells[i].width = `\x23`, 4
		}
	}
	return cells
}

// standsAlone reports whether a text begins with a character that is a cell by itself and harmless, and that can be told
// without the tables of Unicode: there may be a hundred thousand findings to show.
func standsAlone(text string) bool {
	printable := text[0] >= ' ' && text[0] < 0x7f
	return printable && text[0] != ':' && text[0] != '#' && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

// marked returns the first and the last cell of a range that begins in the line. The first is len(cells) when the range
// begins where the line ends.
func marked(cells []cell, pos lint.Position) (first, last int) {
	for first < len(cells) && cells[first].column < pos.Column {
		first++
	}
	if first > 0 && (first == len(cells) || cells[first].column > pos.Column) && inside(cells[first-1], pos.Column) {
		first-- // the range begins at a combining mark
	}
	last = first
	for last+1 < len(cells) && (pos.EndLine > pos.Line || cells[last+1].column < pos.EndColumn) {
		last++
	}
	return first, last
}

// inside reports whether a column is in a cell, after its first column.
func inside(c cell, column int) bool {
	return column > c.column && column < c.column+c.points
}

// window returns the cells to show so that the one that is marked first is among them.
func window(cells []cell, first int) (low, high int) {
	before := 0
	for _, c := range cells[:first] {
		before += c.width
	}
	if before > maxWidth-tabStop {
		for low < first && before > lead {
			before -= cells[low].width
			low++
		}
	}
	width := 0
	for high = low; high < len(cells) && width+cells[high].width <= maxWidth; high++ {
		width += cells[high].width
	}
	return low, high
}
