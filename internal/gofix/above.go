package gofix

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/lines"
)

// above returns the edits that make a change of the markers of a declaration. New ones stand below the last that is there,
// or else directly above the declaration, which is below its documentation.
func (f *source) above(d gotypes.Declaration, c change) (edits []edit, err error) {
	for i, m := range d.Markers {
		to, ok := c.replace[i]
		if !ok {
			continue
		}
		start, line := f.comment(m)
		if to != "" {
			sign := bytes.IndexByte(f.text[start:], '+')
			edits = append(edits, edit{lines.Span{Start: start + sign, End: line.Start + len(lines.Text(f.text[line.Start:line.End]))}, to})
			continue
		}
		if !blank(f.text[line.Start:start]) {
			return nil, fmt.Errorf("something stands before the marker %s on its line", brief(m.Text))
		}
		edits = append(edits, edit{line, ""})
	}
	if len(c.add) == 0 {
		return edits, nil
	}
	at, model, err := f.newLine(d)
	if err != nil {
		return nil, err
	}
	var added strings.Builder
	for _, text := range c.add {
		added.WriteString(model.indentation + model.comment + text + model.end)
	}
	return append(edits, edit{lines.Span{Start: at, End: at}, added.String()}), nil
}

// comment returns where the comment of a marker begins, and its line.
func (f *source) comment(m gotypes.Marker) (start int, line lines.Span) {
	start, _ = f.table.Offset(m.Pos.Line, m.Pos.Column)
	return start, lines.Span{Start: f.table.LineStart(start), End: lines.End(f.text, start)}
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// A style is how the line of a new marker is written.
type style struct{ indentation, comment, end string }

// newLine returns where the lines of new markers begin, and their style.
func (f *source) newLine(d gotypes.Declaration) (at int, s style, err error) {
	if n := len(d.Markers); n > 0 {
		start, line := f.comment(d.Markers[n-1])
		if blank(f.text[line.Start:start]) {
			return line.End, f.styleOf(line, slashes(f.text[start:])), nil
		}
	}
	line := lines.Span{Start: f.table.LineStart(d.Begin), End: lines.End(f.text, d.Begin)}
	if !blank(f.text[line.Start:d.Begin]) {
		return 0, style{}, fmt.Errorf("something stands before %s on its line; put it on a line of its own", d.Name)
	}
	return line.Start, f.styleOf(line, f.habit()), nil
}

// styleOf returns the style of a line, with the beginning of a comment.
func (f *source) styleOf(line lines.Span, comment string) style {
	text := f.text[line.Start:line.End]
	end := "\n"
	if bytes.HasSuffix(text, []byte("\r\n")) {
		end = "\r\n"
	}
	return style{string(text[:lines.Indentation(text)]), comment, end}
}

// slashes returns how a marker begins: "// " or "//".
func slashes(marker []byte) string {
	if bytes.HasPrefix(marker, []byte("//+")) {
		return "//"
	}
	return "// "
}

// habit returns how most markers of the file begin.
func (f *source) habit() string {
	close := 0
	for _, d := range f.All {
		for _, m := range d.Markers {
			if start, _ := f.comment(m); slashes(f.text[start:]) == "//" {
				close++
			} else {
				close--
			}
		}
	}
	if close > 0 {
		return "//"
	}
	return "// "
}
