package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
)

// addCommon defines flags that several commands have, in this order.
func addCommon(cmd *cobra.Command, f *run.Flags, names ...string) {
	flags := cmd.Flags()
	for _, name := range names {
		switch name {
		case "output":
			flags.StringArrayVarP(&f.OutputNames, name, "o", nil, "`FORMAT[=PATH]` report in this format, and to this file; may be repeated: "+strings.Join(run.FormatsOf(f.About), ", ")+" (default text)")
			complete(cmd, name, completeBefore(run.FormatsOf(f.About), 0))
		case "exact":
			flags.BoolVar(&f.Exact, name, false, "compare with the revision itself, and not with the commit where HEAD forked off it")
		case "only":
			flags.StringSliceVar(&f.Only, name, nil, "`RULE,...` run only the rules that match these names or globs")
			complete(cmd, name, completeRules)
		case "config":
			flags.StringVar(&f.ConfigFile, name, "", "`FILE` the configuration; off for none (default: .crdlift.yaml in the working directory or above it)")
		case "config-from":
			flags.StringVar(&f.ConfigFrom, name, "", "`REVISION` read the configuration and the baseline from it; newer ignores, files and folders hide nothing")
		case "no-inline-ignores":
			flags.BoolVar(&f.NoInline, name, false, "do not apply crdlift:ignore comments in manifests")
		case "rule": // and the others that set configuration
			addChoice(cmd, &f.Preset, "preset", "", "set of rules to run (default recommended)", lint.Presets()...)
			addCommon(cmd, f, "severity")
			addChoice(cmd, &f.MinSeverityText, "min-severity", "", "lowest severity to report; findings that make the run fail are always reported (default info)", "error", "warning", "info", run.Never)
			if f.About == run.AboutSuites { // which run on several
				continue
			}
			flags.StringVar(&f.KubernetesVersion, "kubernetes-version", "", "`VERSION` the oldest Kubernetes that the CRDs are for, such as 1.27")
		case "severity": // of rules that no preset leaves out
			flags.StringArrayVar(&f.Rules, "rule", nil, "`RULE=SEVERITY` severity of the rules that match a name or glob, may be repeated: off, info, warning, error")
			complete(cmd, "rule", completeSeverities)
			addChoice(cmd, &f.FailOnText, "fail-on", "", "lowest severity that makes the exit code 1 (default error)", "error", "warning", "info", run.Never)
		case "go":
			flags.StringVar(&f.GoTypes, name, "", "`auto|off|PATH` where the Go types are that the CRDs are generated from (default auto: around each CRD)")
		case "baseline":
			flags.StringVar(&f.Baseline, name, "", "`FILE` skip the findings that it has")
		case "write-baseline":
			flags.StringVar(&f.NewBaseline, name, "", "`FILE` write all findings there, for --baseline, and report none")
		case "cache":
			flags.StringVar(&f.Cache, name, "", "`FOLDER` keep results there, and do not check unchanged files again")
		case "apply":
			addChoice(cmd, &f.Apply, name, "", "how manifests get into clusters (default any; for objects from a cluster auto, as managedFields show)", lint.Ways()...)
			flags.StringVar(&f.FieldManager, "field-manager", "", "`NAME` the field manager of server-side apply (default: the one in managedFields)")
		case "all-files":
			flags.BoolVar(&f.AllFiles, name, false, "check all files: tests, old releases, copies and third-party CRDs, too")
		case "found":
			flags.BoolVar(&f.Found, name, false, "treat named files like files found in a folder, for hooks that name all changed files")
		case "copies":
			flags.BoolVar(&f.Copies, name, false, "list each copy of a CRD that has the findings of its source")
		case "templates":
			addChoice(cmd, &f.Templates, name, "", "Helm templates: read them as they are (auto, the default), or skip them (off)", "auto", run.TemplatesOff)
		case "quiet":
			flags.BoolVarP(&f.Quiet, name, "q", false, "print only findings, no summary")
		default:
			panic("no command has the flag --" + name)
		}
	}
}

// ofOldSide describes the flag that names the older side.
const ofOldSide = " a git revision, a folder, a file, or - for standard input; if ambiguous, prefix it with git: or path:"

// ofEmpty describes --allow-empty of commands that look for CRDs.
const ofEmpty = "do not fail if a PATH or the earlier version has no CRD"

// lintFlags are the flags of the commands that report findings.
type lintFlags struct {
	run.Flags
	places                   int  // as report.Options has them
	requests                 bool // as report.Options has it
	diff, fix, fixGo, unsafe bool
	defaults                 bool // write those of custom resources as well
	showsFiles               bool // standard output has files or their names, and no findings
}

// check checks what the flags of `crdlift lint` and `crdlift breaking` say together.
func (f *lintFlags) check(paths []string) (err error) {
	switch {
	case f.unsafe && !f.fixes():
		return run.UsageError("--unsafe-fixes needs --fix, --fix-go or --diff", "add one of them")
	case f.fixGo && f.GoTypes == run.GoOff:
		return run.UsageError("--fix-go cannot be used with --go off", "use --go auto, which looks for the Go types around each CRD")
	case f.Kustomize != "" && f.fixes():
		return run.UsageError("--kustomize cannot be used with --fix, --fix-go or --diff", "fix the bases: crdlift lint --fix PATH, or --fix-go PATH if they are generated from Go types")
	case f.Kustomize != "" && f.Against != "":
		return run.UsageError("--kustomize and --new-only cannot be used together", "compare the bases: crdlift lint --new-only REV PATH")
	case f.Require != "" && f.Against != "":
		return run.UsageError("--require and --against cannot be used together", "run crdlift breaking once for each of them")
	case f.Require != "" && (f.Apply != "" || f.FieldManager != "" || f.Exact):
		return run.UsageError("--require cannot be used with --apply, --field-manager or --exact", "leave these out: they are about CRDs that replace earlier ones")
	case f.Exact && f.Against == "" && f.About == run.AboutChanges:
		return run.UsageError("--exact needs --against", "add --against REVISION; otherwise crdlift compares with where HEAD branched off the main branch")
	case f.Exact && f.Against == "":
		return run.UsageError("--exact needs --new-only", "add --new-only REVISION, or leave out --exact")
	}
	if f.Require != "" { // whoever ships a CRD, and whatever it is for
		f.Against, f.Exact, f.AllFiles = f.Require, true, true
	}
	if err := f.checkOutputs("--fix, --fix-go or --diff"); err != nil {
		return err
	}
	if f.takesStdout(paths) && f.Outputs.ForPrograms() { // those for people go to standard error then
		return run.UsageError("standard output is used for the diff or the fixed manifest", "write the findings to a file: --output FORMAT=PATH")
	}
	return nil
}

// checkOutputs reads what findings are to be written to. A baseline goes with none of the flags that make or show fixes.
func (f *lintFlags) checkOutputs(fixing string) (err error) {
	switch {
	case f.NewBaseline != "" && f.fixes():
		return run.UsageError("--write-baseline cannot be used with "+fixing, "fix first, then write the baseline")
	case f.NewBaseline != "" && f.Baseline != "":
		return run.UsageError("--write-baseline and --baseline cannot be used together", "leave out --baseline: a new baseline has all findings")
	case f.Baseline == run.Stdin || f.NewBaseline == run.Stdin:
		return run.UsageError("a baseline must be a file, because its paths are relative to its folder", "name a file; ./- is a file of that name")
	}
	f.Outputs, err = run.ParseOutputsOf(run.FormatsOf(f.About), f.OutputNames)
	return err
}

// fixes reports whether fixes are made or shown.
func (f *lintFlags) fixes() bool { return f.fix || f.fixGo || f.diff }

// fixesManifests reports whether fixes in manifests are made or, with --diff, shown.
func (f *lintFlags) fixesManifests() bool { return f.fix || f.diff && !f.fixGo }

// writes reports whether manifests or Go files are changed.
func (f *lintFlags) writes() bool { return !f.diff && (f.fix || f.fixGo) }

// takesStdout reports whether standard output has the fixed text, or its diff.
func (f *lintFlags) takesStdout(paths []string) bool {
	return f.showsFiles || f.diff || f.fix && slices.Equal(paths, []string{run.Stdin})
}
