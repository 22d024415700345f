package report

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// maxObjectLines bounds how many lines of the object of a finding people are shown. Outputs for programs have all of it.
const maxObjectLines = 40

// shownBy returns the object whose conversion shows a finding, in YAML and with words before it, and how to see it again; nothing
// for other findings.
func shownBy(f *lint.Finding) (object []string, replay string) {
	if !f.Rule.Conversion {
		return nil, ""
	}
	if f.Witness != nil {
		object = append([]string{"the smallest object:"}, objectLines(f.Witness)...)
	}
	if f.Replay != "" {
		replay = "replay: " + text.Harmless(f.Replay)
	}
	return object, replay
}

// shownByInTable is that for a cell of a table in Markdown.
func shownByInTable(f *lint.Finding) (all []string) {
	object, replay := shownBy(f)
	for i, line := range object {
		object[i] = EscapeMarkdown(strings.TrimPrefix(line, "    "))
	}
	if len(object) > 0 {
		all = append(all, object[0], "<pre>"+strings.Join(object[1:], "<br>")+"</pre>")
	}
	if replay != "" {
		all = append(all, EscapeMarkdown(replay))
	}
	return all
}

// objectLines are the lines of an object in YAML, indented, and cut where it is long.
func objectLines(object any) []string {
	src, err := yaml.Marshal(object)
	if err != nil {
		return []string{"    " + text.Harmless(err.Error())}
	}
	all := strings.Split(strings.TrimRight(string(src), "\n"), "\n")
	lines := all[:min(len(all), maxObjectLines)]
	for i, line := range lines {
		runes := []rune(line)
		if len(runes) > maxWidth {
			line = string(runes[:maxWidth]) + ellipsis
		}
		lines[i] = "    " + text.HarmlessText(line)
	}
	if more := len(all) - len(lines); more > 0 {
		lines = append(lines[:len(lines):len(lines)], "    # "+text.Count(more, "more line"))
	}
	return lines
}

// conversionSummary is Summary for a run that tests conversions: "3 errors, 1 warning; tested the conversion of 2 CRDs, passed over
// 4".
func conversionSummary(r *lint.Report) string {
	summary := found(r) + fmt.Sprintf("; tested the conversion of %s", text.Count(r.Conversions.Tested, "CRD"))
	if over := r.Conversions.PassedOver; over > 0 {
		summary += fmt.Sprintf(", skipped %d", over)
	}
	return summary
}
