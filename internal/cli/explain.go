package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A listedRule is a rule in JSON; docs/schema/rules.json describes it.
type listedRule struct {
	ID       string   `json:"id"`
	Topic    string   `json:"topic"`
	Severity string   `json:"severity"`
	Preset   string   `json:"preset"`
	Was      []string `json:"was,omitempty"` // earlier ids
	Summary  string   `json:"summary"`
	Doc      string   `json:"doc,omitempty"` // its page, in Markdown
}

func explainCommand(s *session) *cobra.Command {
	format := report.Text
	cmd := &cobra.Command{
		Use:        "explain [flags] [RULE|TOPIC]",
		SuggestFor: []string{"rules"},
		Short:      "Explain a rule, or list rules: why it matters, what to do, an example",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return run.UsageError("name one rule, or one topic", run.ListsRules)
			}
			return nil
		},
		ValidArgsFunction: completeExplained,
		RunE:              func(_ *cobra.Command, args []string) error { return s.explain(args, format) },
	}
	addChoice(cmd, &format, "output", "o", "output format", report.Text, report.JSON)
	return cmd
}

// explain prints the rules, those of a topic, or the page of one.
func (s *session) explain(args []string, format string) error {
	topics, name := rules.Topics(), strings.Join(args, "")
	if i := slices.IndexFunc(topics, func(t rules.Topic) bool { return t.Name == name }); i >= 0 {
		topics, name = topics[i:i+1], ""
	}
	if name != "" {
		return s.explainRule(name, format)
	}
	if format == report.JSON {
		return s.listRules(topics, false)
	}
	return s.printRules(topics)
}

// explainRule prints the page of a rule, or of a note of conversions.
func (s *session) explainRule(id, format string) error {
	for _, topic := range append(rules.Topics(), rules.Topic{Name: "conversion-notes", Rules: rules.Notes()}) {
		rule := topic.Rules.ByID(id)
		if rule == nil {
			continue
		}
		if rule.ID != id {
			fmt.Fprintln(s.Stderr, "crdlift: "+topic.Rules.Renamed(id))
		}
		if topic.Rules = (lint.Rules{rule}); format == report.JSON {
			return s.listRules([]rules.Topic{topic}, true)
		}
		_, err := io.WriteString(s.Stdout, terminal.Page(rules.Page(rule.ID), terminal.WantsColor(s.Stdout)))
		return err
	}
	return run.UnknownRule(id)
}

// printRules prints rules for people.
func (s *session) printRules(topics []rules.Topic) error {
	title := func(s string) string { return s }
	if terminal.WantsColor(s.Stdout) {
		title = terminal.Painter(color.Bold)
	}
	widest := 0
	for _, id := range run.RuleIDs() {
		widest = max(widest, len(id))
	}
	var out strings.Builder
	for i, topic := range topics {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(title(topic.Title) + "\n")
		for _, r := range topic.Rules {
			fmt.Fprintf(&out, "  %-*s  %-7s  %-11s  %s\n", widest, r.ID, r.Severity, r.Preset, r.Summary)
		}
	}
	_, err := io.WriteString(s.Stdout, out.String())
	return err
}

// listRules prints rules as JSON, with their pages or without.
func (s *session) listRules(topics []rules.Topic, pages bool) error {
	list := struct {
		Version int          `json:"version"`
		Rules   []listedRule `json:"rules"`
	}{Version: 1}
	for _, topic := range topics {
		for _, r := range topic.Rules {
			one := listedRule{ID: r.ID, Topic: topic.Name, Severity: r.Severity.String(), Preset: r.Preset.String(), Was: r.Was, Summary: r.Summary}
			if pages {
				one.Doc = rules.Page(r.ID)
			}
			list.Rules = append(list.Rules, one)
		}
	}
	return report.Encode(s.Stdout, list)
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("run '%s --help' for usage", cmd.CommandPath())
	for _, sub := range cmd.Commands() {
		if len(text.Nearest(args[0], []string{sub.Name()})) > 0 {
			hint = fmt.Sprintf("did you mean '%s'?", sub.CommandPath())
		}
	}
	return run.UsageError(fmt.Sprintf("unexpected argument %q", args[0]), hint)
}
