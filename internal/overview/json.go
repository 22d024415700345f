package overview

import (
	"encoding/json"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A document is an overview as JSON; docs/schema/report.json describes it. The version changes when a member changes its meaning
// or goes, not when one is added.
type document struct {
	Version      int              `json:"version"`
	Migration    migrationJSON    `json:"migration"`
	Rules        []ruleJSON       `json:"rules"`
	Repositories []repositoryJSON `json:"repositories"`
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
}

func migrationOf(m Migration) migrationJSON {
	return migrationJSON{m.To, m.All(), m.Done(), m.CRDs[Converted], m.CRDs[ToConvert], m.CRDs[NeedsPerson], m.CRDs[Unknown]}
}

// JSON returns the counts of an overview as JSON. Its errors are those of encoding/json.
func (o *Overview) JSON() ([]byte, error) {
	out := document{Version: 1, Migration: migrationOf(o.Migration()), Rules: []ruleJSON{}, Repositories: []repositoryJSON{}}
	for _, r := range o.Rules {
		out.Rules = append(out.Rules, ruleJSON{r.ID, r.Severity.String(), r.Count, r.Repositories})
	}
	for _, r := range o.Repositories {
		one := repositoryJSON{
			Name: r.Name, NeedsWork: r.NeedsWork(), Commands: []string{}, CRDs: len(r.CRDs), Errors: r.Count(lint.Error), Warnings: r.Count(lint.Warning),
			Infos: r.Count(lint.Info), Ignored: r.Ignored, Migration: migrationOf(r.Migration()), Rules: []ruleJSON{},
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
