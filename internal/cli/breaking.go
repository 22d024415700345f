package cli

import (
	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
)

func breakingCommand(s *session) *cobra.Command {
	f := lintFlags{Flags: run.Flags{About: run.AboutChanges}}
	cmd := &cobra.Command{
		Use:        "breaking [flags] [PATH...]",
		SuggestFor: []string{"changes", "changelog", "compare", "diff"},
		Short:      "Find breaking changes to an API",
		RunE: func(cmd *cobra.Command, paths []string) error {
			return s.lint(cmd.Context(), f, paths)
		},
	}
	cmd.Flags().StringVar(&f.Against, "against", "", "`REVISION` compare with"+ofOldSide)
	cmd.Flags().StringVar(&f.Require, "require", "", "`NEEDED` report what the CRDs at PATH lack that a program built for these needs:"+ofOldSide)
	addCommon(cmd, &f.Flags, "exact", "apply", "output", "only", "config", "config-from", "no-inline-ignores", "rule", "go", "baseline", "cache", "templates")
	addCommon(cmd, &f.Flags, "all-files")
	cmd.Flags().BoolVar(&f.AllowEmpty, "allow-empty", false, ofEmpty)
	addCommon(cmd, &f.Flags, "copies", "quiet")
	return cmd
}
