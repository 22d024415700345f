// Package report writes the findings of a run of the linter, one file per output format. A format takes everything that
// it needs from the findings, and nothing from the rules' code.
//
// File names, names in manifests, source lines and thus messages come from anywhere. No format passes on a control
// character or anything else that a terminal would interpret, and each escapes the characters that its readers would
// interpret.
//
// Read report.go first: the formats and their options. prose.go and excerpt.go have the parts that formats for people
// share, objects.go the summary of a run over custom resources, json.go what identifies a finding across runs. Every
// other file is one format, named after it; the types of SARIF are in sarif_types.go.
package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// The output formats.
const (
	Text     = "text"     // for people: one line for each finding, or with the source below it
	JSON     = "json"     // crdlift's own contract; docs/schema/findings.json describes it
	SARIF    = "sarif"    // SARIF 2.1.0: GitHub code scanning, IDEs
	GitHub   = "github"   // workflow commands, which annotate a pull request
	GitLab   = "gitlab"   // GitLab's code quality report
	JUnit    = "junit"    // JUnit XML: the test results of most CI systems
	Markdown = "markdown" // a page, such as the summary of a step of GitHub Actions

	Short      = "short"      // a line for each finding
	Statistics = "statistics" // a table of rules with how often each speaks
)

// Formats returns all formats, in the order in which they are documented.
func Formats() []string {
	return []string{Text, Short, Statistics, JSON, SARIF, GitHub, GitLab, JUnit, Markdown}
}

// Options are the input of the formats besides the findings. The zero value is valid for each of them.
type Options struct {
	Color bool // text, short, statistics: with colours
	Links bool // text, short: rules lead to their pages, in terminals that know links

	// Places is in text and short how many places are named of findings that say the same of several objects, and are told once; AllPlaces
	// tells each by itself. 0 means a few for objects of clusters, and all for others.
	Places int

	Copies bool // all but json, sarif and statistics: name the place in each copy of a CRD

	Requests bool // text, short: name the request that a finding about an object is about

	GoLocation lint.GoLocation // github, sarif: which place of a finding that has to be fixed in Go types

	Version string     // json, sarif: of crdlift, such as "v1.2.3"; a text that is not a version is left out
	Rules   lint.Rules // the catalogue, to whose pages all but json, gitlab and junit lead. Rules of findings need not be in it
	Unread  int        // json: files that could not be read
	Failed  bool       // sarif: something could not be read, so that the findings may not be all there are

	Doc func(rule string) string // sarif: the documentation of a rule, in Markdown, "" for none; nil means no documentation

	FailOn lint.Severity // junit: findings below it are not failures; Off means Error

	Repository string // json, markdown: what to put before a path to link to it, "https://host/owner/name/blob/COMMIT/"
	Limit      int    // markdown: bytes to write at most; 0 means GitHub's limit for a step

	Head  Head            // json: what is known of the run besides the version and the repository's address
	Added []lint.Addition // json: what a change adds for the users of an API

	Changelog *Changelog // markdown: write a changelog of the API rather than a list of findings; nil for the list
}

var writers = map[string]func(*bufio.Writer, *lint.Report, Options) error{
	Text: writeText, Short: writeShort, Statistics: writeStatistics, JSON: writeJSON, SARIF: writeSARIF, GitHub: writeGitHub, GitLab: writeGitLab, JUnit: writeJUnit, Markdown: writeMarkdown,
}

// Write writes a report in a format. Its errors are those of the writer, or of an unknown format.
func Write(w io.Writer, format string, r *lint.Report, o Options) error {
	write, known := writers[format]
	if !known {
		return fmt.Errorf("%q is not one of %s", format, strings.Join(Formats(), ", "))
	}
	out := bufio.NewWriter(w)
	if err := write(out, r, o); err != nil {
		return err
	}
	return out.Flush()
}

// active are the findings that are not ignored.
func active(r *lint.Report) []*lint.Finding {
	var out []*lint.Finding
	for _, f := range r.Findings {
		if f.Ignored == "" {
			out = append(out, f)
		}
	}
	return out
}

// Summary is one line of counts, for people: "3 errors, 1 warning (4 ignored); 2 infos not shown; checked 12 CRDs in 9
// files". Counts of ignored and hidden findings are included if they are not 0.
func Summary(r *lint.Report) string {
	if r.Objects != nil {
		return objectSummary(r)
	}
	if r.Conversions != nil {
		return conversionSummary(r)
	}
	if r.Carried != nil {
		return carriedSummary(r)
	}
	if r.Tests != nil {
		return testSummary(r)
	}
	var b strings.Builder
	b.WriteString(found(r))
	switch {
	case len(r.Files) == 0:
		b.WriteString("; found no files to check")
	case r.CRDs == 0:
		b.WriteString("; checked no CRDs in " + text.Count(len(r.Files), "file")) // perhaps the wrong folder
	default:
		fmt.Fprintf(&b, "; checked %s in %s", text.Count(r.CRDs, "CRD"), text.Count(len(r.Files), "file"))
	}
	var over []string
	if n := r.CRDsLeftOut; n > 0 && r.CRDs == 0 && len(r.LeftOut) == 0 { // else a line of its own says it
		over = append(over, fmt.Sprintf("%s of tests, older releases or other projects (--all-files checks %s)", text.Count(n, "CRD"), text.Verb(n, "it", "them")))
	}
	if r.Others > 0 {
		over = append(over, Others(r.Others, r.Broken)+unread(r.Counts))
	}
	over = append(over, Templates(r.Templates)...)
	if len(over) > 0 {
		b.WriteString(", skipped " + text.And(over))
	}
	return b.String() + sameInCopies(r)
}

// Templates counts templates by their language: "2 Helm templates".
func Templates(all []lint.Template) []string {
	var counts []string
	for _, language := range []string{"Helm", "Jinja"} {
		n := 0
		for _, t := range all {
			if t.Language == language {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, text.Count(n, language+" template"))
		}
	}
	return counts
}

// Others counts the documents that are not CRDs, and those of them that do not parse: "3 other documents (1 does not
// parse)".
func Others(n, broken int) string {
	all := text.Count(n, "other document")
	if broken > 0 {
		all += fmt.Sprintf(" (%d %s not parse)", broken, text.Verb(broken, "does", "do"))
	}
	return all
}

// unread names those of the documents that have patches or schemas which are not read.
func unread(c lint.Counts) string {
	var kinds []string
	if c.Compositions > 0 {
		kinds = append(kinds, text.Count(c.Compositions, "Composition"))
	}
	if c.Graphs > 0 {
		kinds = append(kinds, text.Count(c.Graphs, "ResourceGraphDefinition"))
	}
	if len(kinds) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s, which crdlift does not read)", text.And(kinds))
}

// found returns the number of findings, including those that are not shown.
func found(r *lint.Report) string {
	shown := active(r)
	var parts []string
	if len(shown) > 0 || len(r.Hidden) == 0 {
		parts = append(parts, counts(shown))
	}
	if len(r.Hidden) > 0 {
		parts = append(parts, text.And(severities(r.Hidden))+" not shown")
	}
	if n := r.Ignored(); n > 0 {
		parts[0] += fmt.Sprintf(" (%d ignored)", n)
	}
	return strings.Join(parts, "; ")
}

// counts returns the number of findings of each severity: "2 errors, 1 info".
func counts(findings []*lint.Finding) string {
	return cmp.Or(strings.Join(severities(findings), ", "), "no findings")
}

// severities counts findings by severity, the gravest first.
func severities(findings []*lint.Finding) []string {
	count := map[lint.Severity]int{}
	for _, f := range findings {
		count[f.Severity] += f.Count()
	}
	return Severities(func(s lint.Severity) int { return count[s] })
}

// Severities says how many there are of each severity of which there are some, the gravest first: "2 errors", "1 info".
func Severities(of func(lint.Severity) int) (parts []string) {
	for s := lint.Error; s > lint.Off; s-- {
		if n := of(s); n > 0 {
			parts = append(parts, text.Count(n, s.String()))
		}
	}
	return parts
}

// Homepage is the site of crdlift, without a slash at its end.
const Homepage = "https://crdlift.github.io/crdlift"

// RulePage is the address of the page about a rule, or about a kind of note of a conversion. Addresses last: the page of a rule
// that gets another name leads to that.
func RulePage(id string) string { return Homepage + "/rules/" + id }

// rulePage is the address of a rule's page; "" for a rule that the catalogue does not have.
func (o Options) rulePage(id string) string {
	if o.Rules.ByID(id) == nil {
		return ""
	}
	return RulePage(id)
}
