package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The formats of the catalogue.
const (
	rulesText = "text"
	rulesJSON = "json"
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

func rulesCommand(s *session) *cobra.Command {
	format := rulesText
	cmd := &cobra.Command{
		Use:   "rules [flags]",
		Short: "List the rules of the linter",
		Long: `Lists every rule by topic, with its severity, the smallest preset that runs it, and what it reports.
'crdlift explain RULE' prints the page of a rule.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if format == rulesJSON {
				return s.listRules(func(*lint.Rule) bool { return true }, false)
			}
			return s.printRules()
		},
	}
	addChoice(cmd, &format, "output", "o", "output format", rulesText, rulesJSON)
	return cmd
}

// printRules prints the catalogue for people.
func (s *session) printRules() error {
	title := func(s string) string { return s }
	if wantsColor(s.stdout) {
		title = painter(color.Bold)
	}
	widest := 0
	for _, id := range ruleIDs() {
		widest = max(widest, len(id))
	}
	var out strings.Builder
	for i, topic := range rules.Topics() {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(title(topic.Title) + "\n")
		for _, r := range topic.Rules {
			fmt.Fprintf(&out, "  %-*s  %-7s  %-11s  %s\n", widest, r.ID, r.Severity, r.Preset, r.Summary)
		}
	}
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

// listRules prints rules as JSON.
func (s *session) listRules(wanted func(*lint.Rule) bool, pages bool) error {
	list := struct {
		Version int          `json:"version"`
		Rules   []listedRule `json:"rules"`
	}{Version: 1}
	topics := rules.Topics()
	if pages {
		topics = append(topics, rules.Topic{Name: "conversion-notes", Rules: rules.Notes()})
	}
	for _, topic := range topics {
		for _, r := range topic.Rules {
			if !wanted(r) {
				continue
			}
			one := listedRule{ID: r.ID, Topic: topic.Name, Severity: r.Severity.String(), Preset: r.Preset.String(), Was: r.Was, Summary: r.Summary}
			if pages {
				one.Doc = rules.Page(r.ID)
			}
			list.Rules = append(list.Rules, one)
		}
	}
	return encodeJSON(s.stdout, list)
}

// encodeJSON writes a value for programs and, indented, for people.
func encodeJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

func explainCommand(s *session) *cobra.Command {
	format := rulesText
	cmd := &cobra.Command{
		Use:   "explain [flags] RULE",
		Short: "Print the page of a rule: why it matters, what to do, an example",
		Long: `Prints the page of a rule: why it matters, what to do, when to ignore it, its source and an example.
The page of a note of 'crdlift convert' is printed as well.
'crdlift rules' lists the rules; all pages are at ` + report.Homepage + `/rules`,
		Example: "  crdlift explain storage-version-count",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{"name one rule", "Run 'crdlift rules' for the list."}
			}
			return nil
		},
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			known := slices.Concat(rules.All(), rules.Notes())
			rule := known.ByID(args[0])
			if rule == nil {
				return unknownRule(args[0])
			}
			if rule.ID != args[0] {
				fmt.Fprintln(s.stderr, "crdlift: "+known.Renamed(args[0]))
			}
			if format == rulesJSON {
				return s.listRules(func(r *lint.Rule) bool { return r == rule }, true)
			}
			_, err := io.WriteString(s.stdout, renderPage(rules.Page(rule.ID), wantsColor(s.stdout)))
			return err
		},
	}
	addChoice(cmd, &format, "output", "o", "output format", rulesText, rulesJSON)
	return cmd
}

func ruleIDs() []string { return rules.All().IDs() }

// unknownRule returns the error for an unknown rule, with the one that may be meant.
func unknownRule(id string) error {
	hint := "Run 'crdlift rules' for the list."
	if near := text.Nearest(id, ruleIDs()); len(near) > 0 {
		hint = fmt.Sprintf("Did you mean '%s'?", near[0])
	} else if topic := ofTopic(id); topic != "" {
		hint = "Rules of that topic: " + topic + "."
	}
	return usageError{fmt.Sprintf("there is no rule %q", id), hint}
}

// ofTopic lists the rules whose ids begin with a word.
func ofTopic(word string) string {
	return strings.Join(slices.DeleteFunc(ruleIDs(), func(id string) bool { return !strings.HasPrefix(id, word+"-") }), ", ")
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Sprintf("unexpected argument %q", args[0]), fmt.Sprintf("Run '%s --help' for usage.", cmd.CommandPath())}
	}
	return nil
}
