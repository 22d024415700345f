package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A summary counts the results of a run.
type summary struct {
	files, unreadable, unparsable int
	unwritten                     int // files
	lint.Counts
	templates      []lint.Template
	states         map[policy.State]int
	marks, encoded int
	alone          int  // CRDs of templates of which not all combinations of conditions were tried
	avoidable      bool // some of the marks, by the idiomatic policy
}

func (sum *summary) count(out convertOutcome) {
	sum.files++
	switch {
	case out.syntax != nil:
		sum.unparsable++
		return
	case out.result == nil:
		sum.unreadable++
		return
	}
	if out.template != nil {
		sum.templates = append(sum.templates, *out.template)
	}
	sum.avoidable = sum.avoidable || out.avoidable
	sum.Others += out.result.Others
	sum.Broken += out.result.Broken
	if out.trouble != nil {
		sum.unwritten++
	}
	for _, crd := range candidates(out.result) {
		sum.CRDs++
		if out.trouble != nil && crd.State == policy.Converted {
			continue // in memory only
		}
		if sum.states == nil {
			sum.states = map[policy.State]int{}
		}
		sum.states[crd.State]++
		if crd.State == policy.Converted {
			sum.marks += crd.Marks
			if crd.Encoded {
				sum.encoded++
			}
			if slices.ContainsFunc(crd.Notes, func(n convert.Note) bool { return n.ID == conversion.Uncombined }) {
				sum.alone++
			}
		}
	}
}

// print writes the summary: one line of counts, and one for each thing worth an explanation.
func (sum *summary) print(w io.Writer, f convertFlags) {
	converted := "converted"
	if f.diff || f.check {
		converted = "to convert"
	}
	parts := []string{fmt.Sprintf("%s, %s: %d %s, %d already there, %d %s",
		text.Count(sum.files, "file"), text.Count(sum.CRDs, "CRD"),
		sum.states[policy.Converted], converted,
		sum.states[policy.AlreadyThere],
		sum.states[policy.NeedsPerson], text.Verb(sum.states[policy.NeedsPerson], "needs", "need")+" you")}
	for _, more := range []struct {
		n    int
		what string
	}{
		{sum.Others, report.Others(sum.Others, sum.Broken)},
		{len(sum.templates), text.And(report.Templates(sum.templates)) + " skipped"},
		{sum.unparsable, text.Count(sum.unparsable, "file") + " that " + text.Verb(sum.unparsable, "does", "do") + " not parse"},
		{sum.unwritten, text.Count(sum.unwritten, "file") + " not written"},
		{sum.unreadable, text.Count(sum.unreadable, "unreadable file")},
	} {
		if more.n > 0 {
			parts = append(parts, more.what)
		}
	}
	fmt.Fprintln(w, strings.Join(parts, "; "))
	if sum.marks > 0 {
		fmt.Fprintf(w, "%s added, %s\n", text.Count(sum.marks, "x-kubernetes-preserve-unknown-fields mark"), purpose(f.options))
		if sum.avoidable {
			fmt.Fprintln(w, habit)
		}
	}
	if sum.encoded > 0 {
		fmt.Fprintf(w, "%s had to be re-encoded; check the formatting\n", text.Count(sum.encoded, "document"))
	}
	if sum.alone > 0 {
		fmt.Fprintf(w, "%s %s whose conditions have too many combinations to try all of them: compare what Helm renders; -v shows where\n",
			text.Count(sum.alone, "CRD"), text.Verb(sum.alone, "is in a template", "are in templates"))
	}
}

// habit names the policy that most projects choose.
const habit = "most projects prune unknown fields instead; if your schemas are complete, use --policy=idiomatic, which marks only objects " +
	"that declare no fields (https://github.com/crdlift/crdlift/blob/main/docs/guides/convert.md#policies)"

// keepsAll reports whether the options mark every object.
func keepsAll(o policy.Options) bool {
	return o.Decided().UnknownFields == policy.Preserve
}

// purpose returns the purpose of the marks.
func purpose(o policy.Options) string {
	switch {
	case keepsAll(o):
		return "so that no stored data is pruned"
	case o.UnknownFields == policy.Root:
		return "at roots and objects that declare no fields"
	}
	return "at objects that declare no fields"
}
