package overview

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// maxPrinted is how many rules are named of all repositories, and maxNamed of each.
const (
	maxPrinted = 10
	maxNamed   = 3
)

// Text returns an overview for a terminal: how it stands, the rules with most findings, and the repositories, a line each.
func (o *Overview) Text() string {
	var b strings.Builder
	for _, sentence := range o.sentences() {
		b.WriteString(sentence + "\n")
	}
	if len(o.Rules) > 0 {
		fmt.Fprintf(&b, "\n%9s  %12s  %-8s  %s\n", "findings", "repositories", "severity", "rule")
	}
	for _, r := range o.MostFound()[:min(len(o.Rules), maxPrinted)] {
		fmt.Fprintf(&b, "%9d  %12d  %-8s  %s\n", r.Count, r.Repositories, r.Severity, r.ID)
	}
	if more := len(o.Rules) - maxPrinted; more > 0 {
		fmt.Fprintf(&b, "%9s  and %s\n", "", text.Count(more, "more rule"))
	}
	width := len("at " + o.target())
	if len(o.Repositories) > 0 {
		fmt.Fprintf(&b, "\n%6s  %8s  %5s  %*s  %s\n", "errors", "warnings", "CRDs", width, "at "+o.target(), "repository")
	}
	for _, r := range o.Repositories {
		fmt.Fprintf(&b, "%6d  %8d  %5d  %*s  %s\n", r.Count(lint.Error), r.Count(lint.Warning), len(r.CRDs), width, r.share(), r.Name)
	}
	for i := range o.Coverage {
		b.WriteString("\n")
		_ = coverage.Text(&b, &o.Coverage[i]) // a builder takes all
	}
	return text.HarmlessLines(b.String())
}

// sentences are the answer: of one repository its own.
func (o *Overview) sentences() []string {
	if len(o.Repositories) == 1 {
		return o.Repositories[0].Verdict()
	}
	return o.Verdict()
}

// share is how much of the migration is done: "60%"; "-" where there is nothing to migrate.
func (r *Repository) share() string {
	if m := r.Migration(); m.All() > 0 {
		return fmt.Sprintf("%d%%", m.Percent())
	}
	return "-"
}

// Markdown returns an overview as a page for a job summary or a wiki, of a limited size. It says how many repositories it leaves
// out.
func (o *Overview) Markdown() string {
	var b strings.Builder
	b.WriteString("## crdlift report\n")
	for _, sentence := range o.sentences() {
		b.WriteString("\n" + report.EscapeMarkdown(sentence) + "\n")
	}
	if len(o.Rules) > 0 {
		b.WriteString("\n| Rule | Severity | Findings | Repositories |\n|---|---|---:|---:|\n")
	}
	for _, r := range o.MostFound()[:min(len(o.Rules), maxPrinted)] {
		fmt.Fprintf(&b, "| <code>%s</code> | %s | %d | %d |\n", report.EscapeMarkdown(r.ID), r.Severity, r.Count, r.Repositories)
	}
	if len(o.Repositories) > 0 {
		b.WriteString("\n| Repository | CRDs | At " + o.target() + " | Errors | Warnings | Most findings |\n|---|---:|---:|---:|---:|---|\n")
	}
	left := 0
	for _, r := range o.Repositories {
		row := r.row()
		if b.Len()+len(row) > report.MaxSummary-1000 {
			left++
			continue
		}
		b.WriteString(row)
	}
	if table := report.CoverageTable(o.Coverage); b.Len()+len(table) <= report.MaxSummary-1000 {
		b.WriteString(table)
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n**%d more repositories left out**: the page is limited to %d bytes.\n", left, report.MaxSummary)
	}
	return b.String()
}

// row is a row about a repository.
func (r *Repository) row() string {
	var most []string
	for _, rule := range r.Rules()[:min(len(r.rules), maxNamed)] {
		most = append(most, fmt.Sprintf("<code>%s</code> %d", report.EscapeMarkdown(rule.ID), rule.Count))
	}
	return fmt.Sprintf("| %s | %d | %s | %d | %d | %s |\n", report.EscapeMarkdown(r.Name), len(r.CRDs), r.share(), r.Count(lint.Error), r.Count(lint.Warning), strings.Join(most, ", "))
}

// A document is an overview as JSON; docs/schema/report.json describes it. The version changes when a member changes its meaning
// or goes, not when one is added.
type document struct {
	Version      int              `json:"version"`
	Migration    migrationJSON    `json:"migration"`
	Rules        []ruleJSON       `json:"rules"`
	Repositories []repositoryJSON `json:"repositories"`
	Coverage     []lint.Coverage  `json:"coverage,omitempty"`
}

type migrationJSON struct {
	To        string `json:"to"`
	CRDs      int    `json:"crds"`
	Done      int    `json:"done"`
	Converted int    `json:"converted"`
	Pending   int    `json:"pending"`
	Person    int    `json:"needPerson"`
	Unknown   int    `json:"unknown"`
}

type ruleJSON struct {
	Rule         string `json:"rule"`
	Severity     string `json:"severity"`
	Findings     int    `json:"findings"`
	Repositories int    `json:"repositories,omitempty"`
}

type repositoryJSON struct {
	Name      string        `json:"name"`
	NeedsWork bool          `json:"needsWork"`
	Commands  []string      `json:"commands"`
	CRDs      int           `json:"crds"`
	Errors    int           `json:"errors"`
	Warnings  int           `json:"warnings"`
	Infos     int           `json:"infos"`
	Ignored   int           `json:"ignored"`
	Migration migrationJSON `json:"migration"`
	Rules     []ruleJSON    `json:"rules"`
	LeftOut   LeftOut       `json:"leftOut,omitempty"`
}

func migrationOf(m Migration) migrationJSON {
	return migrationJSON{m.To, m.All(), m.Done(), m.CRDs[Converted], m.CRDs[ToConvert], m.CRDs[NeedsPerson], m.CRDs[Unknown]}
}

// JSON returns the counts of an overview as JSON. Its errors are those of encoding/json.
func (o *Overview) JSON() ([]byte, error) {
	out := document{Version: 1, Migration: migrationOf(o.Migration()), Rules: []ruleJSON{}, Repositories: []repositoryJSON{}, Coverage: o.Coverage}
	for _, r := range o.Rules {
		out.Rules = append(out.Rules, ruleJSON{r.ID, r.Severity.String(), r.Count, r.Repositories})
	}
	for _, r := range o.Repositories {
		one := repositoryJSON{
			Name: r.Name, NeedsWork: r.NeedsWork(), Commands: []string{}, CRDs: len(r.CRDs), Errors: r.Count(lint.Error), Warnings: r.Count(lint.Warning),
			Infos: r.Count(lint.Info), Ignored: r.Ignored, Migration: migrationOf(r.Migration()), Rules: []ruleJSON{}, LeftOut: r.LeftOut,
		}
		for _, h := range r.Heads {
			one.Commands = append(one.Commands, h.Command)
		}
		for _, rule := range r.Rules() {
			one.Rules = append(one.Rules, ruleJSON{Rule: rule.ID, Severity: rule.Severity.String(), Findings: rule.Count})
		}
		out.Repositories = append(out.Repositories, one)
	}
	raw, err := json.MarshalIndent(out, "", "  ")
	return text.HarmlessJSON(append(raw, '\n')), err
}
