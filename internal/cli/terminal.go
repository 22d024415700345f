package cli

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// isTerminal reports whether somebody watches what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// wantsColor follows no-color.org and force-color.org; NO_COLOR wins.
func wantsColor(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("FORCE_COLOR"); force != "" && force != "0" && force != "false" {
		return true
	}
	return isTerminal(w)
}

// harmless writes out what a terminal would obey or hide: control characters, bytes that are not UTF-8, characters
// without a shape such as those that turn the writing direction. File names and manifests come from anywhere.
func harmless(s string) string {
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

// colorDiff prepares a unified diff for a person's eyes. It cannot be applied any more.
func colorDiff(diff []byte) []byte {
	var out bytes.Buffer
	paint := func(line string, attributes ...color.Attribute) {
		c := color.New(attributes...)
		c.EnableColor()
		out.WriteString(c.Sprint(line))
		out.WriteByte('\n')
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(diff), "\n"), "\n") {
		line = harmlessText(line)
		switch {
		case i < 2:
			paint(line, color.Bold)
		case strings.HasPrefix(line, "@@"):
			paint(line, color.FgCyan)
		case strings.HasPrefix(line, "-"):
			paint(line, color.FgRed)
		case strings.HasPrefix(line, "+"):
			paint(line, color.FgGreen)
		default:
			out.WriteString(line + "\n")
		}
	}
	return out.Bytes()
}

// harmlessText is harmless for a line of a file, in which tabs are indentation and a carriage return ends the line.
func harmlessText(line string) string {
	parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
	for i, part := range parts {
		parts[i] = harmless(part)
	}
	return strings.Join(parts, "\t")
}
