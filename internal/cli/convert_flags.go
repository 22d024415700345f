package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
)

// convertFlags are the flags of `crdlift convert`.
type convertFlags struct {
	run.Flags                         // without an output, the notes are lines on standard error
	options            policy.Options // of the flags, then also of the configuration
	given              func(flag string) bool
	write, diff, check bool
	outputDir          string
	objects            []string // whose fields the conversion must not lose
	verbose            bool
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
		return run.UsageError(strings.Join(modes, " and ")+" cannot be used together", "Each does something else with the result: choose one.")
	}
	if f.verbose && f.Quiet {
		return run.UsageError("--verbose and --quiet cannot be used together", "")
	}
	if len(f.OutputNames) == 0 {
		return nil
	}
	var err error
	f.Outputs, err = run.ParseOutputs(f.OutputNames)
	if err == nil && f.Outputs.OnStdout() && (f.diff || f.prints()) {
		err = run.UsageError("standard output is used for the converted manifest", "Write the findings to a file: --output FORMAT=PATH.")
	}
	return err
}

// settings puts what the configuration says of conversions into the options, where no flag does.
func (f *convertFlags) settings(c *lint.Config) {
	for _, o := range policy.Settings() {
		if !o.Once && !(o.Flag && f.given(o.Name)) {
			o.Copy(&f.options, c.Convert)
		}
	}
}

// writes reports whether files are written.
func (f *convertFlags) writes() bool { return f.write || f.outputDir != "" }

// prints reports whether the converted text goes to standard output.
func (f *convertFlags) prints() bool { return !f.writes() && !f.diff && !f.check }

// checkPaths checks that the flags can do something with the paths.
func (f *convertFlags) checkPaths(paths []string) error {
	stdin := slices.Contains(paths, run.Stdin)
	folder := false
	if len(paths) == 1 {
		info, err := os.Stat(paths[0])
		folder = err == nil && info.IsDir()
	}
	switch {
	case len(paths) == 0:
		return run.UsageError("nothing to convert", "Name files or folders, or - for standard input.")
	case stdin && (len(paths) > 1 || f.writes()):
		return run.UsageError("- cannot be combined with other paths, --write or --output-dir", "The result goes to standard output.")
	case f.prints() && (len(paths) > 1 || folder):
		return run.UsageError("only a single file can go to standard output",
			"For folders and several files, use --write to rewrite them in place, --diff or --check to look first, or --output-dir to write them elsewhere.")
	case len(f.objects) > 0 && f.options.To == policy.V1beta1:
		return run.UsageError("--objects cannot be used with --to v1beta1", "It says which fields of stored objects are lost by v1.")
	}
	given := slices.DeleteFunc(slices.Concat(paths, f.objects), func(path string) bool { return path != run.Stdin })
	if len(f.objects) > 0 && len(given) > 1 {
		return run.UsageError("- can only be read once", "Write the CRDs or the objects to a file first.")
	}
	return nil
}
