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
		RunE:  func(cmd *cobra.Command, paths []string) error { return s.convert(cmd.Context(), f, paths) },
	}
	flags := cmd.Flags()
	for _, o := range policy.Settings() {
		if o.Flag {
			addChoice(cmd, o.Word(&f.options), o.Name, "", o.Usage, o.Words...)
		}
	}
	f.given = flags.Changed
	f.rewriteModes.add(flags)
	flags.StringArrayVar(&f.objects, "objects", nil, "`PATH` custom resources, or -: report which of their fields the conversion loses")
	addCommon(cmd, &f.Flags, "config", "config-from", "templates", "found")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if a PATH has no CRD")
	flags.StringArrayVarP(&f.OutputNames, "output", "o", nil, "`FORMAT[=PATH]` with --write, --check or --output-dir: how to report, like lint")
	complete(cmd, "output", completeBefore(run.Formats(), 0))
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
