package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/text"
)

//go:embed help
var helpTexts embed.FS

// addHelp gives a command, and those below it, the texts of the file in help that has its name: what it does and, below a line
// "Examples:", examples.
func addHelp(c *cobra.Command, name string) {
	if raw, err := helpTexts.ReadFile("help/" + name + ".txt"); err == nil {
		c.Long, c.Example, _ = strings.Cut(strings.TrimSpace(string(raw)), "\n\nExamples:\n")
	}
	for _, below := range c.Commands() {
		addHelp(below, strings.TrimPrefix(name+"-"+below.Name(), "crdlift-"))
	}
}

// helpWidth is how wide the help is at most, in columns.
const helpWidth = 100

// flagGroups are the headings under which the help lists flags. Flags that stand in none of them come last.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"Input", []string{
		"to", "kind", "from", "crds", "on", "against", "require", "new-only", "old-objects", "exact", "objects", "kustomize", "url", "connect", "allow-remote", "ca-file",
		"insecure-skip-tls-verify", "timeout", "samples", "count", "seed", "version-pair", "skip", "replay", "go", "templates", "all-files", "found", "allow-empty",
		"max-object-size",
	}},
	{"Rules", []string{
		"policy", "field-validation", "missing-crd", "only", "config", "config-from", "no-inline-ignores", "preset", "rule", "fail-on", "min-severity", "kubernetes-version", "baseline",
		"write-baseline", "slo",
	}},
	{"Output", []string{"output", "format", "watch", "role", "list", "limit", "copies", "show-values", "anonymous", "save", "cache", "verbose", "quiet"}},
	{"Fixes and changes", []string{"update", "fix", "fix-go", "unsafe-fixes", "write-defaults", "diff", "as", "set", "write", "check", "output-dir", "allow-loss", "references", "keep-annotations"}},
}

// usage prints how a command is used: its flags by what they are for.
func usage(c *cobra.Command) error {
	var out strings.Builder
	out.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&out, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&out, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		out.WriteString("\nCommands:\n")
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				fmt.Fprintf(&out, "  %-*s %s\n", below.NamePadding(), below.Name(), below.Short)
			}
		}
	}
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	rest.SortFlags = false
	rest.AddFlagSet(c.LocalFlags())
	var grouped []string
	write := func(title string, names []string) {
		group := pflag.NewFlagSet("", pflag.ContinueOnError)
		group.SortFlags = false
		rest.VisitAll(func(f *pflag.Flag) {
			if names == nil && !slices.Contains(grouped, f.Name) || slices.Contains(names, f.Name) {
				group.AddFlag(f)
			}
		})
		if text := group.FlagUsagesWrapped(helpWidth); text != "" {
			fmt.Fprintf(&out, "\n%s:\n%s", title, text)
		}
	}
	for _, g := range flagGroups {
		write(g.title, g.flags)
		grouped = append(grouped, g.flags...)
	}
	write("Flags", nil)
	if text := c.InheritedFlags().FlagUsagesWrapped(helpWidth); text != "" && !c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\nOf every command:\n%s", text)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n'%s [command] --help' explains a command.\n", c.CommandPath())
	}
	_, err := fmt.Fprint(c.OutOrStderr(), out.String())
	return err
}

// A named is a flag's value with the word that stands for it in the help.
type named struct {
	pflag.Value
	word string
}

func (n named) Type() string { return n.word }

// placeholder is the word at the beginning of a flag's description that stands for its value.
var placeholder = text.Pattern("^`([^`]+)` ")

// layOut has the help of commands keep the order of their flags, which the usage line names if there are any. It takes the placeholders
// out of the descriptions of flags, where pflag would have the help say them twice, and the shell's completion with their backticks.
func layOut(c *cobra.Command) {
	c.DisableFlagsInUseLine = true
	c.Flags().SortFlags = false
	set := func(f *pflag.Flag) {
		if m := placeholder().FindStringSubmatch(f.Usage); m != nil {
			f.Usage, f.Value = strings.TrimPrefix(f.Usage, m[0]), named{f.Value, m[1]}
			f.DefValue = strings.TrimPrefix(f.DefValue, "[]") // an empty list is no default
		}
	}
	c.Flags().VisitAll(set)
	for _, below := range c.Commands() {
		layOut(below)
	}
}
