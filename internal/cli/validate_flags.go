package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// validateFlags are the flags of `crdlift validate`. Those that it shares with `crdlift lint` are of that command.
type validateFlags struct {
	lintFlags
	crds            []string
	on              string
	fieldValidation string
	missingCRD      string
	oldObjects      string
	list            string
	limit           int
	maxObjectSize   limit.Size
	as              string
	showValues      string
	anonymous       bool
}

// add defines the flags.
func (f *validateFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.crds, "crds", nil, "`PATH|REVISION` the CRDs, besides those in PATHs, may be repeated; if ambiguous, prefix it with git: or path:")
	addChoice(cmd, &f.on, "on", "", "request to check; all tries each until one is rejected (default create, or update for objects from a cluster)", rules.Operations()...)
	addChoice(cmd, &f.fieldValidation, "field-validation", "", "whether unknown fields are errors, warnings or ignored (default strict)", config.FieldValidations()...)
	addChoice(cmd, &f.missingCRD, "missing-crd", "", "what to do about custom resources without a CRD (default ignore)", config.MissingCRDs()...)
	flags.StringVar(&f.oldObjects, "old-objects", "", "`REVISION` check updates from the objects of a git revision, folder or file; if ambiguous, prefix it with git: or path:")
	flags.StringVar(&f.Against, "against", "", "`REVISION` check what happens to objects when the CRDs of this git revision, folder or file are replaced by the others; - is the output of 'kubectl get crd -o yaml'")
	addCommon(cmd, &f.Flags, "exact", "apply")
	flags.BoolVar(&f.ForceConflicts, "force-conflicts", false, "take fields from other field managers (default: as kustomize-controller and helm-controller do)")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what the API server would store of the files as a unified diff; with --fix: what that would change, and write nothing")
	flags.StringVar(&f.as, "as", "", "`stored|served[=VERSION]` with --diff: how objects are shown (default stored)")
	addCommon(cmd, &f.Flags, "output")
	flags.BoolVar(&f.fix, "fix", false, "remove in place what the API server drops anyway")
	flags.BoolVar(&f.unsafe, "unsafe-fixes", false, "with --fix: also rename misspelt fields")
	flags.BoolVar(&f.defaults, "write-defaults", false, "with --fix: also write the defaults that the API server adds; the field manager that applies the files then owns these fields")
	flags.StringVar(&f.list, "list", "", "`FILE` write one line for each object to it; - is standard output")
	flags.IntVar(&f.limit, "limit", 0, "`N` text output: report similar findings once, with the first N places; 0 reports each (default 3 for objects from clusters, else 0)")
	addCommon(cmd, &f.Flags, "only", "config", "config-from", "no-inline-ignores", "rule", "baseline", "write-baseline")
	addChoice(cmd, &f.showValues, "show-values", "", "whether excerpts, diffs and messages show values of objects (default auto: no values from clusters, and no secrets)", rules.ShowValues()...)
	flags.BoolVar(&f.anonymous, "anonymous", false, "show hashes instead of names and namespaces of objects")
	addCommon(cmd, &f.Flags, "all-files")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if there is no custom resource, or no CRD")
	flags.Var(&f.maxObjectSize, "max-object-size", "largest object that the API server accepts")
	addCommon(cmd, &f.Flags, "quiet")
}

// check checks what the flags say together.
func (f *validateFlags) check(paths []string) error {
	switch {
	case readsTwice(f.crds, []string{f.oldObjects, f.Against}, paths):
		return run.UsageError("standard input can be read only once", "name a file for all but one of PATH, --crds, --old-objects and --against")
	case f.Exact && f.oldObjects == "" && f.Against == "":
		return run.UsageError("--exact needs --old-objects or --against", "add one of them, or leave out --exact")
	case f.Against != "" && (f.oldObjects != "" || f.on != "" || f.diff || f.fix):
		return run.UsageError("--against cannot be used with --old-objects, --on, --diff or --fix", "run crdlift a second time without --against, which tries all writes of the objects as they are")
	case f.as != "" && (!f.diff || f.fix):
		return run.UsageError("--as needs --diff without --fix", "use --diff alone: --as says what the diff shows of the objects")
	case f.unsafe && !f.fix:
		return run.UsageError("--unsafe-fixes needs --fix", "add --fix")
	case f.defaults && !f.fix:
		return run.UsageError("--write-defaults needs --fix", "add --fix, or --fix --diff to see what it would write; --diff alone shows the defaults, too")
	case f.fix && !f.diff && f.showValues != "always" && slices.Contains(paths, run.Stdin):
		return run.UsageError("--fix of standard input prints values of objects", "add --show-values always to allow that")
	}
	if err := f.checkOutputs("--fix or --diff"); err != nil {
		return err
	}
	if f.ignores() && (f.anonymous || f.Against != "") {
		return run.UsageError("--output argocd-ignore cannot be used with --anonymous or --against", "run crdlift a second time without argocd-ignore, which names objects as they are")
	}
	fixed := f.takesStdout(paths)
	switch taken := f.Outputs.OnStdout() && len(f.OutputNames) > 0; {
	case f.list == run.Stdin && fixed:
		return run.UsageError("standard output is used for the list, the diff or the fixed manifest", "write the list to a file: --list FILE")
	case f.list == run.Stdin && taken:
		return run.UsageError("standard output is used for the list", "write the findings to a file: --output FORMAT=PATH")
	case fixed && taken:
		return run.UsageError("standard output is used for the diff or the fixed manifest", "write the findings to a file: --output FORMAT=PATH")
	}
	return nil
}

// ignores reports whether the run says what Argo CD is to ignore.
func (f *validateFlags) ignores() bool { return f.Outputs.Has(run.FormatArgoCDIgnore) }

// settings puts --field-validation and --missing-crd, or what the configuration says of them, into the severities of the
// rules, where neither --rule nor the configuration sets those.
func (f *validateFlags) settings(c *lint.Config) {
	set := func(flag, rule string, chosen, configured *lint.Severity) {
		_, ruled := c.CommandLine.Rules[rule]
		if _, named := c.Rules[rule]; flag == "" && configured != nil && !named && !ruled {
			c.Rules = with(c.Rules, rule, *configured)
		}
		if flag != "" && !ruled {
			c.CommandLine.Rules = with(c.CommandLine.Rules, rule, *chosen)
		}
	}
	set(f.fieldValidation, rules.UnknownObjectField, config.FieldValidation(f.fieldValidation), c.Validate.Unknown)
	set(f.missingCRD, rules.MissingCRD, config.MissingCRD(f.missingCRD), c.Validate.Missing)
}

// with is a map with one more entry.
func with(all map[string]lint.Severity, rule string, s lint.Severity) map[string]lint.Severity {
	out := map[string]lint.Severity{rule: s}
	for id, other := range all {
		if id != rule {
			out[id] = other
		}
	}
	return out
}

// preview is the form of objects that --diff shows; nil where it shows none.
func (f *validateFlags) preview() (*rules.As, error) {
	if !f.diff || f.fix {
		return nil, nil
	}
	form, version, versioned := strings.Cut(f.as, "=")
	switch {
	case form == "served" && (!versioned || version != ""):
		return &rules.As{Served: true, Version: version}, nil
	case (form == "" || form == "stored") && !versioned:
		return &rules.As{}, nil
	}
	return nil, run.UsageError(fmt.Sprintf("--as: %q is not one of stored, served, served=VERSION", f.as), "")
}
