package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	all := grouped[group](active(r), func(f *lint.Finding) key { return key{f.Rule.ID, f.Severity} })
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
// none. Of those in Go types it is told how many can be fixed, since that takes a look at their files.
func Fixable(r *lint.Report, safeInGo, unsafeInGo int) string {
	manifests, types := fixableCount{}, fixableCount{safeInGo, unsafeInGo}
	for _, f := range active(r) {
		if !f.InGo() && fixable(f) {
			for range f.Count() {
				manifests.add(f.Fix.Safe)
			}
		}
	}
	told := []string{manifests.with("--fix"), types.with("--fix-go")}
	return strings.Join(slices.DeleteFunc(told, func(s string) bool { return s == "" }), "; ")
}

// A fixableCount counts findings that a flag fixes, those with unsafe fixes apart.
type fixableCount struct{ safe, unsafe int }

func (c *fixableCount) add(safe bool) {
	if safe {
		c.safe++
	} else {
		c.unsafe++
	}
}

// with says how many a flag fixes; nothing for none.
func (c fixableCount) with(flag string) string {
	switch {
	case c.safe+c.unsafe == 0:
		return ""
	case c.unsafe == 0:
		return text.Count(c.safe, "finding") + " fixable with " + flag
	case c.safe == 0:
		return text.Count(c.unsafe, "finding") + " fixable with " + flag + " --unsafe-fixes"
	}
	return fmt.Sprintf("%s fixable with %s, %d more with --unsafe-fixes", text.Count(c.safe, "finding"), flag, c.unsafe)
}
