package lines

import "bytes"

// YAML lists the offset of every line in a part of a text as a YAML parser counts them.
func YAML(src []byte, start, end int) []int {
	text := src[start:end]
	lines := append(make([]int, 0, bytes.Count(text, []byte("\n"))+1), start)
	if !HaveOddBreaks(text) {
		for i := start; ; {
			n := bytes.IndexByte(src[i:end], '\n')
			if n < 0 {
				return lines
			}
			i += n + 1
			lines = append(lines, i+MarkWidth(src[i:end]))
		}
	}
	for i := start; i < end; {
		w := breakAt(src[:end], i)
		i += max(w, 1)
		if w > 0 {
			lines = append(lines, i+MarkWidth(src[i:end]))
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

// HaveOddBreaks reports whether a text may hold line breaks that YAML counts and editors do not.
func HaveOddBreaks(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) ||
		bytes.IndexByte(text, '\r') >= 0 && bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
}
