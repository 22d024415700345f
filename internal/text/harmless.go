package text

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Harmless escapes text that a terminal would interpret or hide: control characters, bytes that are not UTF-8,
// characters without a shape such as those that turn the writing direction; and commands to the runner of GitHub
// Actions. File names and manifests come from anywhere.
func Harmless(s string) string {
	s = noCommand(s)
	odd := func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }
	if !strings.ContainsFunc(s, odd) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// CommandSign and OldCommandSign are how commands begin. The runner looks for them in every line that a step prints: "::" where the line begins, spaces aside, and the
// older "##[" anywhere; actions/runner's ActionCommand.TryParseV2 and TryParse.
const (
	CommandSign    = "::"
	OldCommandSign = "##["
)

// noCommand escapes the first character of a text that the runner would take for a command if it were on a line of its
// own.
func noCommand(s string) string {
	if rest := strings.TrimLeft(s, " "); strings.HasPrefix(rest, CommandSign) {
		s = s[:len(s)-len(rest)] + `\x3a` + rest[1:]
	}
	return strings.ReplaceAll(s, OldCommandSign, `\x23`+OldCommandSign[1:])
}

// HarmlessLines is Harmless for a text of several lines.
func HarmlessLines(text string) string { return harmlessBetween(text, "\n") }

// HarmlessText is Harmless for a line of a file, in which tabs are indentation and a carriage return ends the line.
func HarmlessText(line string) string { return harmlessBetween(strings.TrimSuffix(line, "\r"), "\t") }

func harmlessBetween(text, separator string) string {
	parts := strings.Split(text, separator)
	for i, part := range parts {
		parts[i] = Harmless(part)
	}
	return strings.Join(parts, separator)
}

// HarmlessJSON is Harmless for encoded JSON: it writes the same characters as JSON escapes, so that a program reads the
// same strings. No line of it begins with a string's text.
func HarmlessJSON(encoded []byte) []byte {
	encoded = bytes.ReplaceAll(encoded, []byte(OldCommandSign), []byte(`\u0023`+OldCommandSign[1:]))
	odd := func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }
	if !bytes.ContainsFunc(encoded, odd) {
		return encoded
	}
	out := make([]byte, 0, len(encoded)+len(encoded)/16)
	for _, r := range string(encoded) {
		switch {
		case !odd(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// WithoutNULs is a text whose ASCII characters can be searched for, in UTF-16 as well: without bytes that are 0. A text that
// has none is not copied.
func WithoutNULs(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, nil)
}

// PanicAt is the place in the source that panicked, by the stack that a deferred function has: the first frame below the
// runtime's.
func PanicAt(stack []byte) string {
	_, below, ok := strings.Cut(string(stack), "\npanic(")
	if !ok {
		return "unknown place"
	}
	for i, line := range strings.Split(below, "\n") {
		if i > 1 && strings.HasPrefix(line, "\t") {
			place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			return filepath.Base(filepath.Dir(place)) + "/" + filepath.Base(place)
		}
	}
	return "unknown place"
}
