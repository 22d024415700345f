// Package terminal writes for people who watch: it knows where they do, and has colours, pages and progress for them.
package terminal

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"

	"github.com/crdlift/crdlift/internal/text"
)

// Is reports whether a writer is a terminal.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// WantsColor follows no-color.org and force-color.org; NO_COLOR wins.
func WantsColor(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("FORCE_COLOR"); force != "" && force != "0" && force != "false" {
		return true
	}
	return Is(w)
}

// Diff prepares a unified diff for a person's eyes. It cannot be applied any more.
func Diff(diff []byte) []byte {
	var out bytes.Buffer
	for i, line := range strings.Split(strings.TrimSuffix(string(diff), "\n"), "\n") {
		line = text.HarmlessText(line)
		switch {
		case i < 2:
			line = Painter(color.Bold)(line)
		case strings.HasPrefix(line, "@@"):
			line = Painter(color.FgCyan)(line)
		case strings.HasPrefix(line, "-"):
			line = Painter(color.FgRed)(line)
		case strings.HasPrefix(line, "+"):
			line = Painter(color.FgGreen)(line)
		}
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}
