package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// addCompletion adds cobra's command that prints scripts for shells, which takes any shell it does not know in silence.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // it was added one line above
	}
	var shells []string
	for _, c := range completion.Commands() {
		shells = append(shells, c.Name())
	}
	completion.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return run.UsageError("there is no completion for "+text.Misspelt(args[0], shells), "The shells are "+strings.Join(shells, ", ")+".")
	}
	completion.Args = cobra.ArbitraryArgs
}

// completeFormats offers the formats, and files after FORMAT=.
func completeFormats(formats []string) completer {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formats, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeRules offers rules.
func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return run.RuleIDs(), cobra.ShellCompDirectiveNoFileComp
}

// completeExplained offers what explain takes.
func completeExplained(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all := run.RuleIDs()
	for _, topic := range rules.Topics() {
		all = append(all, topic.Name)
	}
	return append(all, lint.Rules(rules.Notes()).IDs()...), cobra.ShellCompDirectiveNoFileComp
}

// completeSeverities offers rules, and severities after ID=.
func completeSeverities(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	id, _, ok := strings.Cut(typed, "=")
	if !ok {
		var ids []string
		for _, id := range run.RuleIDs() {
			ids = append(ids, id+"=")
		}
		return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	var all []string
	for _, s := range lint.Severities() {
		all = append(all, id+"="+s)
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeRoles offers roles, and files after ROLE=.
func completeRoles(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	if strings.Contains(typed, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, role := range config.RoleNames() {
		all = append(all, role+"=")
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
