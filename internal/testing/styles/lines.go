package styles

import (
	"bytes"
	"fmt"
	"strings"
)

// ofLines are changes of single lines, and of how lines end.
var ofLines = []change{
	{"a comment on its own line", func(t *text) []byte {
		lines := t.lines()
		i := t.r.IntN(len(lines))
		indent := len(lines[i]) - len(bytes.TrimLeft(lines[i], " "))
		if t.r.IntN(3) == 0 {
			indent = t.r.IntN(12)
		}
		return t.before(i, strings.Repeat(" ", indent)+t.comment()+"\n")
	}},
	{"a comment at the end of a line", func(t *text) []byte {
		return t.atEnd(t.one(" ", "  ", "\t") + t.comment())
	}},
	{"blank lines", func(t *text) []byte {
		return t.before(t.r.IntN(len(t.lines())), t.one("\n", "\n\n", "   \n"))
	}},
	{"blanks at the end of a line", func(t *text) []byte { return t.atEnd(t.one(" ", "   ", "\t")) }},
	{"more indentation", func(t *text) []byte {
		lines := t.lines()
		i := t.r.IntN(len(lines))
		by := []byte(strings.Repeat(" ", 1+t.r.IntN(3)))
		indent := len(lines[i]) - len(bytes.TrimLeft(lines[i], " "))
		for j := i; j < len(lines); j++ { // the line, and all up to the next that is less indented
			if bare := bytes.TrimSpace(lines[j]); len(bare) > 0 {
				if len(lines[j])-len(bytes.TrimLeft(lines[j], " ")) < indent {
					break
				}
				lines[j] = append(by[:len(by):len(by)], lines[j]...)
			}
		}
		return bytes.Join(lines, nil)
	}},
	{"more blanks behind a colon", func(t *text) []byte {
		return t.inLine(": ", t.one(":   ", ":  \t"))
	}},
	{"more blanks behind a dash", func(t *text) []byte { return t.inLine("- ", "-  ") }},
	{"a blank in front of a comma", func(t *text) []byte { return t.inLine(",", " ,") }},
	{"a blank in front of a colon", func(t *text) []byte { return t.inLine(":", " :") }},
	{"a line break behind a comma", func(t *text) []byte { return t.inLine(", ", t.one(",\n        ", ", "+t.comment()+"\n        ")) }},
	{"CRLF", func(t *text) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(t.src, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}},
	{"another line end", func(t *text) []byte { return t.atEnd("\r") }},
	{"a byte order mark", func(t *text) []byte {
		return append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(t.src, []byte("\xef\xbb\xbf"))...)
	}},
	{"no line end at the end", func(t *text) []byte { return bytes.TrimRight(t.src, "\r\n") }},
}

// comment makes one that no other text of the file is.
func (t *text) comment() string {
	return fmt.Sprintf("#%s comment %d", t.one(" a", "a", "# a: b,", " é {", " ---", " - [x] \"", "\tc"), t.r.IntN(1_000_000))
}

// before puts a text before a line.
func (t *text) before(line int, what string) []byte {
	lines := t.lines()
	at := len(bytes.Join(lines[:line], nil))
	return t.with(at, at, what)
}

// atEnd puts a text at the end of a line.
func (t *text) atEnd(what string) []byte {
	lines := t.lines()
	i := t.r.IntN(len(lines))
	at := len(bytes.Join(lines[:i], nil)) + len(bytes.TrimRight(lines[i], "\r\n"))
	return t.with(at, at, what)
}

// inLine replaces a text somewhere.
func (t *text) inLine(old, by string) []byte {
	count := bytes.Count(t.src, []byte(old))
	if count == 0 {
		return nil
	}
	at := 0
	for range t.r.IntN(count) {
		at += bytes.Index(t.src[at:], []byte(old)) + len(old)
	}
	at += bytes.Index(t.src[at:], []byte(old))
	return t.with(at, at+len(old), by)
}
