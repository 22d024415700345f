package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
)

// A choice is a flag that takes one of few words. It is empty until it is set.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return strings.Join(c.allowed, "|") }

func (c choice) Set(word string) error {
	if !slices.Contains(c.allowed, word) {
		return &wrongWord{word, c.allowed}
	}
	*c.value = word
	return nil
}

// A wrongWord is a word that a flag does not take. wrongFlag, which knows the flag, says so.
type wrongWord struct {
	word    string
	allowed []string
}

func (w *wrongWord) Error() string { return text.NotOneOf("the flag", w.word, w.allowed) }

// addChoice defines a flag that takes one of the words, and has the shell complete them. The short name may be "".
func addChoice(cmd *cobra.Command, value *string, name, short, usage string, allowed ...string) {
	cmd.Flags().VarP(choice{value, allowed}, name, short, usage)
	complete(cmd, name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
}

// readsTwice reports whether standard input is named more than once.
func readsTwice(names ...[]string) bool {
	return len(slices.DeleteFunc(slices.Concat(names...), func(name string) bool { return name != run.Stdin })) > 1
}

// A completer returns the completions of a word typed so far.
type completer = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// complete has the shell offer values of a flag that is there already.
func complete(cmd *cobra.Command, flag string, values completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag is missing, or has been given values before
	}
}
