package report

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// plainCell is what a cell of a table may hold beside links to lines: no character with a meaning in Markdown or HTML.
var plainCell = regexp.MustCompile("^(?:[^\\\\`*_\\[\\]<>&|~#!${}\"']|&#[0-9]+;|<br>|</?code>)*$")

// tableRows reads the rows of a page's tables: line, severity, finding, rule.
// linkedRule is the cell of a rule that has a page.
var linkedRule = regexp.MustCompile(`^\[(<code>([a-z0-9-]+)</code>)\]\(` + regexp.QuoteMeta(RulePage("")) + `[a-z0-9-]+\)$`)

func tableRows(t testing.TB, page string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Line") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
		if len(cells) != 4 {
			t.Fatalf("%d cells: %q", len(cells), line)
		}
		cells[0] = strings.TrimPrefix(cells[0], "| ")
		for i, cell := range cells {
			cell = strings.ReplaceAll(cell, nothing, "")
			if i == 3 {
				cell = linkedRule.ReplaceAllString(cell, "$1")
			}
			cells[i] = cell
			if i > 0 && !plainCell.MatchString(cell) {
				t.Errorf("has a meaning: %q", cell)
			}
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	rows := tableRows(t, write(t, Markdown, nasty(), options))
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, f := range active(nasty())[:5] {
		if got, want := html.UnescapeString(rows[i][2]), strings.Join(append([]string{text.Harmless(brief(f))}, advice(f)...), "<br>"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if want := "[10](https://github.com/example/widgets/blob/main/broken.yaml#L10), "; !strings.HasPrefix(rows[5][0], want) || !strings.HasSuffix(rows[5][0], ", 6 more") {
		t.Errorf("got %q", rows[5][0])
	}
}

// TestMarkdownLinks: a line links to its file, if that is in the repository.
func TestMarkdownLinks(t *testing.T) {
	t.Parallel()
	at := func(file string) *lint.Finding {
		return &lint.Finding{Rule: nameRule, Severity: lint.Error, Message: "no", Source: lint.Source{Pos: lint.Position{File: file, Line: 3, Column: 1, EndLine: 3, EndColumn: 1}}}
	}
	r := &lint.Report{Files: []string{"a b.yaml", "../c.yaml", "/d.yaml", "<stdin>"}}
	for _, file := range append(r.Files, "deleted.yaml") {
		r.Findings = append(r.Findings, at(file))
	}
	var got []string
	for _, row := range tableRows(t, write(t, Markdown, r, options)) {
		got = append(got, row[0])
	}
	if want := "[3](https://github.com/example/widgets/blob/main/a%20b.yaml#L3) 3 3 3 3"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMarkdownWithoutFindings(t *testing.T) {
	t.Parallel()
	if got, want := write(t, Markdown, &lint.Report{Files: []string{"a"}}, Options{}), "## crdlift\n\nno findings; checked no CRDs in 1 file\n"; got != want {
		t.Errorf("got %q", got)
	}
}

// TestMarkdownLimit counts the findings that do not fit: shown and omitted ones add up to all.
func TestMarkdownLimit(t *testing.T) {
	t.Parallel()
	r := &lint.Report{}
	for i := range 400 {
		r.Findings = append(r.Findings, &lint.Finding{Rule: oddRule, Severity: lint.Error, Message: fmt.Sprint("number ", i/2),
			Source: lint.Source{Pos: lint.Position{File: fmt.Sprintf("%d.yaml", i/100), Line: i + 1}}})
	}
	lineNumber := regexp.MustCompile(`\d+`)
	for limit := 0; limit < 20_000; limit += 371 {
		page := write(t, Markdown, r, Options{Limit: max(limit, 1)})
		if len(page) > max(limit, 1024) {
			t.Fatalf("%d bytes, with a limit of %d", len(page), limit)
		}
		shown := 0
		for _, row := range tableRows(t, page) {
			shown += len(lineNumber.FindAllString(row[0], -1))
		}
		left := 0
		if _, note, cut := strings.Cut(page, "\n**"); cut {
			fmt.Sscanf(note, "%d more", &left)
		}
		if shown+left != len(r.Findings) {
			t.Fatalf("limit %d: %d shown, %d left out", limit, shown, left)
		}
		if strings.Count(page, "<details") != strings.Count(page, "</details>") {
			t.Fatalf("limit %d: open details", limit)
		}
	}
	if len(tableRows(t, write(t, Markdown, r, Options{}))) != len(r.Findings)/2 {
		t.Error("the default limit leaves something out")
	}
}

// TestMarkdownErrorsFirst wants what fails a run at the top, and open.
func TestMarkdownErrorsFirst(t *testing.T) {
	t.Parallel()
	at := func(file string, line int, s lint.Severity, rule *lint.Rule) *lint.Finding {
		return &lint.Finding{Rule: rule, Severity: s, Message: fmt.Sprint("line ", line), Source: lint.Source{Pos: lint.Position{File: file, Line: line}}}
	}
	r := &lint.Report{Files: []string{"a.yaml", "b.yaml"}, Findings: []*lint.Finding{
		at("a.yaml", 1, lint.Info, infoRule), at("b.yaml", 2, lint.Warning, oddRule), at("b.yaml", 3, lint.Error, typeRule),
	}}
	page := write(t, Markdown, r, options)
	var got []string
	for _, row := range tableRows(t, page) {
		got = append(got, row[2])
	}
	if strings.Join(got, ", ") != "line 3, line 2, line 1" || !strings.Contains(page, "<details open>\n<summary><code>b.yaml") || strings.Count(page, "<details>") != 1 {
		t.Errorf("%q\n%s", got, page)
	}
	if !strings.Contains(page, "| [<code>schema-type-missing</code>]("+RulePage("schema-type-missing")+") |") || !strings.Contains(page, "| <code>uncatalogued</code> |") {
		t.Error(page)
	}
}

// TestMarkdownIsInert is about pages that are posted as comments: they have no mentions and no links of the input's.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Findings: []*lint.Finding{{Rule: oddRule, Severity: lint.Error, Message: "@everyone see #1 at https://example.com or www.example.com"}}}
	page := write(t, Markdown, r, Options{})
	for _, live := range []string{"@everyone", "#1", "&#35;1", "https://", "www."} {
		if strings.Contains(page, live) {
			t.Errorf("%s is live: %s", live, page)
		}
	}
}
