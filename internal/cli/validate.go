package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

func validateCommand(s *session) *cobra.Command {
	f := validateFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutObjects, GoTypes: run.GoOff}}, maxObjectSize: rules.DefaultMaxSize}
	cmd := &cobra.Command{
		Use:   "validate [flags] [PATH...]",
		Short: "Find what the API server rejects or drops of custom resources",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if cmd.Flags().Changed("limit") {
				if f.limit < 0 {
					return run.UsageError("--limit cannot be negative", "use 0 to show all places")
				}
				f.places = cmp.Or(f.limit, report.AllPlaces)
			}
			if f.Against != "" && !cmd.Flags().Changed("limit") {
				f.places = report.DumpPlaces
			}
			f.requests = f.on == rules.OnAll
			return s.validate(cmd.Context(), f, paths)
		},
	}
	f.add(cmd)
	return cmd
}

func (s *session) validate(ctx context.Context, f validateFlags, paths []string) (err error) {
	defer run.SurviveAll(&err)
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, f.writes())
	defer stop()
	r, err := s.newValidateRun(ctx, &f, paths)
	if err != nil || r == nil {
		return err
	}
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	r.noteUncompared(all.Objects)
	judged := all.Objects.Len() - all.Objects.Count(lint.Unjudged)
	if !f.AllowEmpty && judged == 0 && all.Objects.LeftOut == 0 && s.Code != run.ExitTrouble && !failing(all, f.FailOn) {
		s.Fail(nothingJudged(all))
	}
	if f.ignores() && judged > 0 && !all.Objects.Managed {
		return errors.New("--output argocd-ignore: no object has managedFields; read them with 'kubectl get --show-managed-fields -o yaml'")
	}
	if err := r.list.write(f.list); err != nil {
		return err
	}
	return r.finish(all)
}

// nothingJudged is the error for a run without any object to judge: one whose CRDs are not those of its objects must not look
// like one without mistakes. It is none where roles leave objects out, of which the last line says how many and how to have them judged.
func nothingJudged(all *lint.Report) error {
	const hint = ", or accept that with --allow-empty"
	if n := all.Objects.Len(); n > 0 {
		first := all.Objects.Alike[0]
		return fmt.Errorf("nothing was checked: %s cannot be checked, the first at %s:%d; do what the message about that says%s", text.Count(n, "object"), first.File, first.Line, hint)
	}
	if all.Objects.PassedOver() == 0 {
		return fmt.Errorf("there are only CRDs, and no custom resources; 'crdlift lint' checks CRDs; name custom resources%s", hint)
	}
	names := all.Objects.Missing()
	if len(names) == 0 {
		return fmt.Errorf("nothing was checked: there is no custom resource, or only a part of one, such as a patch; name other paths%s", hint)
	}
	return fmt.Errorf("nothing was checked: no CRD defines the objects, such as %s; name their CRDs with --crds%s", names[0], hint)
}

// newValidateRun prepares a run: it finds the inputs and the CRDs. It returns nil where there is nothing to judge by.
func (s *session) newValidateRun(ctx context.Context, f *validateFlags, paths []string) (*lintRun, error) {
	c, err := f.ReadConfig()
	if err != nil {
		return nil, err
	}
	f.settings(c)
	r, err := s.newLintRun(ctx, &f.lintFlags, c, paths)
	if err != nil {
		return nil, err
	}
	found := r.Inputs
	by := &rules.Objects{
		On: f.on, MaxSize: int(f.maxObjectSize), List: f.list != "", Drift: f.ignores(), IsPatch: r.PatchesAround(),
		ShowValues: f.showValues, Anonymous: f.anonymous, Stream: func(path string) bool { return path == run.StdinName }, Around: s.FilesAround, Roles: r.Roles.OfObjects(),
	}
	r.linter.Objects = by
	if by.Preview, err = f.preview(); err != nil {
		return nil, err
	}
	if !f.diff && !f.fix { // which show or change the text as a whole
		if err := s.Divide(ctx, found); err != nil {
			return nil, err
		}
	}
	if any, err := r.readCRDs(ctx, f.crds, by); err != nil || !any {
		return nil, err
	}
	if as := by.Preview; as != nil && as.Version != "" && !slices.Contains(by.Versions(), as.Version) {
		return nil, run.UsageError(fmt.Sprintf("--as: no CRD has the version %q", as.Version), "name one of these: "+strings.Join(by.Versions(), ", "))
	}
	if err := r.readOlder(ctx, f, by); err != nil {
		return nil, err
	}
	if f.list != "" {
		r.list = &verdictList{session: s, linter: r.linter}
	}
	if !f.diff && !f.fix && !found.Streamed { // whose texts are handed on as soon as they are there, rather than kept
		r.Order = found.ByKind()
	}
	return r, nil
}

// readCRDs reads the CRDs of a run about custom resources: those that --crds names, and those of the inputs and around them. It reports
// whether the run can go on; one without any CRD fails.
func (r *lintRun) readCRDs(ctx context.Context, crds []string, by *rules.Objects) (any bool, err error) {
	if err := r.ReadCRDs(ctx, crds, by); err != nil {
		return false, err
	}
	if len(by.Files) == 0 && len(crds) == 0 && r.flags.Against == "" {
		if err := r.AddBuilt(by); err != nil {
			return false, err
		}
	}
	if len(crds) == 0 && len(r.Config.Validate.CRDs) == 0 {
		if err := r.ReadCRDsAround(ctx, by); err != nil {
			return false, err
		}
	}
	if by.CRDs() == 0 && !r.flags.AllowEmpty {
		r.failWithoutCRDs(crds, by)
		return false, nil
	}
	return true, nil
}

// readOlder reads the CRDs that --against names, which the others replace, and the objects that --old-objects names.
func (r *lintRun) readOlder(ctx context.Context, f *validateFlags, by *rules.Objects) error {
	replaced, err := r.OpenNamed(ctx, run.OfAgainst, f.Against, nil)
	if err == nil && replaced != nil && !replaced.HasCRD() && !f.AllowEmpty {
		err = fmt.Errorf("--against names nothing to compare with (%w); name another version, or accept that with --allow-empty", noneOnSide(replaced))
		err = r.ExplainOversized(err, run.OfAgainst)
	}
	if err != nil {
		return err
	}
	was, err := r.OpenNamed(ctx, run.OfOldObjects, f.oldObjects, by.MayDefine)
	if err == nil && was != nil && !was.HasObjects() && !f.AllowEmpty && !was.From().IsGit() {
		err = fmt.Errorf("there is nothing to compare with, because %s has no custom resource; name another version, or accept that with --allow-empty", was.From())
		err = r.ExplainOversized(err, run.OfOldObjects)
	}
	by.Against, by.Old = (*rules.Old)(replaced), (*rules.Old)(was)
	return err
}

// failWithoutCRDs fails a run without any CRD that can be read, unless it has failed because of the paths.
func (r *lintRun) failWithoutCRDs(crds []string, by *rules.Objects) {
	if len(r.Inputs.Errs) > 0 {
		return
	}
	if len(r.Inputs.All) == 0 {
		r.Complain() // a CRD would not help
		return
	}
	for _, in := range r.Inputs.All {
		if in.Unread != nil {
			r.Fail(in.Unread)
		}
	}
	for _, err := range r.Unparsed() {
		r.Fail(fmt.Errorf("%w; correct it", err))
	}
	r.Fail(r.ExplainOversized(nothingToJudgeBy(by, append(slices.Clone(crds), r.Paths...)), run.OfCRDs))
}

// nothingToJudgeBy is the error for a run without any CRD that can be read.
func nothingToJudgeBy(by *rules.Objects, paths []string) error {
	if unread := by.Unread(); len(unread) > 0 {
		return fmt.Errorf("there is no CRD to check with (%s)%s; run 'crdlift lint' to see what is wrong", unread[0], text.More(len(unread)-1, " (and %d more)"))
	}
	return fmt.Errorf("there is no CRD in %s to check the objects with; name CRDs with --crds", nameAll(paths))
}

// nameAll names paths for a message.
func nameAll(paths []string) string {
	var names []string
	for _, path := range paths {
		if path == run.Stdin {
			path = run.StdinName
		}
		names = append(names, run.Shown(path))
	}
	return strings.Join(names, ", ")
}

// noteUncompared says which objects are not compared with how they were, once for each reason.
func (r *lintRun) noteUncompared(all *lint.Objects) {
	if old := (*older.Side)(r.linter.Objects.Old); old != nil {
		for _, line := range old.BrokenObjects() {
			r.Note("--old-objects: %s; correct it, since until then its objects count as new", line)
		}
	}
	first, counts := map[string]lint.AlikeObjects{}, map[string]int{}
	for _, alike := range all.Alike {
		if counts[alike.Uncompared] == 0 {
			first[alike.Uncompared] = alike
		}
		counts[alike.Uncompared] += alike.Count
	}
	delete(first, "")
	what, then := "not compared with its earlier text", "it counts as new"
	if all.Upgrade {
		what, then = "not compared", "check it without --against"
	}
	for _, why := range slices.Sorted(maps.Keys(first)) {
		one := first[why]
		r.Note("%s:%d: %s: %s%s; %s", one.File, one.Line, what, text.Harmless(why), text.More(counts[why]-1, " (and %d more)"), then)
	}
}
