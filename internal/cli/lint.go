package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
)

const lintLong = `Validates CustomResourceDefinitions like the API server and reports what it rejects, with line and
column. Other rules report what the server accepts although it never works, loses data or surprises
users. v1 manifests are checked with the validation of the newest API server, v1beta1 manifests with
that of Kubernetes 1.21, the last version that served them.

A PATH is a file, a folder, or - for standard input. The default is the paths of the configuration,
or the working directory. A PATH without any CRD is an error, even if the configuration excludes its
files. Folders are searched for *.yaml, *.yml and *.json; .gitignore is honoured, and vendor,
node_modules and folders whose name begins with a dot are skipped unless you name them. Documents
that are not CRDs are skipped and counted. A file that you name is judged whatever it is for, unless
--found says that a program names it.

Where a kustomization lists the CRDs, they are judged as it builds them, too, like 'kustomize build'
from local files and without plugins. What only the build has is reported in the patch that wrote
it. With --kustomize, what FOLDER builds is judged alone. Such findings have no fixes.

Each finding ends with the [rule] that reports it; 'crdlift explain RULE' says why it matters, what
to do, and when to ignore it. Rules, severities, ignores and excluded files are configured in
.crdlift.yaml, in the working directory or above it. In a manifest, '# crdlift:ignore RULE --
reason' ignores a finding at that place.

With --new-only, findings that an earlier version also has are left out, and changes that break the
API are reported, as by 'crdlift breaking'. The earlier version is a git revision, a folder or
file, or a dump from a cluster by 'kubectl get crd -o yaml'; of a revision it is the commit where
HEAD forked off.

With --fix-go, CRDs that are generated from Go types are fixed there: markers are written above
the fields and types, and the manifests stay as they are until you run the generator again.

Exit codes: 0 no findings at or above --fail-on; 1 such findings, text that does not parse, or
--diff found something to rewrite; 2 wrong usage, unreadable files, a PATH or an old side without
any CRD, or git failed.

Colours: NO_COLOR=1 turns them off, FORCE_COLOR=1 turns them on without a terminal.`

const lintExample = `  crdlift lint config/crd                     lint a folder, with what its patches make of the CRDs
  crdlift lint --fix config/crd               repair what has one right answer
  crdlift lint --fix --unsafe-fixes --diff .  show everything that could be repaired
  crdlift lint --fix-go config/crd/bases      write markers; then run 'make manifests'
  crdlift lint --rule schema-float=warning --fail-on warning .
  crdlift lint --output text --output sarif=crdlift.sarif .
  crdlift lint --kubernetes-version 1.27 crd.yaml
  crdlift lint --new-only origin/main config/crd
  crdlift lint --kustomize config/overlays/production
  kubectl get crd foos.example.com -o yaml | crdlift lint -`

func lintCommand(s *session) *cobra.Command {
	f := lintFlags{}
	cmd := &cobra.Command{
		Use:        "lint [flags] [PATH...]",
		SuggestFor: []string{"check", "fix"},
		Short:      "Find what the API server rejects, and what is broken in practice",
		Long:       lintLong,
		Example:    lintExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return s.lint(cmd.Context(), f, paths)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
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
