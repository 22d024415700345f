package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// writeStatistics writes a table of how often each rule speaks at a severity, and how many of its findings can be fixed:
// the rules with the most findings first.
func writeStatistics(w *bufio.Writer, r *lint.Report, p painter) {
	type key struct {
		rule     string
		severity lint.Severity
	}
	all := grouped[group](active(r), func(f *lint.Finding) key { return key{f.Rule.ID, f.Severity} })
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b group) int {
		return cmp.Or(len(b)-len(a), int(b[0].Severity-a[0].Severity), cmp.Compare(a[0].Rule.ID, b[0].Rule.ID))
	})
	fmt.Fprintln(w, p.bold(fmt.Sprintf("%6s  %-8s  %7s  %s", "count", "severity", "fixable", "rule")))
	for _, g := range all {
		n := 0
		for _, f := range g {
			if fixable(f) {
				n++
			}
		}
		severity := g[0].Severity
		fmt.Fprintf(w, "%6d  %s  %7d  %s\n", len(g), p.severity(severity, fmt.Sprintf("%-8s", severity)), n, g[0].Rule.ID)
	}
}

// fixable reports whether --fix can repair a finding in its file.
func fixable(f *lint.Finding) bool { return f.Fix != nil && f.Fix.Source == "" }

// Fixable returns the number of findings that can be fixed: "30 fixable with --fix, 4 more with --unsafe-fixes"; "" for
// none.
func Fixable(r *lint.Report) string {
	safe, unsafe := 0, 0
	for _, f := range active(r) {
		switch {
		case !fixable(f):
		case f.Fix.Safe:
			safe++
		default:
			unsafe++
		}
	}
	switch {
	case safe+unsafe == 0:
		return ""
	case unsafe == 0:
		return text.Count(safe, "finding") + " fixable with --fix"
	case safe == 0:
		return text.Count(unsafe, "finding") + " fixable with --fix --unsafe-fixes"
	}
	return fmt.Sprintf("%s fixable with --fix, %d more with --unsafe-fixes", text.Count(safe, "finding"), unsafe)
}
