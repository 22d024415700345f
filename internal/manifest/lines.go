package manifest

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// findLines makes the table of lines, each of which begins behind a byte order mark, and looks for odd breaks.
func (f *File) findLines() {
	f.counted.Do(func() {
		f.odd = hasOddBreaks(f.Source)
		f.lines = make([]int, 1, bytes.Count(f.Source, []byte("\n"))+1)
		f.lines[0] = markWidth(f.Source)
		for at := 0; ; {
			i := bytes.IndexByte(f.Source[at:], '\n')
			if i < 0 {
				return
			}
			at += i + 1
			f.lines = append(f.lines, at+markWidth(f.Source[at:]))
		}
	})
}

// Position gives the line and column of a byte offset as editors count them: lines end at a line feed, columns are
// Unicode code points, both from 1, and a byte order mark is no column.
func (f *File) Position(offset int) (line, column int) {
	f.findLines()
	offset = max(f.lines[0], min(offset, len(f.Source)))
	line, found := slices.BinarySearch(f.lines, offset)
	if found {
		line++
	}
	return line, 1 + f.runesBetween(f.lines[line-1], offset)
}

// Begin gives the line and column at which a node of the document begins, as Position counts them, from what the parser
// noted in it. It is cheap, where Span reads the document once more.
func (d *Document) Begin(n *yaml.Node) (line, column int) {
	d.File.findLines()
	if d.json || !d.File.odd {
		return n.Line, n.Column
	}
	if start, _, ok := d.Span(n); ok {
		return d.File.Position(start)
	}
	return n.Line, n.Column
}

// Excerpt is the text of a line without its line end, as it stands in the file: of one that is longer than limit bytes
// the part around a column, and the column of its first character. It is "" where there is no such line.
func (f *File) Excerpt(line, column, limit int) (text string, from int) {
	f.findLines()
	if line < 1 || line > len(f.lines) {
		return "", 1
	}
	// The table tells where the line ends: it may be megabytes long, with something to show in every word.
	begin := f.lines[line-1]
	whole := f.Source[begin:]
	if line < len(f.lines) {
		whole = bytes.TrimSuffix(f.Source[begin:f.lines[line]], utf8BOM) // the next line's
	}
	whole = bytes.TrimRight(whole, "\r\n")
	if len(whole) <= limit {
		return string(whole), 1
	}
	// What follows a mark is of more use than what is before it.
	at := f.behindRunes(begin, column-1, begin+len(whole)) - begin
	start := max(0, at-limit/4)
	for start > 0 && start < at && !utf8.RuneStart(whole[start]) {
		start++
	}
	end := min(len(whole), start+limit)
	for end < len(whole) && end > at && !utf8.RuneStart(whole[end]) {
		end--
	}
	return string(whole[start:end]), 1 + f.runesBetween(begin, begin+start)
}

// linesBetween counts the parser's lines in a part of the file.
func (d *Document) linesBetween(start, end int) int {
	text := d.File.Source[start:end]
	if d.json || !hasOddBreaks(text) {
		return bytes.Count(text, []byte("\n"))
	}
	return len(yamlLines(text, 0, len(text))) - 1
}

// hasOddBreaks reports whether a text may hold line breaks that YAML counts and editors do not.
func hasOddBreaks(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) ||
		bytes.IndexByte(text, '\r') >= 0 && bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
}

func shiftLines(n *yaml.Node, by int) {
	if by == 0 {
		return
	}
	n.Line += by
	for _, c := range n.Content {
		shiftLines(c, by)
	}
}

// markWidth is the width of the byte order mark that a line begins with, 0 without one. It is no column: neither at the
// start of a file, nor where files were joined.
func markWidth(line []byte) int {
	if bytes.HasPrefix(line, utf8BOM) {
		return len(utf8BOM)
	}
	return 0
}

// yamlLines gives the offset of every line of the document as the parser counts them.
func yamlLines(src []byte, start, end int) []int {
	lines := []int{start}
	for i := start; i < end; {
		w := breakAt(src[:end], i)
		i += max(w, 1)
		if w > 0 {
			lines = append(lines, i+markWidth(src[i:end]))
		}
	}
	return lines
}

// breakAt is the width of the line break at offset i as the YAML parser counts lines, 0 when there is none. YAML 1.1
// also breaks lines at a lone carriage return, U+0085, U+2028 and U+2029, which editors do not.
func breakAt(b []byte, i int) int {
	switch b[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(b) && b[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2:
		if i+1 < len(b) && b[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(b) && b[i+1] == 0x80 && (b[i+2] == 0xA8 || b[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// lineLength is the length of the first line with its line end.
func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// lineText is the first line without its line end.
func lineText(b []byte) []byte {
	return bytes.TrimRight(b[:lineLength(b)], "\r\n")
}

// lineStart is where the line that holds at begins, behind a byte order mark.
func lineStart(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if w := markWidth(src[start:]); at >= start+w {
		return start + w
	}
	return start
}

// beginsLine says whether at is where its line begins. A line may be megabytes long: it does not look for its start.
func beginsLine(src []byte, at int) bool {
	if before := at - len(utf8BOM); before >= 0 && bytes.HasPrefix(src[before:], utf8BOM) {
		at = before
	}
	return at == 0 || src[at-1] == '\n'
}

// lineEnd is the offset behind the line that holds at, its line end included.
func lineEnd(src []byte, at int) int { return at + lineLength(src[at:]) }

// column counts the bytes in front of an offset in its line.
func column(src []byte, at int) int { return at - lineStart(src, at) }

// indentation counts the spaces and tabs at the start of the line that holds an offset.
func indentation(src []byte, at int) int {
	line := src[lineStart(src, at):]
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

// lineStart is where the line that holds an offset begins, and indentation what the function of that name tells. They
// look it up in a table: brackets may stand in a line of megabytes, a thousand of them.
func (l *layout) lineStart(at int) int {
	l.file.findLines()
	i, found := slices.BinarySearch(l.file.lines, at)
	if !found {
		i--
	}
	return l.file.lines[max(i, 0)]
}

func (l *layout) indentation(at int) int {
	line := l.src[l.lineStart(at):]
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}
