package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
)

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

In a folder, CRDs of tests, old releases, documentation and third parties stay as they are, and are
counted; crdlift roles shows which these are. --output-dir has all files.

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
	f.rewriteModes.add(flags)
	flags.StringArrayVar(&f.objects, "objects", nil, "`PATH` custom resources, or -: say which of their fields the conversion loses")
	addCommon(cmd, &f.Flags, "config", "config-from", "templates", "found")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if a PATH has no CRD")
	flags.StringArrayVarP(&f.OutputNames, "output", "o", nil, "`FORMAT[=PATH]` with --write, --check or --output-dir: how to report, like lint")
	complete(cmd, "output", completeFormats(run.Formats()))
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "also list the safe changes")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print only errors and what needs you")
	return cmd
}

func (s *session) convert(ctx context.Context, f convertFlags, paths []string) error {
	if err := f.validate(); err != nil {
		return err
	}
	c, err := f.ReadConfig()
	if err != nil {
		return err
	}
	f.settings(c)
	if err := f.checkPaths(paths); err != nil {
		return err
	}
	f.Skip = f.passOver()
	objects := s.FindAll(f.objects...)
	ctx, stop := run.UntilInterrupt(ctx, f.writes())
	defer stop()
	base, err := s.Prepare(ctx, &f.Flags, c, paths)
	if err != nil {
		return err
	}
	r := &convertRun{Run: base, flags: f, file: convertAny, leftOut: map[lint.Role]int{}}
	if f.Templates == run.TemplatesOff {
		r.file = convertRendered
	}
	if r.mirror, err = f.rewriteModes.mirror(base); err != nil {
		return err
	}
	if run.Each(ctx, base, r.work, r.collect) && !f.AllowEmpty {
		r.Complain()
	}
	if err := r.writeFindings(); err != nil {
		return err
	}
	if !f.Quiet {
		r.summary.print(s.Stderr, f)
		if left := report.LeftOutParts(r.leftOut); len(left) > 0 {
			fmt.Fprintf(s.Stderr, "left out: %s; name the file to convert it\n", strings.Join(left, ", "))
		}
	}
	return r.tellLosses(ctx, objects)
}
