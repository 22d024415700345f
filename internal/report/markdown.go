package report

import (
	"bufio"
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

const (
	// MaxSummary is how large a page is at most, in bytes. It leaves a step of GitHub Actions, which may write 1 MiB, some room for what else it says.
	MaxSummary = 1_000_000
	// closing bounds the text after the last row.
	closing = 512
	// maxLines bounds how many lines a row names that say the same.
	maxLines = 8
)

// writeMarkdown writes a page: the counts, and a table for each file, folded unless it is the only one
// or has errors. Files with errors come first, and in a file the errors. Findings that say the same share a row.
func writeMarkdown(w *bufio.Writer, r *lint.Report, o Options) error {
	if o.Changelog != nil {
		return writeChangelog(w, r, o)
	}
	limit := cmp.Or(o.Limit, MaxSummary)
	findings := active(r)
	page := page{limit: limit - closing, left: len(findings)}
	page.add("## crdlift\n\n"+Summary(r)+"\n", 0)
	if left := LeftOut(r, "crdlift "+o.Head.Command); left != "" {
		page.add("\n"+EscapeMarkdown(left)+"\n", 0)
	}
	page.add(CoverageTable(r.Coverage), 0)
	page.add(inlineIgnores(r.Inline), 0)
	files := worstFirst(ordered.Grouped(group(findings), byFile))
	for _, g := range files {
		start := tableStart(g, len(files) == 1 || worst(g) == lint.Error)
		open, link := false, o.linkTo(g[0].Pos.File, r)
		for _, row := range rows(g) {
			text := tableRow(row, link, o)
			if !open {
				text = start + text
			}
			if !page.add(text, len(row)) {
				break
			}
			open = true
		}
		if open {
			page.b.WriteString("\n</details>\n")
		}
		if page.full {
			break
		}
	}
	if page.left > 0 {
		fmt.Fprintf(&page.b, "\n**%s left out**: the page is limited to %d bytes. `%s` prints all.\n", text.Count(page.left, "more finding"), limit, commandOf(r))
	}
	_, err := w.WriteString(page.b.String())
	return err
}

// maxInline bounds how many ignores are listed.
const maxInline = 50

// inlineIgnores lists the ignores in comments that are new, for who reviews them.
func inlineIgnores(all []lint.InlineIgnore) string {
	if len(all) == 0 {
		return ""
	}
	what := "that the base does not have"
	if all[0].Void {
		what = "that do not count"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n**%s in comments** %s:\n\n", text.Count(len(all), "ignore"), what)
	for _, i := range all[:min(len(all), maxInline)] {
		fmt.Fprintf(&b, "- <code>%s</code> at <code>%s:%d</code>: %s\n", EscapeMarkdown(i.Rule), EscapeMarkdown(i.At.File), i.At.Line, EscapeMarkdown(i.Reason))
	}
	return b.String() + text.More(len(all)-maxInline, "- and %d more\n")
}

// A page is Markdown that may not grow beyond a limit.
type page struct {
	b     strings.Builder
	limit int
	full  bool
	left  int // findings that are not on it
}

// add adds text about some findings, or nothing if that is too much.
func (p *page) add(text string, findings int) bool {
	if p.full = p.full || p.b.Len()+len(text) > p.limit; p.full {
		return false
	}
	p.b.WriteString(text)
	p.left -= findings
	return true
}

// likeness is what findings of a file have in common that share a row.
type likeness struct{ severity, message, rule, help string }

func alike(f *lint.Finding) likeness {
	l := likeness{f.Severity.String(), brief(f), f.Rule.ID, ""}
	if f.Fix != nil {
		l.help = helpOf(f)
	}
	for _, other := range f.Related {
		l.help += where(other.Pos) // so that only what says the same is put together
	}
	return l
}

// rows groups the findings of a file by their rows: those that are reported together, and those with the same text.
func rows(findings group) []group {
	var all []group
	for _, same := range ordered.Grouped(folded(findings), func(g group) likeness { return alike(g[0]) }) {
		all = append(all, slices.Concat(same...))
	}
	return worstFirst(all)
}

// worst is the highest severity of a group.
func worst(g group) lint.Severity {
	return slices.MaxFunc(g, func(a, b *lint.Finding) int { return int(a.Severity - b.Severity) }).Severity
}

// worstFirst sorts groups by their highest severity, and leaves those alike in their order.
func worstFirst(all []group) []group {
	slices.SortStableFunc(all, func(a, b group) int { return int(worst(b) - worst(a)) })
	return all
}

func tableStart(g group, open bool) string {
	attribute := ""
	if open {
		attribute = " open"
	}
	return fmt.Sprintf("\n<details%s>\n<summary><code>%s</code>: %s</summary>\n\n| Line | Severity | Finding | Rule |\n|---:|---|---|---|\n",
		attribute, EscapeMarkdown(g[0].Pos.File), counts(g))
}

func tableRow(g group, file string, o Options) string {
	f := g[0]
	told := append([]string{text.Harmless(brief(f))}, placesAndHelp(f)...)
	if f.More > 0 || slices.ContainsFunc(g, func(other *lint.Finding) bool { return brief(other) != brief(f) }) {
		told[0] = text.Harmless(g.told())
	}
	told = slices.Concat(told, g.origins(), o.alsoIn(g))
	for i, line := range told {
		told[i] = EscapeMarkdown(line)
	}
	told = append(told, shownByInTable(f)...)
	var places []string
	for _, one := range g[:min(len(g), maxLines)] {
		places = append(places, lineLink(one.Pos, file))
	}
	if more := g.count() - len(places); more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	rule := "<code>" + EscapeMarkdown(f.Rule.ID) + "</code>"
	if page := o.rulePage(f.Rule.ID); page != "" {
		rule = "[" + rule + "](" + page + ")"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", strings.Join(places, ", "), f.Severity, strings.Join(told, "<br>"), rule)
}

// linkTo is where the lines of a file can be looked at, "" for one that is not there: a file that was deleted, or standard
// input, or one outside of the working directory.
func (o Options) linkTo(file string, r *lint.Report) string {
	if o.Repository == "" || !slices.Contains(r.Files, file) || !filepath.IsLocal(file) || strings.HasPrefix(file, "<") {
		return ""
	}
	return strings.TrimSuffix(o.Repository, "/") + "/" + EscapePath(file)
}

// lineLink is a line's number, which leads to the line where the file has a place.
func lineLink(pos lint.Position, file string) string {
	if file == "" {
		return fmt.Sprint(pos.Line)
	}
	return fmt.Sprintf("[%d](%s#L%d)", pos.Line, file, pos.Line)
}

// EscapePath makes a path a part of a URL.
func EscapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), ":", "%3A") // else it might be taken for a scheme
	}
	return strings.Join(parts, "/")
}

// nothing is a comment, which Markdown passes on to HTML and browsers do not show.
const nothing = "<!-- -->"

// inert breaks what GitHub and GitLab make links and mentions of when a page is posted as a comment: they look for it in
// the text after Markdown, in which a character reference is the character again.
var inert = strings.NewReplacer("@", "@"+nothing, "&#35;", "&#35;"+nothing, "://", ":"+nothing+"//", "www.", "www"+nothing+".")

// EscapeMarkdown escapes the characters that have a meaning in GitHub's Markdown or in HTML. A character reference is
// text in both, everywhere; CommonMark 0.31, section 2.5. Names do not become mentions, nor numbers issues, nor
// addresses links.
func EscapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range text.Harmless(s) {
		if strings.ContainsRune("\\`*_[]<>&|~#!${}\"'", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return inert.Replace(b.String())
}
