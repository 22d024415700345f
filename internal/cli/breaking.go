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
		Long: `Compares CustomResourceDefinitions with an earlier version and reports changes that affect the users
of the API: fields that were removed, values that are no longer accepted, versions that cannot be
removed yet, updates that the API server rejects. It does not report mistakes that the earlier
version already has; 'crdlift lint' does.

A PATH is a file, a folder, or - for standard input. The default is the paths of the configuration,
or the working directory. CRDs are matched by metadata.name, whatever their file and API version.

With --require, the CRDs that a program was built for take the place of an earlier version. What it
needs and the CRDs at PATH lack, reject or drop is reported, and what they accept though the program
does not expect it. What they have besides is fine. Every version counts as stable.

Without --against, CRDs are compared with the commit where HEAD branched off the main branch:
origin/HEAD, or else origin/main, origin/master, main or master.

The severity of a finding depends on the stability of the version: changes of alpha versions are
infos, and changes below status at most warnings. 'compatibility' in .crdlift.yaml changes that.
Rules, ignores and excluded files are configured as for 'crdlift lint'.

--output markdown writes a changelog of the API for release notes. It includes additions, and all
findings, whatever --min-severity is.

Exit codes: 0 no findings at or above --fail-on; 1 such findings, or text that does not parse;
2 wrong usage, unreadable files, a PATH or an old side without any CRD, or git failed.`,
		Example: `  crdlift breaking                              what this branch changes
  crdlift breaking --against v1.2.0 config/crd  what this release changes
  crdlift breaking --against v1.2.0 --output markdown=api-changes.md config/crd
  kubectl get crd -o yaml | crdlift breaking --against - config/crd
  kubectl get crd -o yaml | crdlift breaking --require vendor/crds -`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return s.lint(cmd.Context(), f, paths)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&f.Against, "against", "", "`REVISION` compare with"+ofOldSide)
	cmd.Flags().StringVar(&f.Require, "require", "", "`NEEDED` report what the CRDs at PATH lack of those that a program was built for:"+ofOldSide)
	addCommon(cmd, &f.Flags, "exact", "apply", "output", "only", "config", "config-from", "no-inline-ignores", "rule", "go", "baseline", "cache", "templates")
	addCommon(cmd, &f.Flags, "all-files")
	cmd.Flags().BoolVar(&f.AllowEmpty, "allow-empty", false, ofEmpty)
	addCommon(cmd, &f.Flags, "copies", "quiet")
	return cmd
}
