package report

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A statistic is how often a rule speaks at a severity, and how many of its findings can be fixed.
type statistic struct {
	rule           string
	severity       lint.Severity
	count, fixable int
}

// writeStatistics writes a table: the rules with the most findings first.
func writeStatistics(w *bufio.Writer, r *lint.Report, p painter) {
	type key struct {
		rule     string
		severity lint.Severity
	}
	byRule := map[key]statistic{}
	for _, f := range active(r) {
		k := key{f.Rule.ID, f.Severity}
		s := byRule[k]
		s.rule, s.severity, s.count = f.Rule.ID, f.Severity, s.count+1
		if fixable(f) {
			s.fixable++
		}
		byRule[k] = s
	}
	if len(byRule) == 0 {
		return
	}
	all := slices.SortedFunc(maps.Values(byRule), func(a, b statistic) int {
		return cmp.Or(b.count-a.count, int(b.severity-a.severity), cmp.Compare(a.rule, b.rule))
	})
	fmt.Fprintln(w, p.bold(fmt.Sprintf("%6s  %-8s  %7s  %s", "count", "severity", "fixable", "rule")))
	for _, s := range all {
		fmt.Fprintf(w, "%6d  %s  %7d  %s\n", s.count, p.severity(s.severity, fmt.Sprintf("%-8s", s.severity)), s.fixable, s.rule)
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
