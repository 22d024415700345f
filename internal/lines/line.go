// Package lines finds where the lines of a manifest's text begin and end, and their text: for editors, and for YAML,
// which ends lines at more characters than editors do. It knows neither documents nor nodes.
//
// Read line.go first, for one line; then yaml.go, and table.go with columns.go for the positions in a whole text.
package lines

import (
	"bytes"
	"strings"
)

// BOM is the byte order mark of UTF-8. It does not count as a column: neither at the start of a file, nor where files
// were joined.
const BOM = "\xef\xbb\xbf"

// A Span is a range of bytes; End is exclusive.
type Span struct{ Start, End int }

// Length is the length of the first line with its line end.
func Length(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// Text is the first line without its line end.
func Text(b []byte) []byte {
	return bytes.TrimRight(b[:Length(b)], "\r\n")
}

// Break is what the first line ends in, "\n" where there is only one.
func Break(b []byte) string {
	if bytes.HasSuffix(b[:Length(b)], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// Start is where the line that holds at begins, after a byte order mark.
func Start(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if w := MarkWidth(src[start:]); at >= start+w {
		return start + w
	}
	return start
}

// Begins reports whether at is where its line begins. A line may be megabytes long: it does not look for its start.
func Begins(src []byte, at int) bool {
	if before := at - len(BOM); before >= 0 && bytes.HasPrefix(src[before:], []byte(BOM)) {
		at = before
	}
	return at == 0 || src[at-1] == '\n'
}

// End is the offset after the line that holds at, its line end included.
func End(src []byte, at int) int { return at + Length(src[at:]) }

// Column counts the bytes before an offset in its line.
func Column(src []byte, at int) int { return at - Start(src, at) }

// Indentation counts the spaces and tabs at the start of a line.
func Indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// MarkWidth is the width of the byte order mark that a line begins with, 0 without one.
func MarkWidth(line []byte) int {
	if bytes.HasPrefix(line, []byte(BOM)) {
		return len(BOM)
	}
	return 0
}

// IsMarker reports whether a line is a document marker: at the very start, followed by white space or nothing.
func IsMarker(line []byte, marker string) bool {
	if !bytes.HasPrefix(line, []byte(marker)) {
		return false
	}
	rest := line[len(marker):]
	return len(rest) == 0 || IsSpace(rest[0])
}

// IsBlankOrComment reports whether a line holds nothing, or only a comment.
func IsBlankOrComment(line []byte) bool {
	for _, b := range line {
		if !IsSpace(b) {
			return b == '#'
		}
	}
	return true
}

// IsSpace reports whether a byte is white space of YAML.
func IsSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// IsFoldable reports whether a character may fold to a single space in a scalar of several lines.
func IsFoldable(r rune) bool { return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029\ufeff", r) }
