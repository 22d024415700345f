package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/rules"
)

// migrateFlags are the flags of `crdlift migrate`. Those that it shares are of the commands that have them as well.
type migrateFlags struct {
	lintFlags
	webhookAddress
	modes             rewriteModes
	to, references    string
	from, kinds, loss []string
	crds              []string
	annotations       bool
}

// sentThere is what to know of the address of a webhook.
const sentThere = "crdlift then sends values of your files there"

func migrateCommand(s *session) *cobra.Command {
	f := migrateFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutMigrations, GoTypes: run.GoOff}}}
	f.caution = sentThere
	cmd := &cobra.Command{
		Use:   "migrate --to VERSION [flags] PATH... [-- COMMAND...]",
		Short: "Migrate custom resources to another version of their CRD",
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.migrate(cmd.Context(), &f, f.divide(cmd, args))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "`VERSION|GROUP/VERSION|storage` migrate to this version, where a CRD has it; storage is each CRD's storage version")
	flags.StringSliceVar(&f.kinds, "kind", nil, "`KIND,...` only objects of these kinds")
	flags.StringSliceVar(&f.from, "from", nil, "`VERSION,...` only objects at these versions")
	flags.StringArrayVar(&f.crds, "crds", nil, "`PATH|REVISION` the CRDs, besides those in PATHs, may be repeated; if ambiguous, prefix it with git: or path:")
	f.webhookAddress.add(flags)
	f.modes.add(flags)
	flags.StringSliceVar(&f.loss, "allow-loss", nil, "`FIELD,...` fields that may get lost, such as spec.legacy")
	addChoice(cmd, &f.references, "references", "", "what to do about references to migrated objects (default write)", rules.References()...)
	flags.BoolVar(&f.annotations, "keep-annotations", false, "write the annotations in which a webhook keeps values for the way back")
	addCommon(cmd, &f.Flags, "found")
	flags.BoolVar(&f.AllowEmpty, "allow-empty", false, "do not fail if a PATH has no custom resource")
	addCommon(cmd, &f.Flags, "output", "config", "config-from", "severity", "baseline", "quiet")
	return cmd
}

// check checks what the flags say together.
func (f *migrateFlags) check(paths []string) (err error) {
	switch {
	case f.to == "":
		return run.UsageError("--to is missing", "name the version to migrate to: --to v1, --to GROUP/v1, or --to storage")
	case readsTwice(f.crds, paths):
		return run.UsageError("standard input can be read only once", "name a file for all but one of PATH and --crds")
	}
	if err := f.modes.exclude(); err != nil {
		return err
	}
	if err := f.modes.checkPaths("migrate", paths); err != nil {
		return err
	}
	if err := f.webhookAddress.check(); err != nil {
		return err
	}
	if err := f.checkOutputs(""); err != nil {
		return err
	}
	shown := f.modes.prints() || f.modes.diff
	f.showsFiles = shown || f.modes.check && len(f.OutputNames) == 0
	if shown && f.Outputs.ForPrograms() {
		return run.UsageError("standard output is used for the diff or the migrated manifest", "write the findings to a file: --output FORMAT=PATH")
	}
	return nil
}

// migrate carries objects to another version.
func (s *session) migrate(ctx context.Context, f *migrateFlags, paths []string) (err error) {
	defer run.SurviveAll(&err)
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, f.modes.writes())
	defer stop()
	r, err := s.newMigrateRun(ctx, f, paths)
	if err != nil || r == nil {
		return err
	}
	end := f.serve(ctx, s)
	if end == nil {
		return nil
	}
	defer end()
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	all.Carried.Would = f.modes.check || f.modes.diff
	r.tellUnasked()
	r.tellNothing(all.Carried)
	if all.Carried.Files > 0 && (f.modes.check || f.modes.diff) {
		r.Worsen(run.ExitFindings)
	}
	return r.finish(all)
}
