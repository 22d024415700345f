package complete

import (
	"strconv"
	"strings"
)

// A draft is a snippet that is written.
type draft struct {
	strings.Builder
	stops int
}

// inSnippet escapes what is not text in a snippet.
var inSnippet = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// inChoice escapes what is not text in a choice.
var inChoice = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`, `,`, `\,`, `|`, `\|`)

func (d *draft) text(s string) { d.WriteString(inSnippet.Replace(s)) }

// line begins a line.
func (d *draft) line(indent int) { d.WriteString("\n" + strings.Repeat(" ", max(0, indent))) }

// stop is a place for the cursor, with a text that is there at first or a choice of some.
func (d *draft) stop(text string, choices []string) {
	d.stops++
	n := strconv.Itoa(d.stops)
	switch {
	case len(choices) > 1:
		for i := range choices {
			choices[i] = inChoice.Replace(choices[i])
		}
		d.WriteString("${" + n + "|" + strings.Join(choices, ",") + "|}")
	case len(choices) == 1:
		d.WriteString("${" + n + ":" + inSnippet.Replace(choices[0]) + "}")
	case text != "":
		d.WriteString("${" + n + ":" + inSnippet.Replace(text) + "}")
	default:
		d.WriteString("${" + n + "}")
	}
}
