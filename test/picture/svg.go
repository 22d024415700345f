package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	columns   = 144  // longer lines are broken, as a terminal of this width does
	charWidth = 7.8  // in pixels; textLength holds fonts of other widths to it
	lineStep  = 19.0 // in pixels
	margin    = 16.0
	titleBar  = 30.0
)

// classes are the colours that crdlift uses, by their ANSI codes.
var classes = map[string]string{"1": "b", "31": "red", "32": "green", "33": "yellow", "34": "blue", "36": "cyan"}

const style = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dae0;white-space:pre}` +
	`.b{font-weight:700}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79a8ff}.cyan{fill:#56d4dd}`

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// A run is text of one look.
type run struct {
	class, text string
}

// draw makes an SVG of a command and of what it printed, whose colours are ANSI escapes.
func draw(command, printed string) []byte {
	lines := [][]run{{{"b", command}}, nil}
	class := ""
	for line := range strings.SplitSeq(strings.TrimRight(printed, "\n"), "\n") {
		var runs []run
		runs, class = look(line, class)
		lines = append(lines, wrap(runs)...)
	}
	width, height := 2*margin+columns*charWidth, titleBar+2*margin+float64(len(lines))*lineStep
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]g %[2]g" role="img">`+"\n", width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString("A terminal: "+command), style)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="8" fill="#1e2227"/>`+"\n", width, height)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="5.5" fill="%s"/>`+"\n", 20+18*i, color)
	}
	for i, runs := range lines {
		y, column := titleBar+margin+float64(i)*lineStep+lineStep/2, 0
		for _, r := range runs {
			n := utf8.RuneCountInString(r.text)
			if strings.TrimSpace(r.text) != "" {
				attribute := ""
				if r.class != "" {
					attribute = fmt.Sprintf(` class="%s"`, r.class)
				}
				fmt.Fprintf(&b, `<text%s x="%.1f" y="%g" textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
					attribute, margin+float64(column)*charWidth, y, float64(n)*charWidth, html.EscapeString(r.text))
			}
			column += n
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// look splits a line at its escapes. The class is the look that the line begins with, and the one that it ends with.
func look(line, class string) ([]run, string) {
	var runs []run
	at := 0
	for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
		if m[0] > at {
			runs = append(runs, run{class, line[at:m[0]]})
		}
		at = m[1]
		var names []string
		for code := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			if name := classes[code]; name != "" {
				names = append(names, name)
			}
		}
		class = strings.Join(names, " ") // every escape of crdlift begins or ends a look
	}
	if at < len(line) {
		runs = append(runs, run{class, line[at:]})
	}
	return runs, class
}

// wrap breaks a line that is wider than the terminal.
func wrap(runs []run) [][]run {
	lines, column := [][]run{nil}, 0
	for _, r := range runs {
		for text := []rune(r.text); len(text) > 0; {
			if column == columns {
				lines, column = append(lines, nil), 0
			}
			n := min(len(text), columns-column)
			last := len(lines) - 1
			lines[last] = append(lines[last], run{r.class, string(text[:n])})
			text, column = text[n:], column+n
		}
	}
	return lines
}
