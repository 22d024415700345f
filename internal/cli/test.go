package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// testFlags are the flags of `crdlift test`.
type testFlags struct {
	lintFlags
	crds     []string
	run      string
	list     bool
	failFast bool
	verbose  bool
	cover    coverFlags
	features string
	watch    bool
	seen     seen // of --watch
	update   string
	releases []string
	start    initFlags
	rewrite  bool
	accepted []string
	rejected []string
	want     *regexp.Regexp
}

func testCommand(s *session) *cobra.Command {
	f := testFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutSuites, Unasked: map[string]string{}}}}
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Test CRDs: what the API server accepts, rejects and stores",
		RunE: func(cmd *cobra.Command, paths []string) error {
			return s.test(cmd.Context(), &f, paths)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.crds, "crds", nil, "`PATH|REVISION` the CRDs for suites that name none, may be repeated; if ambiguous, prefix it with git: or path:")
	flags.StringVar(&f.run, "run", "", "`REGEXP` run only the cases whose name, such as shelf/size/accept/1, matches it")
	flags.BoolVar(&f.list, "list", false, "print the names of the cases, and run none")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip the other cases of a file after the first failed case")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "name the cases that passed")
	f.cover.add(flags)
	flags.StringArrayVar(&f.accepted, "accepted", nil, "`PATH` objects that have to be accepted, each a case; may be repeated")
	flags.StringArrayVar(&f.rejected, "rejected", nil, "`PATH` objects that have to be rejected; comments \"# rejected: TEXT\" name the causes; may be repeated")
	addChoice(cmd, &f.features, "feature-sets", "", "`all|one` run a suite of openshift/api with the CRDs of all feature sets (default) or of one", "all", "one")
	flags.BoolVar(&f.rewrite, "rewrite", false, "print suites of openshift/api in the format of *.crdtest.yaml")
	flags.BoolVar(&f.watch, "watch", false, "run suites again when they or their CRDs change, until interrupted")
	f.start.add(flags)
	updating := []string{updateStored + "," + updateRejected, updateStored, updateRejected}
	addChoice(cmd, &f.update, "update", "", "write what is stored, and the text of rejections, into the cases that expect something else", updating...)
	flags.Lookup("update").NoOptDefVal = updating[0]
	flags.BoolVarP(&f.diff, "diff", "d", false, "with --update: print what it would write as a unified diff, and write nothing")
	addCommon(cmd, &f.Flags, "output", "only", "config", "config-from", "rule")
	flags.StringArrayVar(&f.releases, "kubernetes-version", nil, "`VERSION` run the cases as this Kubernetes does, such as 1.29; may be repeated (default the newest that crdlift knows)")
	addCommon(cmd, &f.Flags, "go", "quiet")
	return cmd
}

// The words of --update.
const (
	updateStored   = "stored"
	updateRejected = "rejected"
)

// test runs suites.
func (s *session) test(ctx context.Context, f *testFlags, paths []string) (err error) {
	defer run.SurviveAll(&err)
	if f.fix = f.update != ""; f.diff && !f.fix {
		return run.UsageError("--diff needs --update", "add --update, or leave out --diff")
	}
	alone := given([]mode{{"--init", f.start.on}, {"--list", f.list}, {"--rewrite", f.rewrite}, {"--update", f.fix}, {"--watch", f.watch}})
	if len(alone) > 1 {
		return run.UsageError(alone[0]+" and "+alone[1]+" cannot be used together", "run crdlift once for each")
	}
	if f.watch && slices.Contains(paths, run.Stdin) {
		return run.UsageError("--watch cannot be used with standard input", "name files or folders: --watch waits for them to change")
	}
	if err := f.check(paths); err != nil {
		return err
	}
	if f.list && f.Outputs.ForPrograms() {
		return run.UsageError("--list prints names only, so it cannot be used with this --output", "leave out --output, or --list: in the report, each case has a name")
	}
	if err := f.cover.check(); err != nil {
		return err
	}
	if err := f.start.check(); err != nil {
		return err
	}
	if f.want, err = regexp.Compile(f.run); err != nil {
		return run.UsageError(fmt.Sprintf("--run cannot be %q (%v)", f.run, err), "write a regular expression for the names that --list prints")
	}
	if f.watch {
		return s.watch(ctx, f, paths)
	}
	ctx, stop := run.UntilInterrupt(ctx, f.writes() || f.start.on)
	defer stop()
	if f.start.on {
		return s.startSuites(ctx, &f.start, paths)
	}
	return s.runSuites(ctx, f, paths)
}

// runSuites runs them once.
func (s *session) runSuites(ctx context.Context, f *testFlags, paths []string) error {
	c, minors, err := f.configs()
	if err != nil {
		return err
	}
	paths = slices.Concat(paths, f.accepted, f.rejected)
	r, err := s.newLintRun(ctx, &f.lintFlags, c, paths)
	if err != nil {
		return err
	}
	r.linter.Repeats = nil // which are of manifests
	r.linter.Suites = r.suites(ctx, f)
	if r.linter.Suites.Cover, err = r.cover(ctx, &f.cover, f.run != "" || f.list); err != nil {
		return err
	}
	r.linter.Suites.Minors = minors
	if f.watch {
		r.linter.Suites.Uses = f.seen.use
	}
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	if f.watch {
		f.seen.end(r, all)
	}
	if f.rewrite {
		if len(all.Findings) > 0 {
			return r.finish(all)
		}
		if r.Code == 0 && !slices.ContainsFunc(r.files, func(one *rules.FileReport) bool { return one.Rewritten != nil }) {
			return errors.New("--rewrite found no suite of openshift/api; name one, and crdlift prints it in the format of *.crdtest.yaml")
		}
		return nil
	}
	if len(all.Tests) == 0 && r.Code == 0 && !failing(all, f.FailOn) {
		why := "; 'crdlift test --help' shows how to write one"
		if f.run != "" {
			why = fmt.Sprintf(": no name matches %q; 'crdlift test --list' prints the names", f.run)
		}
		r.Fail(errors.New("no case was run" + why))
	}
	if f.list {
		for _, one := range all.Tests {
			r.Print([]byte(text.Harmless(one.Suite+"/"+one.Name) + "\n"))
		}
		if f.Quiet = true; len(all.Findings) == 0 { // as no case was run, none is counted
			return nil
		}
	}
	if f.verbose {
		for _, one := range all.Tests {
			if !one.Failed && one.Skipped == "" {
				r.Say("passed: %s/%s", one.Suite, text.Harmless(one.Name))
			}
		}
	}
	if err := r.finish(all); err != nil {
		return err
	}
	return r.writeCoverage(&f.cover, all.Coverage)
}

// configs reads the configuration for each release that --kubernetes-version names, or else its own. It returns that of the last, which
// differ in nothing else, and the releases.
func (f *testFlags) configs() (c *lint.Config, minors []int, err error) {
	for i := range max(1, len(f.releases)) {
		if len(f.releases) > 0 {
			f.KubernetesVersion = f.releases[i]
		}
		if c, err = f.ReadConfig(); err != nil {
			return nil, nil, err
		}
		if minor := c.KubernetesVersion.Minor; minor != 0 && !slices.Contains(minors, minor) {
			minors = append(minors, minor)
		}
	}
	return c, minors, nil
}

// shown are paths as those of files are shown.
func shown(paths []string) (all []string) {
	for _, p := range paths {
		all = append(all, run.Shown(p))
	}
	return all
}
