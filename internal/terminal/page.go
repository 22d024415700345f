package terminal

import (
	"strings"

	"github.com/fatih/color"
	"github.com/rivo/uniseg"

	"github.com/crdlift/crdlift/internal/text"
)

// pageWidth is how wide a rule's page is at most: lines of more are tiring to read, however wide the terminal is.
const pageWidth = 80

// A pageWriter writes the Markdown of a rule's page for people. It knows what such pages have: headings, paragraphs,
// lists, quotes, fenced code, and bold text, code and links within lines.
type pageWriter struct {
	strings.Builder
	bold, code func(string) string
	quoted     bool // code is in backticks, as it cannot be coloured
}

// Page writes a page as text, with colours or without. Without them, bold text looks like the rest.
func Page(markdown string, colored bool) string {
	plain := func(s string) string { return s }
	w := &pageWriter{bold: plain, code: plain, quoted: true}
	if colored {
		w.bold, w.code, w.quoted = Painter(color.Bold), Painter(color.FgCyan), false
	}
	w.blocks(strings.Split(strings.TrimRight(markdown, "\n"), "\n"))
	return w.String()
}

func Painter(attributes ...color.Attribute) func(string) string {
	c := color.New(attributes...)
	c.EnableColor()
	return func(s string) string { return c.Sprint(s) }
}

var (
	pageHeading = text.Pattern(`^#+ +`)
	pageMarker  = text.Pattern(`^(> ?|[-*] +|[0-9]+\. +)`)
)

func (w *pageWriter) blocks(lines []string) {
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
				w.WriteString(strings.TrimRight("    "+lines[i], " ") + "\n")
			}
		case strings.TrimSpace(line) == "":
			w.WriteString("\n")
		case pageHeading().MatchString(line):
			w.WriteString(w.bold(pageHeading().ReplaceAllString(line, "")) + "\n")
		default:
			// A paragraph, an item or a quote goes on until something else begins.
			marker := pageMarker().FindString(line)
			text := line[len(marker):]
			for i+1 < len(lines) && continues(lines[i+1], marker) {
				i++
				text += " " + strings.TrimSpace(strings.TrimPrefix(lines[i], strings.TrimSpace(marker)))
			}
			w.paragraph(marker, text)
		}
	}
}

// continues reports whether a line continues the block that the line above it, with its marker, has begun.
func continues(line, marker string) bool {
	if strings.HasPrefix(marker, ">") {
		return strings.HasPrefix(line, ">")
	}
	return strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "```") && !pageHeading().MatchString(line) && !pageMarker().MatchString(line)
}

// paragraph writes words in lines; those after the first hang below its text. A quote is indented and has no marker.
func (w *pageWriter) paragraph(marker, text string) {
	hang := strings.Repeat(" ", len(marker))
	if strings.HasPrefix(marker, ">") {
		marker, hang = "    ", "    "
	}
	w.WriteString(marker)
	column := len(marker)
	for i, word := range w.words(text) {
		width := uniseg.StringWidth(pageColour().ReplaceAllString(word, ""))
		switch {
		case i > 0 && column+1+width > pageWidth:
			w.WriteString("\n" + hang)
			column = len(hang)
		case i > 0:
			w.WriteString(" ")
			column++
		}
		w.WriteString(word)
		column += width
	}
	w.WriteString("\n")
}

var (
	// pageSpan matches markup within a line: code, bold text, a link.
	pageSpan   = text.Pattern("`[^`]+`|\\*\\*[^*]+\\*\\*|\\[[^\\]]+\\]\\([^)\\s]+\\)")
	pageColour = text.Pattern("\x1b\\[[0-9;]*m")
)

// hardSpace is a space within code, at which no line ends.
const hardSpace = "\x00"

// words splits a text at its spaces, but for those within code, and paints what is marked. Where a mark ends within a
// word, such as before a comma, the rest stays with it.
func (w *pageWriter) words(text string) []string {
	words := strings.Fields(pageSpan().ReplaceAllStringFunc(text, func(span string) string {
		switch span[0] {
		case '`':
			if !w.quoted {
				span = strings.Trim(span, "`")
			}
			return w.code(strings.ReplaceAll(span, " ", hardSpace))
		case '*':
			bold := strings.Fields(strings.Trim(span, "*"))
			for i, word := range bold {
				bold[i] = w.bold(word)
			}
			return strings.Join(bold, " ")
		}
		title, target, _ := strings.Cut(strings.Trim(span, "[)"), "](")
		return title + " (" + target + ")"
	}))
	for i, word := range words {
		words[i] = strings.ReplaceAll(word, hardSpace, " ")
	}
	return words
}
