package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/rules"
)

func rulesCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "List the rules of the linter",
		Long: `Lists every rule with its severity, the smallest preset that runs it, and what it reports.
'crdlift explain RULE' says more about one of them.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
			for _, topic := range rules.Topics() {
				for _, r := range topic.Rules {
					fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Preset, r.Summary)
				}
			}
			return out.Flush()
		},
	}
}

func explainCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Print a rule's page: why it matters, what to do, an example",
		Long: `Prints a rule's page: why it matters, what to do, when to ignore it, its source and an example.
'crdlift rules' lists them; all pages are at https://github.com/crdlift/crdlift/blob/main/rules/README.md`,
		Example: "  crdlift explain storage-version-count",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{"name one rule", "Run 'crdlift rules' for the list."}
			}
			return nil
		},
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			page := rules.Page(args[0])
			if page == "" {
				return unknownRule(args[0])
			}
			_, err := fmt.Fprint(s.stdout, page)
			return err
		},
	}
}

func ruleIDs() []string {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	return ids
}

// unknownRule says that there is no such rule, and which one may be meant.
func unknownRule(id string) error {
	hint := "Run 'crdlift rules' for the list."
	if near := wording.Nearest(id, ruleIDs()); len(near) > 0 {
		hint = fmt.Sprintf("Did you mean '%s'?", near[0])
	} else if topic := ofTopic(id); topic != "" {
		hint = "Rules of that topic: " + topic + "."
	}
	return usageError{fmt.Sprintf("there is no rule %q", id), hint}
}

// ofTopic lists the rules whose ids begin with a word.
func ofTopic(word string) string {
	var ids []string
	for _, id := range ruleIDs() {
		if strings.HasPrefix(id, word+"-") {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, ", ")
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Sprintf("unexpected argument %q", args[0]), fmt.Sprintf("Run '%s --help' for usage.", cmd.CommandPath())}
	}
	return nil
}
