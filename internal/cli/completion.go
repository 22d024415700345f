package cli

import (
	"strings"

	"github.com/spf13/cobra"

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
		return run.UsageError("there is no completion for "+text.Misspelt(args[0], shells), "name one of "+strings.Join(shells, ", "))
	}
	completion.Args = cobra.ArbitraryArgs
}

// completeBefore offers words, or files after WORD=.
func completeBefore(words []string, options cobra.ShellCompDirective) completer {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return words, cobra.ShellCompDirectiveNoFileComp | options
	}
}

// completeRules offers rules.
func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return described(rules.All(), ""), cobra.ShellCompDirectiveNoFileComp
}

// described are rules as the shell offers them: with what they report.
func described(all lint.Rules, end string) (words []string) {
	for _, r := range all {
		words = append(words, cobra.CompletionWithDesc(r.ID+end, r.Summary))
	}
	return words
}

// completeExplained offers what explain takes.
func completeExplained(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all := described(rules.All(), "")
	for _, topic := range rules.Topics() {
		all = append(all, cobra.CompletionWithDesc(topic.Name, topic.Title))
	}
	return append(all, described(rules.Notes(), "")...), cobra.ShellCompDirectiveNoFileComp
}

// completeSeverities offers rules, and severities after ID=.
func completeSeverities(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	id, _, ok := strings.Cut(typed, "=")
	if !ok {
		return described(rules.All(), "="), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	for _, s := range lint.Severities() {
		all = append(all, id+"="+s)
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
