package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// convertFlags are the flags of `crdlift convert`.
type convertFlags struct {
	configFile
	runFlags                    // without an output, the notes are lines on standard error
	options      policy.Options // of the flags, then also of the configuration
	given        func(flag string) bool
	write, check bool
	outputDir    string
	objects      []string // whose fields the conversion must not lose
	verbose      bool
}

func convertCommand(s *session) *cobra.Command {
	f := convertFlags{options: policy.Options{To: policy.V1}}
	cmd := &cobra.Command{
		Use:   "convert [flags] PATH...",
		Short: "Convert CRDs from apiextensions.k8s.io/v1beta1 to v1, or back",
		Long: `Converts CustomResourceDefinitions from apiextensions.k8s.io/v1beta1 to v1, or back with --to
v1beta1, and keeps every byte that need not change. Before anything is written, the result is
validated with the API server's own code and compared with upstream's own conversion of the input.

A PATH is a file, a folder, or - for standard input. Folders are searched for *.yaml, *.yml and
*.json; .gitignore is honoured, and vendor, node_modules and folders whose name begins with a dot
are skipped unless you name them. Documents that are not CRDs, and Helm or Jinja templates, stay
unchanged.

A single input goes to standard output. For several, use --write, --diff, --check or --output-dir.

The policy decides how to convert what v1beta1 and v1 do not have in common:
  exact      custom resources are validated, pruned, stored and served as before
  idiomatic  unknown fields are pruned, missing types are inferred, and constraints that a
             structural schema cannot express are loosened; every change is listed
CRDs that need your decision stay unchanged and are listed as NEEDS YOU. Most projects choose
idiomatic.

With --objects, which takes what kubectl get -o yaml or -o json prints, the run also says which
fields of these custom resources the conversion loses, and which settings lose none.

The keys exclude and convert of .crdlift.yaml apply, and flags take precedence over them. Of
convert, unknownFields and missingTypes override one half of a policy; unapprovedAPI,
upgradeInPlace and keepStatus write or keep what some clusters need; onLoss and withVersionField
are for --to v1beta1.

Exit codes: 0 done, or nothing to do; 1 a CRD needs you, a file does not parse, an object of
--objects loses fields, or --check or --diff found something to rewrite; 2 wrong usage, unreadable
files, or a PATH without any CRD.

Colours: NO_COLOR=1 turns them off, FORCE_COLOR=1 turns them on without a terminal.`,
		Example: `  crdlift convert crd.yaml                    print the converted file
  crdlift convert --diff config/crd           show what would change, as a patch for git apply
  crdlift convert --write config/crd          convert a folder in place
  crdlift convert --check .                   in CI: fail if there is something to convert
  crdlift convert --policy idiomatic -w deploy/crds
  crdlift convert --to v1beta1 crd.yaml       for clusters before Kubernetes 1.16
  kubectl get foos -A -o yaml | crdlift convert --check --policy idiomatic --objects - crd.yaml
                                              which fields of these objects would be lost?
  kubectl get crd foos.example.com -o yaml | crdlift convert -`,
		RunE: func(cmd *cobra.Command, paths []string) error { return s.convert(cmd.Context(), f, paths) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	for _, o := range policy.Settings() {
		if o.Flag {
			addChoice(cmd, o.Word(&f.options), o.Name, "", o.Usage, o.Words...)
		}
	}
	f.given = flags.Changed
	flags.BoolVarP(&f.write, "write", "w", false, "rewrite the files in place")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print a unified diff, write nothing")
	flags.BoolVar(&f.check, "check", false, "print the names of files that would change, write nothing")
	flags.StringVar(&f.outputDir, "output-dir", "", "`FOLDER` write the files below it, at their relative paths")
	flags.StringArrayVar(&f.objects, "objects", nil, "`PATH` custom resources, or -: say which of their fields the conversion loses")
	f.configFile.add(cmd)
	addTemplates(cmd, &f.templates)
	flags.BoolVar(&f.allowEmpty, "allow-empty", false, "do not fail if a PATH has no CRD")
	flags.StringArrayVarP(&f.outputNames, "output", "o", nil, "`FORMAT[=PATH]` with --write, --check or --output-dir: how to report, like lint")
	complete(cmd, "output", completeFormats)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "also list the safe changes")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only errors and what needs you")
	return cmd
}

// validate checks what the flags say together.
func (f *convertFlags) validate() error {
	var modes []string
	for _, mode := range []struct {
		name string
		set  bool
	}{{"--write", f.write}, {"--diff", f.diff}, {"--check", f.check}, {"--output-dir", f.outputDir != ""}} {
		if mode.set {
			modes = append(modes, mode.name)
		}
	}
	if len(modes) > 1 {
		return usageError{strings.Join(modes, " and ") + " cannot be used together", "Run 'crdlift convert --help' for usage."}
	}
	if f.verbose && f.quiet {
		return usageError{"--verbose and --quiet cannot be used together", ""}
	}
	if len(f.outputNames) == 0 {
		return nil
	}
	var err error
	f.outputs, err = parseOutputs(f.outputNames)
	if err == nil && f.outputs.onStdout() && (f.diff || f.prints()) {
		err = usageError{"standard output is used for the converted manifest", "Write the findings to a file: --output FORMAT=PATH."}
	}
	return err
}

// config reads the configuration. Where a flag is given, it wins.
func (f *convertFlags) config() (*lint.Config, error) {
	config, err := f.configFile.read()
	if err != nil {
		return nil, err
	}
	for _, o := range policy.Settings() {
		if !o.Once && !(o.Flag && f.given(o.Name)) {
			o.Copy(&f.options, config.Convert)
		}
	}
	return config, nil
}

// writes reports whether files are written.
func (f *convertFlags) writes() bool { return f.write || f.outputDir != "" }

// prints reports whether the converted text goes to standard output.
func (f *convertFlags) prints() bool { return !f.writes() && !f.diff && !f.check }

// inputs finds the files and checks that the flags can do something with them.
func (f *convertFlags) inputs(paths []string, config *lint.Config) (*finder, error) {
	if len(paths) == 0 {
		return nil, usageError{"nothing to convert", "Name files or folders, or - for standard input."}
	}
	found := &finder{own: []reserved{{config.Path, theConfiguration}}, outputs: f.outputs.paths()}
	if f.outputDir != "" {
		// Missing is fine: then there is nothing in it to pass over.
		found.skip, _ = worktree.RealPath(f.outputDir)
	}
	stdin := 0
	for _, path := range paths {
		if path == stdinPath {
			stdin++
		}
		found.find(path)
	}
	if stdin > 0 && (len(paths) > 1 || f.writes()) {
		return nil, usageError{"- cannot be combined with other paths, --write or --output-dir", "The result goes to standard output."}
	}
	if f.prints() && (len(paths) > 1 || found.walked) {
		return nil, usageError{"only a single file can go to standard output",
			"For folders and several files, use --write to rewrite them in place, --diff or --check to look first, or --output-dir to write them elsewhere."}
	}
	found.leaveOut(config)
	return found, nil
}

func (s *session) convert(ctx context.Context, f convertFlags, paths []string) error {
	f.maxFileSize = s.maxFileSize
	if err := f.validate(); err != nil {
		return err
	}
	config, err := f.config()
	if err != nil {
		return err
	}
	found, err := f.inputs(paths, config)
	if err != nil {
		return err
	}
	objects, err := f.findObjects(found)
	if err != nil {
		return err
	}
	s.failAll(found.errs)
	if err := f.outputs.guard(found.reserved()); err != nil {
		return err
	}
	ctx, stop := untilInterrupt(ctx, f.writes())
	defer stop()
	run := &convertRun{batch: s.newBatch(found), flags: f, file: convertAny}
	if f.templates == templatesOff {
		run.file = convertRendered
	}
	if f.outputDir != "" {
		if run.mirror, err = newMirror(f.outputDir, "", found.inputs); err != nil {
			return err
		}
	}
	if forEach(ctx, &run.batch, run.work, run.collect) && !f.allowEmpty {
		s.complain(found)
	}
	if err := run.writeFindings(); err != nil {
		return err
	}
	if !f.quiet {
		run.summary.print(s.stderr, f)
	}
	return run.tellLosses(ctx, objects)
}

// shown is a file's name in findings.
var shown = worktree.Shown

// slashed is how output names a file, on every system.
func slashed(path string) string { return filepath.ToSlash(path) }
