package cli

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
)

// convertFlags are the flags of `crdlift convert`.
type convertFlags struct {
	run.Flags                // without an output, the notes are lines on standard error
	options   policy.Options // of the flags, then also of the configuration
	given     func(flag string) bool
	rewriteModes
	objects []string // whose fields the conversion must not lose
	verbose bool
}

// validate checks what the flags say together.
func (f *convertFlags) validate() error {
	if err := f.exclude(); err != nil {
		return err
	}
	if f.verbose && f.Quiet {
		return run.UsageError("--verbose and --quiet cannot be used together", "use one of them")
	}
	if len(f.OutputNames) == 0 {
		return nil
	}
	var err error
	f.Outputs, err = run.ParseOutputs(f.OutputNames)
	if err == nil && f.Outputs.OnStdout() && (f.diff || f.prints()) {
		err = run.UsageError("standard output is used for the converted manifest", "write the findings to a file: --output FORMAT=PATH")
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

// checkPaths checks that the flags can do something with the paths.
func (f *convertFlags) checkPaths(paths []string) error {
	if err := f.rewriteModes.checkPaths("convert", paths); err != nil {
		return err
	}
	if len(f.objects) > 0 && f.options.To == policy.V1beta1 {
		return run.UsageError("--objects cannot be used with --to v1beta1", "leave out one of them: --objects reports which fields of stored objects v1 loses")
	}
	if len(f.objects) > 0 && readsTwice(paths, f.objects) {
		return run.UsageError("standard input (-) can be read only once", "write the CRDs or the objects to a file first")
	}
	return nil
}
