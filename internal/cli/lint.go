package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// lintFlags are what `crdlift lint` is told.
type lintFlags struct {
	configFlags
	outputs               []string
	short, quiet          bool
	statistics            bool
	fix, unsafe, diff     bool
	baseline, newBaseline string
	against               string
	mergeBase, newOnly    bool
	changes               bool // only what is said of the change
	allowEmpty            bool
	only                  []string
	kustomize             string
	maxFileSize           byteSize
}

func lintCommand(s *session) *cobra.Command {
	f := lintFlags{maxFileSize: defaultMaxFileSize}
	cmd := &cobra.Command{
		Use:        "lint [flags] [PATH...]",
		SuggestFor: []string{"check", "validate", "fix"},
		Short:      "Check CRDs: what the API server refuses, and what it takes but should not",
		Long: `Looks at CustomResourceDefinitions as the API server would, and says what it refuses at the line and
column where it is written. Best-practice rules add what the server accepts but what never works,
loses data, or surprises users. v1 manifests are judged by the validation of the newest API server,
v1beta1 manifests by that of Kubernetes 1.21, the last that served them.

A PATH is a file, a folder, or - for standard input; without one, it is what the configuration has
as paths, or the working directory. A PATH without any CRD is an error. Folders are searched for *.yaml, *.yml and
*.json; .gitignore is honoured, and vendor, node_modules and folders that begin with a dot are left
out unless they are named. Documents that are not CRDs are passed over and counted.

With --kustomize, the CRDs are built first, as 'kustomize build FOLDER' does, from local files and
without plugins. Findings stand in the base or patch that has the field. Nothing can be fixed then.

Each finding ends with the [rule] that reports it; 'crdlift explain RULE' says why it matters, what to
do, and when to ignore it. Rules, severities, ignores and excluded files are configured in
.crdlift.yaml, which is looked for from the working directory upwards. In a manifest,
'# crdlift:ignore RULE -- reason' ignores a finding there.

With --against, CRDs are compared with what they were: at a git revision, in a folder or file, or in
a cluster, as 'kubectl get crd -o yaml' prints them. They are matched by metadata.name, wherever
they were, and in whichever API version.

Exit codes: 0 nothing at or above --fail-on; 1 such findings, text that does not parse, or --diff
found something to rewrite; 2 wrong usage, unreadable files, a PATH without any CRD, or git failed.

Colours: NO_COLOR=1 turns them off, FORCE_COLOR=1 turns them on without a terminal.`,
		Example: `  crdlift lint config/crd                     lint a folder
  crdlift lint --fix config/crd               repair what has one right answer
  crdlift lint --fix --unsafe-fixes --diff .  look at all that could be repaired
  crdlift lint --rule schema-float=warning --fail-on warning .
  crdlift lint --output text --output sarif=crdlift.sarif .
  crdlift lint --kubernetes-version 1.27 crd.yaml
  crdlift lint --against origin/main --merge-base --new-only config/crd
  crdlift lint --kustomize config/crd
  kubectl get crd -o yaml | crdlift lint --against - config/crd
  kubectl get crd foos.example.com -o yaml | crdlift lint -`,
		RunE: func(cmd *cobra.Command, paths []string) error { return s.lint(cmd.Context(), f, paths) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "output `FORMAT[=PATH]`, may be repeated: "+strings.Join(report.Names(), ", ")+" (default text)")
	complete(cmd, "output", completeFormats)
	flags.BoolVar(&f.short, "short", false, "text output with one line per finding and no excerpts")
	flags.BoolVar(&f.statistics, "statistics", false, "text output as a table of rules with their counts, in the place of the findings")
	flags.BoolVar(&f.fix, "fix", false, "repair what can be repaired safely, in place")
	flags.BoolVar(&f.unsafe, "unsafe-fixes", false, "with --fix or --diff: also repair what changes behaviour or guesses the intent")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what --fix would change as a unified diff and write nothing")
	flags.StringVar(&f.against, "against", "", "compare with this git `REVISION`, folder, file, or - for standard input; git: or path: in front says which")
	flags.BoolVar(&f.mergeBase, "merge-base", false, "with --against: compare with the commit where HEAD forked off the revision, as a pull request does")
	flags.BoolVar(&f.newOnly, "new-only", false, "with --against: pass over findings that the old side has, too")
	flags.StringSliceVar(&f.only, "only", nil, "run these rules, `RULE,...`, and no others; globs are fine")
	complete(cmd, "only", completeRules)
	flags.StringVar(&f.kustomize, "kustomize", "", "instead of a PATH: lint what 'kustomize build' makes of this `FOLDER`")
	f.configFlags.add(cmd)
	flags.StringVar(&f.baseline, "baseline", "", "pass over the findings that this `FILE` lists")
	flags.StringVar(&f.newBaseline, "write-baseline", "", "write all findings to this `FILE`, for --baseline, and report none")
	flags.BoolVar(&f.allowEmpty, "allow-empty", false, "take a PATH without any CRD for what it should be")
	flags.Var(&f.maxFileSize, "max-file-size", "refuse larger files")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print findings only, and no summary")
	return cmd
}

// validate checks what the flags say together.
func (f *lintFlags) validate() error {
	switch {
	case f.unsafe && !f.fix && !f.diff:
		return usageError{"--unsafe-fixes goes with --fix or --diff", ""}
	case f.newBaseline != "" && (f.fix || f.diff):
		return usageError{"--write-baseline and --fix exclude each other", "Fix first, then write down what is left."}
	case f.newBaseline != "" && f.baseline != "":
		return usageError{"--write-baseline and --baseline exclude each other", "A new baseline lists all findings there are."}
	case f.baseline == stdinPath || f.newBaseline == stdinPath:
		return usageError{"a baseline is a file: it counts paths from its folder", "./- is a file of that name."}
	case f.kustomize != "" && (f.fix || f.diff):
		return usageError{"--kustomize excludes --fix and --diff", "What is built is no file; fix the bases: crdlift lint --fix PATH."}
	case f.kustomize != "" && f.against != "":
		return usageError{"--kustomize and --against exclude each other", "Compare the bases: crdlift lint --against REV PATH."}
	case f.against == "" && (f.mergeBase || f.newOnly):
		return usageError{"--merge-base and --new-only go with --against", ""}
	}
	return nil
}

// inputs finds the files that the configuration does not exclude.
func (f *lintFlags) inputs(paths []string, config *lint.Config, outputs outputs) (*finder, error) {
	if f.kustomize != "" {
		return f.builtInputs(paths, config)
	}
	found := &finder{own: []string{config.Path, config.BaselinePath(), f.baseline}, outputs: append(outputs.paths(), f.newBaseline)}
	for _, path := range paths {
		if path == stdinPath && len(paths) > 1 {
			return nil, usageError{"- stands alone", "Leave out the other paths."}
		}
		found.find(path)
	}
	kept := found.inputs[:0]
	for _, in := range found.inputs {
		if config.Excluded(shown(in.path)) {
			found.settle(in.from) // left out on purpose
			continue
		}
		kept = append(kept, in)
	}
	found.inputs = kept
	return found, nil
}

// readBaseline reads the findings that are known; nil when there is no baseline.
func (f *lintFlags) readBaseline(config *lint.Config) (*lint.Baseline, error) {
	path := f.baseline
	if path == "" && f.newBaseline == "" {
		path = config.BaselinePath()
	}
	if path == "" {
		return nil, nil
	}
	src, err := readSettings(path, f.baseline == "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Sprintf("baseline: %v", unread(err)), "--write-baseline " + shown(path) + " writes one."}
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", unread(err))
	}
	return lint.ReadBaseline(shown(path), src)
}

// guard refuses to replace by a report or a baseline what is none.
func (f *lintFlags) guard(outputs outputs, inputs []input) error {
	if f.newBaseline == "" {
		return outputs.guard(inputs) // with a new baseline, there is no report
	}
	if err := guard("--write-baseline ", f.newBaseline, inputs); err != nil {
		return err
	}
	src, err := readSettings(f.newBaseline, true)
	if errors.Is(err, fs.ErrNotExist) || err == nil && lint.LooksLikeBaseline(src) {
		return nil
	}
	if err != nil {
		return unread(err)
	}
	return usageError{fmt.Sprintf("--write-baseline %s would replace a file that is no baseline", shown(f.newBaseline)), "Name another file, or remove it first."}
}

func (s *session) lint(ctx context.Context, f lintFlags, paths []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	f.fix = f.fix && !f.diff // --fix --diff shows what --fix would do
	config, err := f.config()
	if err != nil {
		return err
	}
	if newest := newestMinor(); newest > 0 && config.KubernetesVersion.After(newest) && !f.quiet {
		fmt.Fprintf(s.stderr, "crdlift: knows Kubernetes up to 1.%d, and judges %s by that\n", newest, config.KubernetesVersion)
	}
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return err
	}
	for _, glob := range f.only {
		ids, err := matching(glob)
		if err != nil {
			return err
		}
		config.Only = append(config.Only, ids...)
	}
	linter := &lint.Linter{Rules: rules.All(), Config: config, Changes: f.changes, Edits: outputs.carryEdits()}
	if linter.Baseline, err = f.readBaseline(config); err != nil {
		return err
	}
	if len(paths) == 0 && f.kustomize == "" {
		if paths, err = pathsOf(config); err != nil {
			return err
		}
	}
	found, err := f.inputs(paths, config, outputs)
	if err != nil {
		return err
	}
	for _, err := range found.errs {
		s.fail(err)
	}
	if err := f.guard(outputs, found.inputs); err != nil {
		return err
	}
	old, err := s.old(ctx, f, paths)
	if err != nil {
		return err
	}
	defer old.close()
	if old != nil {
		linter.Old, linter.Unknown, linter.Ratchet = old.Find, old.unknown, f.newOnly
	}
	if f.fix {
		var stop context.CancelFunc
		ctx, stop = untilInterrupt(ctx)
		defer stop()
	}
	log := f.changelog(outputs)
	linter.Rules = slices.Concat(linter.Rules, log.rules())
	linter.Final = found.built != nil
	run := &lintRun{session: s, changelog: log, flags: f, linter: linter, old: old, paths: paths, found: found, diffRoot: diffRoot(found.inputs),
		progress: newProgress(s.stderr, len(found.inputs))}
	done := inOrder(ctx, runtime.GOMAXPROCS(0), found.inputs, run.work, run.collect)
	run.progress.clear()
	if done < len(found.inputs) {
		s.fail(fmt.Errorf("interrupted after %d of %d files", done, len(found.inputs)))
	}
	return run.finish(outputs)
}
