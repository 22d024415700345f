package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	charWidth = 7.8  // in pixels; textLength holds fonts of other widths to it
	lineStep  = 19.0 // in pixels
	margin    = 16.0
	titleBar  = 30.0
)

// classes are the colours that crdlift and editors use, by their ANSI codes. Bright ones look like the others.
var classes = map[string]string{
	"31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "magenta", "36": "cyan",
	"91": "red", "92": "green", "93": "yellow", "94": "blue", "95": "magenta", "96": "cyan",
}

const style = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dae0;white-space:pre}` +
	`.b{font-weight:700}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79a8ff}.magenta{fill:#d2a8ff}.cyan{fill:#56d4dd}.u{text-decoration:underline}`

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// A look is how text is shown.
type look struct {
	bold, underlined bool
	colour           string
}

// A part is text of one look.
type part struct {
	look look
	text string
}

// draw makes an SVG of what is on a screen, whose colours are ANSI escapes. It is as wide as the longest line, so that nothing breaks.
func draw(title, screen string) []byte {
	var lines [][]part
	var now look
	columns := 0
	for line := range strings.SplitSeq(strings.TrimRight(screen, "\n"), "\n") {
		lines = append(lines, now.parts(line))
		columns = max(columns, utf8.RuneCountInString(escape.ReplaceAllString(line, "")))
	}
	width, height := 2*margin+float64(columns)*charWidth, titleBar+2*margin+float64(len(lines))*lineStep
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]g %[2]g" role="img">`+"\n", width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(title), style)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="8" fill="#1e2227"/>`+"\n", width, height)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="5.5" fill="%s"/>`+"\n", 20+18*i, color)
	}
	for i, parts := range lines {
		y, column := titleBar+margin+float64(i)*lineStep+lineStep/2, 0
		for _, r := range parts {
			n := utf8.RuneCountInString(r.text)
			if strings.TrimSpace(r.text) != "" {
				attribute := ""
				if class := r.look.class(); class != "" {
					attribute = fmt.Sprintf(` class="%s"`, class)
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

// parts splits a line at its escapes. The look is that at the beginning of the line, and becomes that at its end.
func (l *look) parts(line string) (all []part) {
	at := 0
	for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
		if m[0] > at {
			all = append(all, part{*l, line[at:m[0]]})
		}
		at = m[1]
		for code := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			l.take(code)
		}
	}
	if at < len(line) {
		all = append(all, part{*l, line[at:]})
	}
	return all
}

// take changes a look by the code of an escape.
func (l *look) take(code string) {
	switch {
	case code == "", code == "0":
		*l = look{}
	case code == "1", code == "22":
		l.bold = code == "1"
	case code == "4", code == "24":
		l.underlined = code == "4"
	case code == "39":
		l.colour = ""
	case classes[code] != "":
		l.colour = classes[code]
	}
}

// class is the classes of a look.
func (l look) class() string {
	var all []string
	if l.bold {
		all = append(all, "b")
	}
	if l.underlined {
		all = append(all, "u")
	}
	if l.colour != "" {
		all = append(all, l.colour)
	}
	return strings.Join(all, " ")
}
