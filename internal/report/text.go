package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// maxAlike bounds how often a file's findings that say the same show their source; the rest are one line each.
const maxAlike = 3

// writeShort writes a line for each finding, or for those that are told together.
func writeShort(w *bufio.Writer, r *lint.Report, o Options) error {
	p := painter(o.Color)
	for _, g := range o.told(r) {
		writeHeader(w, g, r.Crowded[g[0].Pos.File], false, o, p)
	}
	return nil // a bufio.Writer keeps its error for Flush
}

// writeText writes the source line, related places and fixes of findings as well.
func writeText(w *bufio.Writer, r *lint.Report, o Options) error {
	type alike struct{ rule, file, message string }
	seen := map[alike]int{}
	p := painter(o.Color)
	told := originsOf(active(r))
	audited, of := r.Objects != nil && r.Objects.Audit, ""
	for _, g := range o.told(r) {
		if audited && g[0].Resource != of {
			of = g[0].Resource
			fmt.Fprintf(w, "%s\n", p.bold(text.Harmless(of)))
		}
		writeHeader(w, g, r.Crowded[g[0].Pos.File] && !(audited && g[0].Object == nil), true, o, p)
		key := alike{g[0].Rule.ID, g[0].Pos.File, g.told()}
		if seen[key]++; seen[key] <= maxAlike {
			writeDetails(w, g, o, told, p)
		} else if o.Copies {
			writeCopies(w, g, o, p)
		}
	}
	return nil
}

// writeHeader writes what findings that are told together say as one line: short, with colours.
// Of a file with several CRDs or objects, it names the one that it is about. Where no details follow, it has the place in Go types and the copies as well.
func writeHeader(w *bufio.Writer, g group, crowded, detailed bool, o Options, p painter) {
	f := g[0]
	message := g.told()
	about := about(f)
	if crowded && about != "" && !strings.Contains(message, about) {
		message = briefAbout(f) + ": " + message
	}
	if message = text.Harmless(message + o.request(f)); !detailed {
		message = o.withPlaces(message, g)
	}
	fmt.Fprintf(w, "%s: %s: %s [%s]\n", p.bold(where(f.Pos)), p.severity(f.Severity, f.Severity.String()), p.bold(message), o.linkedRule(f.Rule.ID))
}

// linkedRule is the id of a rule, which leads to its page in a terminal that knows OSC 8; others show the id alone.
func (o Options) linkedRule(id string) string {
	page := o.rulePage(id)
	if !o.Links || page == "" {
		return id
	}
	const begin, end = "\x1b]8;;", "\x1b\\"
	return begin + page + end + id + begin + end
}

// writeDetails writes the lines below that line: the source, the places of the others, related places, and the fix.
func writeDetails(w *bufio.Writer, g group, o Options, told *shownOrigins, p painter) {
	f := g[0]
	margin := marginOf(f)
	if source, before, width := excerpt(f); source != "" {
		fmt.Fprintf(w, "%s %s\n", p.dim(fmt.Sprintf("%*d |", len(margin), f.Pos.Line)), source)
		fmt.Fprintf(w, "%s %s%s\n", p.dim(margin+" |"), strings.Repeat(" ", before),
			p.severity(f.Severity, "^"+strings.Repeat("~", width-1)))
	}
	if others := o.otherObjects(g); others != "" {
		fmt.Fprintf(w, "%s %s %s\n", margin, p.dim("="), others)
	} else if lines := g.lineNumbers()[1:]; f.Object == nil && len(lines) > 0 {
		fmt.Fprintf(w, "%s %s also on %s %s\n", margin, p.dim("="), text.Verb(len(lines), "line", "lines"), text.Names(lines).Brief())
	}
	for _, other := range f.Related {
		fmt.Fprintf(w, "%s %s %s\n", margin, p.dim("= "+where(other.Pos)+":"), text.Harmless(other.Message))
	}
	if help := help(f); help != "" {
		fmt.Fprintf(w, "%s %s %s %s\n", margin, p.dim("="), p.help("help:"), help)
	}
	object, replay := shownBy(f)
	for i, line := range object {
		if i == 0 {
			line = p.dim("=") + " " + line
		}
		fmt.Fprintf(w, "%s %s\n", margin, line)
	}
	if replay != "" {
		fmt.Fprintf(w, "%s %s %s\n", margin, p.dim("="), replay)
	}
	writeOrigins(w, g, margin, told, p)
	writeCopies(w, g, o, p)
	fmt.Fprintln(w)
}

// marginOf is as wide as the line numbers beside a source.
func marginOf(f *lint.Finding) string {
	return strings.Repeat(" ", max(5, len(fmt.Sprint(f.Pos.Line))))
}

// writeCopies writes where copies have the same.
func writeCopies(w *bufio.Writer, g group, o Options, p painter) {
	for _, line := range o.alsoIn(g) {
		fmt.Fprintf(w, "%s %s %s\n", marginOf(g[0]), p.dim("="), line)
	}
}

// writeOrigins writes where Go types declare what findings are about. Those that are told together may be about several
// fields, of many of which the first are enough.
func writeOrigins(w *bufio.Writer, g group, margin string, told *shownOrigins, p painter) {
	places := g.byOrigin()
	for _, same := range places[:min(len(places), maxLines)] {
		lines := told.lines(same[0])
		if own := same.lineNumbers(); !slices.Equal(own, g.lineNumbers()) {
			lines[0] = "for " + text.Verb(len(own), "line", "lines") + " " + text.Names(own).Brief() + ": " + lines[0]
		}
		fmt.Fprintf(w, "%s %s %s %s\n", margin, p.dim("="), p.help("go:"), lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(w, "%s   %s\n", margin, line)
		}
	}
	if more := len(places) - maxLines; more > 0 {
		fmt.Fprintf(w, "%s %s %s %s\n", margin, p.dim("="), p.help("go:"), text.Count(more, "more place"))
	}
}

// A painter colours text, or does not. Its input has to be harmless already.
type painter bool

func (p painter) paint(s string, attributes ...color.Attribute) string {
	if !p {
		return s
	}
	c := color.New(attributes...)
	c.EnableColor() // the package's own default asks whether standard output is a terminal
	return c.Sprint(s)
}

func (p painter) bold(s string) string { return p.paint(s, color.Bold) }
func (p painter) dim(s string) string  { return p.paint(s, color.FgBlue) }
func (p painter) help(s string) string { return p.paint(s, color.FgGreen, color.Bold) }

func (p painter) severity(severity lint.Severity, s string) string {
	switch severity {
	case lint.Error:
		return p.paint(s, color.FgRed, color.Bold)
	case lint.Warning:
		return p.paint(s, color.FgYellow, color.Bold)
	}
	return p.paint(s, color.FgCyan, color.Bold)
}
