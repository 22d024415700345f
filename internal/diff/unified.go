// Package diff prints the difference between two versions of a file, line by line, for readers and for `git apply`.
//
// Read unified.go first: it prints, and has the difference for programs. align.go finds the lines that stayed.
package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// contextLines surround each change in a unified diff.
const contextLines = 3

// Unified returns the difference of two versions of a file as a unified diff that `git apply` and `patch -p1` take;
// nil without one. The names go into the header, quoted as git does where need be; the prefixes a/ and b/ are
// the caller's. The result depends on the arguments only.
func Unified(oldName, newName string, old, new []byte) []byte {
	if bytes.Equal(old, new) {
		return nil
	}
	a, b := lines(old), lines(new)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", headerName(oldName), headerName(newName))
	for _, h := range hunks(changes(a, b), len(a)) {
		h.print(&out, a, b)
	}
	return out.Bytes()
}

// lines cuts a text after each line feed. A carriage return belongs to its line.
func lines(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }

// A hunk is the changes that share context lines.
type hunk struct {
	changes       []change
	before, after int // context lines before the first change and after the last
}

// hunks groups changes. The old file has n lines.
func hunks(all []change, n int) []hunk {
	var found []hunk
	for k, c := range all {
		if k > 0 && c.a0-all[k-1].a1 <= 2*contextLines {
			last := &found[len(found)-1]
			last.changes = append(last.changes, c)
		} else {
			found = append(found, hunk{changes: []change{c}, before: min(contextLines, c.a0)})
		}
		found[len(found)-1].after = min(contextLines, n-c.a1)
	}
	return found
}

func (h hunk) print(out *bytes.Buffer, a, b []string) {
	first, last := h.changes[0], h.changes[len(h.changes)-1]
	at := first.a0 - h.before
	fmt.Fprintf(out, "@@ -%s +%s @@\n",
		lineRange(at, last.a1+h.after), lineRange(first.b0-h.before, last.b1+h.after))
	for _, c := range h.changes {
		printLines(out, ' ', a[at:c.a0])
		printLines(out, '-', a[c.a0:c.a1])
		printLines(out, '+', b[c.b0:c.b1])
		at = c.a1
	}
	printLines(out, ' ', a[at:at+h.after])
}

// lineRange is a hunk's place in one of the files. An empty one is named by the line before it.
func lineRange(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(end)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func printLines(out *bytes.Buffer, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// headerName writes a file name as git does: in quotes with C's escapes if a character of it would end the name or
// upset a terminal, and with a tab after it if it has a space, where the name would end otherwise.
func headerName(name string) string {
	odd := func(r rune) bool { return r == '"' || r == '\\' || r == utf8.RuneError || !unicode.IsPrint(r) }
	if !strings.ContainsFunc(name, odd) {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, r := range []byte(name) {
		switch {
		case r == '"' || r == '\\':
			quoted.WriteByte('\\')
			quoted.WriteByte(r)
		case r < ' ' || r >= 0x7f:
			fmt.Fprintf(&quoted, `\%03o`, r)
		default:
			quoted.WriteByte(r)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// An Edit replaces a part of a text, from one offset in bytes to another.
type Edit struct {
	Start, End int // End is exclusive
	New        string
}

// Edits returns the edits, of whole lines and in order, that turn a text into another.
func Edits(old, new []byte) (edits []Edit) {
	a, b := lines(old), lines(new)
	offset, line := 0, 0
	after := func(n int) int {
		for ; line < n; line++ {
			offset += len(a[line])
		}
		return offset
	}
	for _, c := range changes(a, b) {
		edits = append(edits, Edit{after(c.a0), after(c.a1), strings.Join(b[c.b0:c.b1], "")})
	}
	return edits
}
