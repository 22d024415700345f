// Package cli is the command line: commands, their flags and their words. internal/run prepares their runs, and what happens
// to a manifest is not decided here.
//
// Read cli.go first. Each command has a file of its name (lint.go, convert.go and so on). Those that report findings share
// lint_flags.go and lint_run.go, and linting.go is their work on one file; converting.go is that of convert.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/version"
)

// The help lists commands in the order of importance. cobra knows one order for the whole process.
func init() { cobra.EnableCommandSorting = false }

// commands are all subcommands, in the order of the help.
var commands = []func(*session) *cobra.Command{
	lintCommand,
	validateCommand,
	auditCommand,
	testCommand,
	serveCommand,
	schemaCommand,
	sampleCommand,
	breakingCommand,
	convertCommand,
	planCommand,
	reportCommand,
	initCommand,
	rolesCommand,
	whereCommand,
	webhookCommand,
	migrateCommand,
	explainCommand,
	configCommand,
	fnCommand,
	lspCommand,
}

// Run runs the program with the arguments after its name, and returns its exit code: 0 no findings, 1 findings,
// 2 wrong usage or unreadable files.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	silenceLibraries()
	return (&session{run.NewSession(stdin, stdout, stderr)}).run(args)
}

// A session is one call of the program.
type session struct{ *run.Session }

func (s *session) run(args []string) int {
	defer s.End()
	root := s.rootCommand()
	root.SetArgs(args)
	if err := root.ExecuteContext(context.Background()); err != nil {
		s.Fail(err)
	}
	return s.Code
}

// silenceLibraries keeps what Kubernetes' libraries think of a schema, and Go's HTTP client of a webhook, off the process's
// standard error. The loggers are the process's, so that a second run in the same process, perhaps beside the first, leaves
// them alone.
var silenceLibraries = sync.OnceFunc(func() {
	klog.SetLogger(logr.Discard())
	log.SetOutput(io.Discard)
})

// Commands is the program as a tree of commands, for what documents them. It is not to be run.
func Commands() *cobra.Command { return (&session{run.NewSession(nil, nil, nil)}).rootCommand() }

func (s *session) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               "crdlift",
		Short:             "Check, compare, test and convert CustomResourceDefinitions",
		Version:           version.Program(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: nothingEmpty,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if in, is := resourceList(s.Stdin); is {
					return s.function(in)
				}
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SetIn(s.Stdin)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	root.SetVersionTemplate(version.Text())
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentFlags().Var(&s.MaxFileSize, "max-file-size", "reject larger files, except Lists of custom resources from kubectl")
	root.Flags().BoolP("version", "v", false, "print the version of crdlift and of its Kubernetes validation code")
	for _, command := range commands {
		root.AddCommand(command(s))
	}
	if programName(os.Args[0]) == kubectlPlugin {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl crdlift"}
	}
	root.CompletionOptions.DisableNoDescFlag = true
	root.InitDefaultHelpFlag() // else cobra takes the word after --help for its value
	addCompletion(root)
	knownTopics(root)
	root.SetUsageFunc(usage)
	addHelp(root, root.Name())
	layOut(root)
	return root
}

// kubectlPlugin is what kubectl looks for when a user types "kubectl crdlift". The help has these words then, as krew asks
// of plugins: https://krew.sigs.k8s.io/docs/developer-guide/develop/best-practices/
const kubectlPlugin = "kubectl-crdlift"

// programName is the name of a program without its folder and Windows' extension.
func programName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// unknownCommand returns the error for an unknown command, with the one that may be meant.
func unknownCommand(root *cobra.Command, name string) error {
	var names, near []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
		if slices.Contains(c.SuggestFor, name) { // what other programs call it says more than how near another name is
			near = append(near, c.Name())
		}
	}
	if len(near) == 0 {
		near = text.Nearest(name, names)
	}
	if name == "version" {
		near = []string{"--version"}
	}
	if len(near) == 0 {
		near = root.SuggestionsFor(name) // by how they begin, and by what other programs call them
	}
	hint := fmt.Sprintf("run '%s --help' for a list of commands", root.CommandPath())
	if len(near) > 0 {
		hint = fmt.Sprintf("did you mean '%s'?", strings.Join(near, "' or '"))
	}
	return run.UsageError(fmt.Sprintf("unknown command %q", name), hint)
}

// knownTopics makes the help reject an unknown command, for which cobra prints the help of the root command.
func knownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // it was added one line above
	}
	help.Hidden = true // --help of each command says the same
	help.Args = func(_ *cobra.Command, args []string) error {
		if found, _, err := root.Find(args); len(args) > 0 && (err != nil || found == root) {
			return unknownCommand(root, args[0])
		}
		return nil
	}
}

// wrongFlag returns the error for a flag of a command, with the one that may be meant.
func wrongFlag(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("run '%s --help' for usage", cmd.CommandPath())
	var invalid *pflag.InvalidValueError
	var wrong *wrongWord
	switch {
	case errors.As(err, &invalid) && errors.As(err, &wrong):
		return run.UsageError(text.NotOneOf("--"+invalid.GetFlag().Name, wrong.word, wrong.allowed), "")
	case errors.As(err, &invalid):
		return run.UsageError(fmt.Sprintf("--%s cannot be %q; it %s", invalid.GetFlag().Name, invalid.GetValue(), whatItIs(invalid.Unwrap())), "")
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return run.UsageError(err.Error(), hint)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	if known, is := familiar[name]; is {
		hint = known
	} else if having := commandsWith(cmd.Root(), name); len(having) > 0 && unknown.GetSpecifiedShortnames() == "" {
		hint = fmt.Sprintf("%s %s this flag; %s", text.And(having), text.Verb(len(having), "has", "have"), hint)
	} else if near := text.Nearest(name, names); len(near) > 0 && unknown.GetSpecifiedShortnames() == "" {
		hint = fmt.Sprintf("did you mean '--%s'?", near[0])
	}
	return run.UsageError(err.Error(), hint)
}

// familiar are flags that other programs have, and what does the same here.
var familiar = map[string]string{
	"f": "write paths without a flag", "filename": "write paths without a flag",
	"R": "leave it out: folders are searched with all below them", "recursive": "leave it out: folders are searched with all below them",
	"format": "choose the format with --output FORMAT[=PATH]", "json": "choose the format with --output json",
	"exclude":    "leave files out with 'exclude' in .crdlift.yaml",
	"ignore":     "ignore findings with '--rule RULE=off' or '# crdlift:ignore RULE -- reason'",
	"dry-run":    "use --diff to see what would be written",
	"merge-base": "leave it out: crdlift compares from where HEAD forked off; --exact compares with the revision itself",
	"no-config":  "use --config off to run without a configuration",
	"short":      "choose the format with --output short", "statistics": "choose the format with --output statistics",
	"regenerate": "run your generator after --fix-go",
}

// commandsWith are the commands that have a flag, in quotes.
func commandsWith(cmd *cobra.Command, flag string) (all []string) {
	if cmd.Flags().Lookup(flag) != nil {
		all = append(all, "'"+cmd.CommandPath()+"'")
	}
	for _, sub := range cmd.Commands() {
		all = append(all, commandsWith(sub, flag)...)
	}
	return all
}

// whatItIs says what the value of a flag is, by the error about one that it is not.
func whatItIs(err error) string {
	var number *strconv.NumError
	switch {
	case errors.As(err, &number) && number.Func == "ParseBool":
		return "is true or false"
	case errors.As(err, &number) && number.Func == "ParseUint":
		return "is a whole number, and not negative"
	case errors.As(err, &number):
		return "is a whole number"
	case strings.HasPrefix(err.Error(), "time: "):
		return "is a time such as 30s"
	}
	return err.Error()
}

// nothingEmpty rejects arguments and values of flags that are empty. They come from unset variables of scripts; taken
// for the working directory, or for a flag that was not given, they would check or rewrite something else.
func nothingEmpty(cmd *cobra.Command, args []string) (err error) {
	const hint = "leave it out: it may come from a variable that is not set"
	if cmd.DisableFlagParsing { // cobra's own, which the shell asks to complete an empty word
		return nil
	}
	if slices.Contains(args, "") {
		return run.UsageError("one of the arguments is empty", hint)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if isEmpty(f.Value) {
			err = run.UsageError(fmt.Sprintf("--%s is empty", f.Name), hint)
		}
	})
	return err
}

// isEmpty reports whether a flag was given no value, or one of a list was.
func isEmpty(v pflag.Value) bool {
	if n, is := v.(named); is {
		v = n.Value
	}
	if list, is := v.(pflag.SliceValue); is {
		return len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
	}
	return v.String() == ""
}
