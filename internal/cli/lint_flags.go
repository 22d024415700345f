package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// lintFlags are the flags of `crdlift lint` and `crdlift breaking`.
type lintFlags struct {
	configFlags
	runFlags
	lint.Options
	places                int  // as report.Options has them
	requests              bool // as report.Options has it
	fix, fixGo, unsafe    bool
	baseline, newBaseline string
	against               string
	exact                 bool
	only                  []string
	kustomize             string
	cache                 string // a folder; "" for none
	goTypes               string
}

// addOutput defines the flags for the output.
func (f *lintFlags) addOutput(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputNames, "output", "o", nil, "`FORMAT[=PATH]` how to report, and where to, may be repeated: "+strings.Join(formats(), ", ")+" (default text)")
	complete(cmd, "output", completeFormats)
}

// addOldSide defines the flags for the older side: the one that names it, and what it is for.
func (f *lintFlags) addOldSide(cmd *cobra.Command, name, usage string) {
	cmd.Flags().StringVar(&f.against, name, "", "`REVISION` "+usage+" a git revision, a folder, a file, or - for standard input; if ambiguous, prefix it with git: or path:")
	f.addExact(cmd)
}

// addExact defines the flag for comparing with a revision as it is.
func (f *lintFlags) addExact(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.exact, "exact", false, "compare with the revision itself, and not with the commit where HEAD forked off it")
}

// addRules defines the flags about which rules speak, and of what.
func (f *lintFlags) addRules(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.addOnly(cmd)
	f.configFlags.add(cmd)
	flags.StringVar(&f.goTypes, "go", "", "`auto|off|PATH` where the Go types are that the CRDs are generated from (default auto: around each CRD)")
	f.addBaseline(cmd)
}

func (f *lintFlags) addOnly(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.only, "only", nil, "`RULE,...` run only the rules that match these names or globs")
	complete(cmd, "only", completeRules)
}

func (f *lintFlags) addBaseline(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "`FILE` skip the findings that it has")
}

func (f *lintFlags) addNewBaseline(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.newBaseline, "write-baseline", "", "`FILE` write all findings there, for --baseline, and report none")
}

// addCache defines the flag for the cache.
func (f *lintFlags) addCache(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cache, "cache", "", "`FOLDER` keep results there, and do not judge again files that have not changed")
}

// addLimits defines the flags for limits, and for messages about the run itself.
func (f *lintFlags) addLimits(cmd *cobra.Command) {
	flags := cmd.Flags()
	addTemplates(cmd, &f.templates)
	flags.BoolVar(&f.allowEmpty, "allow-empty", false, "do not fail if a PATH or the old side has no CRD")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only findings, no summary")
}

// validate checks what the flags say together.
func (f *lintFlags) validate(paths []string) (err error) {
	fixes := f.fix || f.fixGo || f.diff
	switch {
	case f.unsafe && !fixes:
		return usageError{"--unsafe-fixes needs --fix, --fix-go or --diff", ""}
	case f.fixGo && f.goTypes == "off":
		return usageError{"--fix-go cannot be used with --go off", ""}
	case f.newBaseline != "" && fixes:
		return usageError{"--write-baseline cannot be used with --fix, --fix-go or --diff", "Fix first, then write the baseline."}
	case f.newBaseline != "" && f.baseline != "":
		return usageError{"--write-baseline and --baseline cannot be used together", "A new baseline has all findings."}
	case f.baseline == stdinPath || f.newBaseline == stdinPath:
		return usageError{"a baseline must be a file: its paths are relative to its folder", "./- is a file of that name."}
	case f.kustomize != "" && fixes:
		return usageError{"--kustomize cannot be used with --fix, --fix-go or --diff", "The build is not a file. Fix the bases: crdlift lint --fix PATH or, where they are generated from Go types, crdlift lint --fix-go PATH."}
	case f.kustomize != "" && f.against != "":
		return usageError{"--kustomize and --new-only cannot be used together", "Compare the bases: crdlift lint --new-only REV PATH."}
	case f.exact && f.against == "" && f.Changes:
		return usageError{"--exact needs --against", "Without a revision, the comparison is with where HEAD branched off the main branch."}
	case f.exact && f.against == "":
		return usageError{"--exact needs --new-only", ""}
	}
	if f.outputs, err = parseOutputs(f.outputNames); err != nil {
		return err
	}
	if f.takesStdout(paths) && f.outputs.forPrograms() { // those for people go to standard error then
		return usageError{"standard output is used for the diff or the fixed manifest", "Write the findings to a file: --output FORMAT=PATH."}
	}
	return nil
}

// fixesManifests reports whether fixes in manifests are made or, with --diff, shown.
func (f *lintFlags) fixesManifests() bool { return f.fix || f.diff && !f.fixGo }

// writes reports whether manifests or Go files are changed.
func (f *lintFlags) writes() bool { return !f.diff && (f.fix || f.fixGo) }

// takesStdout reports whether standard output has the fixed text, or its diff.
func (f *lintFlags) takesStdout(paths []string) bool {
	return f.diff || f.fix && slices.Equal(paths, []string{stdinPath})
}

// linter is a linter for the new side alone.
func (f *lintFlags) linter(config *lint.Config) (*rules.Linter, error) {
	var err error
	if config.Only, err = f.selected(config); err != nil {
		return nil, err
	}
	types, err := f.findGoTypes(config)
	if err != nil {
		return nil, err
	}
	options := f.Options
	options.Config, options.Additions, options.Edits, options.Rendered = config, f.wantsAdditions(), f.outputs.carryEdits(), f.templates == templatesOff
	options.Baseline, err = f.readBaseline(config)
	return &rules.Linter{Options: options, Go: types}, err
}

// findGoTypes returns where to look for Go types; nil for nowhere.
func (f *lintFlags) findGoTypes(c *lint.Config) (*rules.GoTypes, error) {
	if f.goTypes == goOff || f.goTypes == "" && c.Go.Off {
		return nil, nil
	}
	folders, err := goFolders(f.goTypes, c)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	types := rules.FindGoTypes(here, folders...)
	types.UseModuleCache(gotypes.ModuleCache())
	return types, err
}

// The words that --go takes besides a folder.
const (
	goAuto = "auto"
	goOff  = "off"
)

// goFolders returns the folders that the flag --go or the configuration names; none to look around each
// manifest.
func goFolders(flag string, c *lint.Config) ([]string, error) {
	folders := config.GoFolders(c)
	switch flag {
	case "":
	case goAuto:
		folders = nil
	default:
		folders = []string{flag}
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil {
			return nil, fmt.Errorf("read Go types: %w", unread(err))
		} else if !info.IsDir() {
			return nil, usageError{"Go types: " + shown(folder) + " is not a folder", ""}
		}
	}
	return folders, nil
}

// selected are the rules that --only names; none when all run.
func (f *lintFlags) selected(config *lint.Config) (ids []string, err error) {
	for _, glob := range f.only {
		matched, err := matching(config, glob)
		if err != nil {
			return nil, err
		}
		ids = append(ids, matched...)
	}
	if f.Changes && len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return rules.ByID(id).AboutChange }) {
		return nil, usageError{fmt.Sprintf("--only %s: none of these rules is about changes", strings.Join(f.only, ",")), "'crdlift lint' runs them; 'crdlift explain' lists all rules."}
	}
	return ids, nil
}

// inputs finds the files that the configuration does not exclude.
func (f *lintFlags) inputs(paths []string, c *lint.Config) (*finder, error) {
	if f.kustomize != "" {
		return f.builtInputs(paths, c)
	}
	found := &finder{own: f.own(c), outputs: append(f.outputs.paths(), f.newBaseline)}
	for _, path := range paths {
		if path == stdinPath && len(paths) > 1 {
			return nil, usageError{"- cannot be combined with other paths", "Leave out the other paths."}
		}
		found.find(path)
	}
	found.leaveOut(c)
	return found, nil
}

// own returns the files that configure the run.
func (f *lintFlags) own(c *lint.Config) []reserved {
	return []reserved{{c.Path, theConfiguration}, {config.BaselinePath(c), theBaseline}, {f.baseline, theBaseline}}
}

// readBaseline reads the known findings; nil when there is no baseline.
func (f *lintFlags) readBaseline(c *lint.Config) (*lint.Baseline, error) {
	path := f.baseline
	if path == "" && f.newBaseline == "" {
		path = config.BaselinePath(c)
	}
	if path == "" {
		return nil, nil
	}
	src, err := readSettings(path, f.baseline == "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Sprintf("baseline: %v", unread(err)), "'crdlift lint --write-baseline " + shown(path) + "' writes one."}
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", unread(err))
	}
	return suppress.ReadBaseline(shown(path), src, rules.All())
}

// guard refuses to replace other files by a report or a baseline.
func (f *lintFlags) guard(kept []reserved) error {
	kept = append(kept, reserved{strings.TrimPrefix(f.against, older.PathPrefix), theComparedWith})
	if f.newBaseline == "" {
		return f.outputs.guard(kept) // with a new baseline, there is no report
	}
	kept = slices.DeleteFunc(kept, func(r reserved) bool { return r.what == theBaseline }) // which this one replaces
	if err := guard("--write-baseline ", f.newBaseline, kept); err != nil {
		return err
	}
	src, err := readSettings(f.newBaseline, true)
	if errors.Is(err, fs.ErrNotExist) || err == nil && suppress.LooksLikeBaseline(src) {
		return nil
	}
	if err != nil {
		return unread(err)
	}
	return usageError{fmt.Sprintf("--write-baseline %s would replace a file that is not a baseline", shown(f.newBaseline)), "Name another file, or remove it first."}
}
