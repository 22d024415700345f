package report

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Changelog is the content of a page about the change of an API.
type Changelog struct {
	Since    string          // the old side, as the user calls it
	Findings []*lint.Finding // all of them: also those that are not severe enough to be reported
	Added    []lint.Addition
}

// A changelogEntry is an entry of the changelog.
type changelogEntry struct {
	versions []string
	rank     int // breaking changes come first
	text     string
}

// writeChangelog writes a page for release notes: each CRD that changed, with the changes and their versions. Ignored
// findings are included: users need to know about intended changes, too.
func writeChangelog(w *bufio.Writer, r *lint.Report, o Options) error {
	all := map[string][]changelogEntry{}
	for _, g := range ordered.Grouped(group(o.Changelog.Findings), saying) {
		if f := g[0]; !f.Rule.HidesCRD {
			text, _ := g.aboutAll()
			text = strings.TrimSuffix(text, "; "+f.Advice) // which is not for users of the API
			all[f.Resource] = append(all[f.Resource], changelogEntry{g.versions(), int(lint.Error - f.Severity), label(f.Severity) + EscapeMarkdown(text)})
		}
	}
	for _, a := range o.Changelog.Added {
		text := EscapeMarkdown(a.Text)
		if a.Field != "" {
			text = "<code>" + EscapeMarkdown(a.Field) + "</code> " + text
		}
		all[a.Resource] = append(all[a.Resource], changelogEntry{a.Versions, int(lint.Error), text})
	}
	page := page{limit: cmp.Or(o.Limit, MaxSummary) - closing, left: len(all)}
	page.add("# API changes since "+EscapeMarkdown(o.Changelog.Since)+"\n", 0)
	if len(all) == 0 {
		page.add("\nNone.\n", 0)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		page.add(changesOf(name, all[name]), 1)
	}
	if page.left > 0 {
		fmt.Fprintf(&page.b, "\n**%s left out.**\n", text.Count(page.left, "more CRD"))
	}
	page.b.WriteString(thirdParties(r))
	_, err := w.WriteString(page.b.String())
	return err
}

// thirdParties says that CRDs of other projects changed as well, which users get with the release: that is described elsewhere.
func thirdParties(r *lint.Report) string {
	changes := leftOutBy(r, byRole)[lint.RoleForeign]
	if len(changes) == 0 {
		return ""
	}
	breaking := 0
	for _, f := range changes {
		if f.Severity == lint.Error {
			breaking += f.Count()
		}
	}
	n := changes.count()
	what := fmt.Sprintf("%s, %d of them breaking", text.Count(n, "change"), breaking)
	if n == breaking {
		what = text.Count(n, "breaking change")
	}
	return fmt.Sprintf("\nThird-party CRDs changed as well (%s): %s.\n", EscapeMarkdown(groupsIn(changes)), what)
}

// A sayingKey is what findings have in common that one entry tells.
type sayingKey struct {
	resource, words string
	severity        lint.Severity
}

func saying(f *lint.Finding) sayingKey { return sayingKey{f.Resource, words(f), f.Severity} }

func label(s lint.Severity) string {
	switch s {
	case lint.Error:
		return "**Breaking:** "
	case lint.Warning:
		return "**May break:** "
	}
	return ""
}

// changesOf is the part of the page about one CRD.
func changesOf(name string, entries []changelogEntry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## <code>%s</code>\n", EscapeMarkdown(name))
	title := func(e changelogEntry) string { return strings.Join(e.versions, ", ") }
	sections := ordered.Grouped(entries, title)
	slices.SortStableFunc(sections, func(a, b []changelogEntry) int { return min(len(title(a[0])), 1) - min(len(title(b[0])), 1) }) // the whole first
	for _, section := range sections {
		if title := title(section[0]); title != "" {
			fmt.Fprintf(&b, "\n### %s\n", EscapeMarkdown(title))
		}
		b.WriteString("\n")
		slices.SortStableFunc(section, func(a, b changelogEntry) int { return a.rank - b.rank })
		for _, e := range section {
			b.WriteString("- " + e.text + "\n")
		}
	}
	return b.String()
}
