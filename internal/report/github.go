package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// maxAnnotations is how many errors, warnings and notices of a step GitHub shows, of each;
// https://docs.github.com/en/actions/reference/limits does not say so, actions/runner's ExecutionContext.AddIssue does.
const maxAnnotations = 10

var githubLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}

// writeGitHub writes workflow commands. GitHub reads the first ten of each level and drops the rest without a word, so
// that is said in front, where it is read.
func writeGitHub(w *bufio.Writer, r *lint.Report, o Options) error {
	inGo := func(f *lint.Finding) bool { return ShownInGo(f) && o.GoLocation != lint.GoRelated }
	findings := active(r)
	groups := placed(append(findings, atCRDs(findings)...), inGo)
	var first []*lint.Finding
	for _, g := range groups {
		first = append(first, g[0])
	}
	if note := dropped(first); note != "" {
		fmt.Fprintf(w, "::notice title=crdlift::%s\n", commandData(note))
	}
	for _, g := range groups {
		f := g[0]
		pos, places := f.Pos, g.origins()
		if inGo(f) {
			pos, places = f.Origin.Pos, placesOfGo(g)
		}
		lines := slices.Concat(toldAt(r, g, pos), places, o.alsoIn(g))
		if page := o.rulePage(f.Rule.ID); page != "" {
			lines = append(lines, page)
		}
		fmt.Fprintf(w, "::%s %s::%s\n", githubLevels[f.Severity], githubProperties(f.Rule.ID, pos), commandData(strings.Join(lines, "\n")))
	}
	return nil
}

// placed are the findings that people are told of together, of one place each: an annotation has but one. Those in Go types
// are told of together if the same has to be done there for all of them.
func placed(findings []*lint.Finding, inGo func(*lint.Finding) bool) []group {
	type place struct {
		first    *lint.Finding
		pos      lint.Position
		rule     string // this and the rest: of those in Go types
		severity lint.Severity
		origin   string
	}
	first := map[*lint.Finding]*lint.Finding{}
	for _, g := range folded(findings) {
		for _, f := range g {
			first[f] = g[0]
		}
	}
	return ordered.Grouped(group(findings), func(f *lint.Finding) place {
		if inGo(f) {
			return place{nil, f.Origin.Pos, f.Rule.ID, f.Severity, origin(f.Origin)}
		}
		return place{first: first[f], pos: f.Pos}
	})
}

// placesOfGo are for an annotation of a line in Go types: the markers to put there, and where the manifests have what is found.
func placesOfGo(g group) []string {
	var places []string
	for _, f := range g[:min(len(g), maxLines)] {
		places = append(places, where(f.Pos))
	}
	return append(originsOf(g).lines(g[0]), "manifest: "+strings.Join(places, ", ")+text.More(len(g)-len(places), " and %d more"))
}

// toldAt is the message with its place, which the log of a step does not show otherwise, and with advice.
func toldAt(r *lint.Report, g group, at lint.Position) []string {
	lines := adviceIn(r, g)
	lines[0] = where(at) + ": " + lines[0]
	return lines
}

// adviceIn is the message with advice, but for places that the reader of a pull request cannot open, such as those of a revision: of
// these, the old value is told, where the message does not have it. Those that an object is judged by, or a
// case, are told wherever they are: the message does not say what is there.
func adviceIn(r *lint.Report, g group) []string {
	f := g[0]
	here := *f
	here.Related = nil
	for _, other := range g.related() {
		if f.Object != nil || f.Suite != "" || slices.Contains(r.Files, other.Pos.File) {
			here.Related = append(here.Related, other)
		}
	}
	lines := append([]string{text.Harmless(brief(f))}, adviceHere(&here)...)
	if g.count() > 1 {
		lines[0] = text.Harmless(g.told())
	} else if f.Old != nil {
		if old, err := json.Marshal(f.Old); err == nil && !strings.Contains(f.Message, string(old)) {
			lines = append(lines, "before: "+text.Harmless(text.Value(string(old)).Brief()))
		}
	}
	return lines
}

// dropped returns what GitHub will not show, given the first finding of each annotation; "" when it shows all.
func dropped(findings []*lint.Finding) string {
	count := map[lint.Severity]int{}
	over := false
	for _, f := range findings {
		count[f.Severity]++
		over = over || count[f.Severity] > maxAnnotations
	}
	if !over {
		return ""
	}
	hidden := max(0, count[lint.Error]-maxAnnotations) + max(0, count[lint.Warning]-maxAnnotations) +
		max(0, count[lint.Info]-(maxAnnotations-1)) // the note is a notice itself
	return fmt.Sprintf("GitHub shows %d annotations of each level: of %s, %d are only in the log of this step",
		maxAnnotations, counts(findings), hidden)
}

// githubProperties returns the place of an annotation. GitHub takes columns within one line only, and its ends are
// inclusive.
func githubProperties(title string, pos lint.Position) string {
	line := pos.EndLine
	if line > pos.Line && pos.EndColumn == 1 {
		line--
	}
	columns := ""
	if line == pos.Line {
		columns = fmt.Sprintf(",col=%d", pos.Column)
		if pos.EndLine == pos.Line {
			columns += fmt.Sprintf(",endColumn=%d", max(pos.Column, pos.EndColumn-1))
		}
	}
	return fmt.Sprintf("file=%s,line=%d,endLine=%d%s,title=%s", commandProperty(pos.File), pos.Line, line, columns, commandProperty(title))
}

// The escapes are those of actions/toolkit's command.ts; the runner knows no others.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// commandData escapes the message of a command, lines of which may be several.
func commandData(s string) string { return dataEscapes.Replace(text.HarmlessLines(s)) }

// commandProperty escapes a property of a command. A line end is written out by Harmless.
func commandProperty(s string) string { return propertyEscapes.Replace(text.Harmless(s)) }
