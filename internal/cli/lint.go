package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
)

func lintCommand(s *session) *cobra.Command {
	f := lintFlags{}
	cmd := &cobra.Command{
		Use:        "lint [flags] [PATH...]",
		SuggestFor: []string{"check", "fix"},
		Short:      "Find what the API server rejects, and what does not work in practice",
		RunE: func(cmd *cobra.Command, paths []string) error {
			return s.lint(cmd.Context(), f, paths)
		},
	}
	flags := cmd.Flags()
	addCommon(cmd, &f.Flags, "output")
	flags.BoolVar(&f.fix, "fix", false, "apply safe fixes in place")
	flags.BoolVar(&f.fixGo, "fix-go", false, "write the markers that fix generated CRDs into the Go types")
	flags.BoolVar(&f.unsafe, "unsafe-fixes", false, "with --fix, --fix-go or --diff: also apply fixes that change behaviour or guess the intent")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what --fix or --fix-go would change as a unified diff, write nothing")
	flags.StringVar(&f.Against, "new-only", "", "`REVISION` report only what is new since"+ofOldSide)
	addCommon(cmd, &f.Flags, "exact")
	flags.StringVar(&f.Kustomize, "kustomize", "", "`FOLDER` instead of a PATH: lint the CRDs that 'kustomize build' builds from it")
	addCommon(cmd, &f.Flags, "only", "config", "config-from", "no-inline-ignores", "rule", "go", "baseline", "write-baseline", "cache", "templates")
	addCommon(cmd, &f.Flags, "all-files", "found")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, ofEmpty)
	addCommon(cmd, &f.Flags, "copies", "quiet")
	return cmd
}

func (s *session) lint(ctx context.Context, f lintFlags, paths []string) error {
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, f.writes())
	defer stop()
	c, err := f.ReadConfig()
	if err != nil {
		return err
	}
	r, err := s.newLintRun(ctx, &f, c, paths)
	if err != nil {
		return err
	}
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	if f.fixGo && ctx.Err() == nil {
		if err := r.fixGo(all); err != nil {
			return err
		}
	}
	defer r.SaveCache(r.linter)
	return r.finish(all)
}
