package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// writeStatistics writes a table of how often each rule speaks at a severity, and how many of its findings can be fixed:
// the rules with the most findings first.
func writeStatistics(w *bufio.Writer, r *lint.Report, o Options) error {
	p := painter(o.Color)
	type key struct {
		rule     string
		severity lint.Severity
	}
	all := ordered.Grouped(group(active(r)), func(f *lint.Finding) key { return key{f.Rule.ID, f.Severity} })
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b group) int {
		return cmp.Or(b.count()-a.count(), int(b[0].Severity-a[0].Severity), cmp.Compare(a[0].Rule.ID, b[0].Rule.ID))
	})
	fmt.Fprintln(w, p.bold(fmt.Sprintf("%6s  %-8s  %7s  %s", "count", "severity", "fixable", "rule")))
	for _, g := range all {
		n := 0
		for _, f := range g {
			if fixable(f) {
				n += f.Count()
			}
		}
		severity := g[0].Severity
		fmt.Fprintf(w, "%6d  %s  %7d  %s\n", g.count(), p.severity(severity, fmt.Sprintf("%-8s", severity)), n, g[0].Rule.ID)
	}
	return nil
}

// fixable reports whether --fix can repair a finding in its file, or --fix-go in Go types.
func fixable(f *lint.Finding) bool {
	if f.InGo() {
		return f.Origin.Writable()
	}
	return f.Fix != nil && f.Fix.Source == ""
}

// Fixable returns the number of findings that can be fixed: "30 fixable with --fix, 4 more with --unsafe-fixes"; "" for
// none. Of those in Go types it is given how many can be fixed, since that takes a look at their files.
func Fixable(r *lint.Report, safeInGo, unsafeInGo int) string {
	count := map[bool]int{} // by whether the fix is safe
	for _, f := range active(r) {
		if !f.InGo() && fixable(f) {
			count[f.Fix.Safe] += f.Count()
		}
	}
	told := []string{fixableWith("--fix", count[true], count[false]), fixableWith("--fix-go", safeInGo, unsafeInGo)}
	return strings.Join(slices.DeleteFunc(told, func(s string) bool { return s == "" }), "; ")
}

// fixableWith says how many findings a flag fixes, those with unsafe fixes apart; nothing for none.
func fixableWith(flag string, safe, unsafe int) string {
	switch {
	case safe+unsafe == 0:
		return ""
	case unsafe == 0:
		return text.Count(safe, "finding") + " fixable with " + flag
	case safe == 0:
		return text.Count(unsafe, "finding") + " fixable with " + flag + " --unsafe-fixes"
	}
	return fmt.Sprintf("%s fixable with %s, %d more with --unsafe-fixes", text.Count(safe, "finding"), flag, unsafe)
}
