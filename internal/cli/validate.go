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

const validateLong = `Judges custom resources like the API server that a client sends them to: what it rejects, and what
it drops without a word, at the line and column where it is written. It prunes, sets defaults, and
checks the schema, the validation rules (CEL), list types, embedded resources and metadata by the
CRDs that define the resources. It uses no cluster: admission webhooks, policies and quotas are not
asked.

A PATH is a file, a folder, or - for standard input. The default is validate.paths of the
configuration, or the working directory. Custom resources are found by their apiVersion and kind,
also in a List. The CRDs are those in the same PATHs and, before them, those of --crds: a folder or
file, a git revision such as git:v1.4.0:config/crd, or - for the output of 'kubectl get crd -o
yaml'. Where neither --crds nor the configuration names any, kinds without a CRD in the PATHs are
judged by those of the git repository that the object is in, or the working directory. Of several
CRDs of a kind that differ, an error is what all of them reject. What a kustomization makes of a CRD
is one of them.

Objects of Kubernetes' own kinds, patches of kustomize, templates, and objects without a CRD are
passed over and counted; patches that lose items of a list are reported. --missing-crd reports
objects without a CRD.

--apply says how manifests get into the cluster: server-side apply rejects or silently drops other
things than client-side apply and replace do. Without it, what only server-side apply rejects is a
warning. With --old-objects, the manifest is applied to what was there; those of a cluster tell by
their managedFields who applies it, and who else has its fields.

--on chooses the request: a create, or an update for objects that came from a server. With
--old-objects, objects are compared with their earlier text, as an update from it: rules that
compare with oldSelf run, and errors in parts that do not change are forgiven as the server
forgives them.

--against says what becomes of the objects of a cluster when the CRDs that it has are replaced by
the others: which can never be written again, which are rejected as soon as a part of them changes,
which lose fields. It tries the reads and writes of each object under both, and reports what is
new.

--diff shows what the server would store as a diff of the file: what is dropped, and the defaults
that are added. --as served shows what a read returns. Values of objects from a cluster are never
shown; --show-values and --anonymous say more or less of them.

--fix takes out what is dropped anyway: fields that the schema does not declare, nulls, a status,
and metadata that only servers write. The stored object stays the same. With --write-defaults, it
also writes the defaults that the server adds: whoever applies the files owns these fields then.

--output argocd-ignore writes what Argo CD is to ignore of objects from a cluster: what controllers
write into them, so that git cannot have it. That needs 'kubectl get --show-managed-fields'.

Each finding ends with the [rule] that reports it, as in 'crdlift lint': 'crdlift explain RULE'
prints its page, and .crdlift.yaml and '# crdlift:ignore RULE -- reason' configure and ignore it.

Lists from kubectl of 4 MiB and more are judged a few items at a time, whatever their size;
standard input is copied to a temporary file for that. Of findings that are alike, those of the
first 100 objects are listed then, and the others are counted.

Exit codes: 0 no findings at or above --fail-on; 1 such findings, text that does not parse, or
--diff found something; 2 wrong usage, unreadable files, a PATH without any custom resource or CRD,
no CRD that can be read, no object that could be judged or is left out with tests and older
releases, and no such findings, or git failed.`

const validateExample = `  crdlift validate config/samples                       by the CRDs of the repository
  crdlift validate --crds config/crd config/samples
  crdlift validate --diff --crds config/crd config/samples
  crdlift validate --fix --crds config/crd config/samples
  crdlift validate --crds git:v1.4.0:config/crd deploy  by a released CRD
  crdlift validate --old-objects origin/main deploy
  kubectl get crd -o yaml | crdlift validate --crds - deploy
  kubectl get databases -A -o yaml | crdlift validate --crds config/crd -
  kubectl get databases -A -o json | crdlift validate --crds config/crd --against v1.4.0 -
  kubectl get databases -A -o yaml --show-managed-fields | crdlift validate -o argocd-ignore -`

func validateCommand(s *session) *cobra.Command {
	f := validateFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutObjects, GoTypes: run.GoOff}}, maxObjectSize: rules.DefaultMaxSize}
	cmd := &cobra.Command{
		Use:     "validate [flags] [PATH...]",
		Short:   "Find what the API server rejects or drops of custom resources",
		Long:    validateLong,
		Example: validateExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if cmd.Flags().Changed("limit") {
				if f.limit < 0 {
					return run.UsageError("--limit cannot be negative", "0 shows all places.")
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
		return errors.New("--output argocd-ignore: no object says who manages its fields; read them with 'kubectl get --show-managed-fields -o yaml'")
	}
	if err := r.list.write(f.list); err != nil {
		return err
	}
	return r.finish(all)
}

// nothingJudged is the error for a run without any object to judge: one whose CRDs are not those of its objects must not look
// like one without mistakes. It is none where roles leave objects out, of which the last line says how many and how to have them judged.
func nothingJudged(all *lint.Report) error {
	hint := "; with --allow-empty, this is not an error"
	if n := all.Objects.Len(); n > 0 {
		first := all.Objects.Alike[0]
		return fmt.Errorf("nothing was judged: %s cannot be, the first at %s:%d; see what is said of it%s", text.Count(n, "object"), first.File, first.Line, hint)
	}
	if all.Objects.PassedOver() == 0 {
		return fmt.Errorf("there are only CRDs, and no custom resources; 'crdlift lint' checks CRDs%s", hint)
	}
	names := all.Objects.Missing()
	if len(names) == 0 {
		return fmt.Errorf("nothing was judged: there is no custom resource, or only a part of one, such as a patch%s", hint)
	}
	return fmt.Errorf("nothing was judged: the objects, such as %s, belong to none of the CRDs; name theirs with --crds%s", names[0], hint)
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
		return nil, run.UsageError(fmt.Sprintf("--as: no CRD has the version %q", as.Version), "There are "+text.And(by.Versions())+".")
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
		err = fmt.Errorf("--against: nothing to compare with: %w; with --allow-empty, this is not an error", noneOnSide(replaced))
		err = r.ExplainOversized(err, run.OfAgainst)
	}
	if err != nil {
		return err
	}
	was, err := r.OpenNamed(ctx, run.OfOldObjects, f.oldObjects, by.MayDefine)
	if err == nil && was != nil && !was.HasObjects() && !f.AllowEmpty && !was.From().IsGit() {
		err = fmt.Errorf("nothing to compare with: no custom resource in %s; with --allow-empty, this is not an error", was.From())
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
	for _, in := range r.Inputs.All {
		if in.Unread != nil {
			r.Fail(in.Unread)
		}
	}
	for _, err := range r.Unparsed() {
		r.Fail(err)
	}
	r.Fail(r.ExplainOversized(nothingToJudgeBy(by, append(slices.Clone(crds), r.Paths...)), run.OfCRDs))
}

// nothingToJudgeBy is the error for a run without any CRD that can be read.
func nothingToJudgeBy(by *rules.Objects, paths []string) error {
	if unread := by.Unread(); len(unread) > 0 {
		more := ""
		if n := len(unread) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		return fmt.Errorf("nothing to judge by: %s%s; 'crdlift lint' says what is wrong", unread[0], more)
	}
	return fmt.Errorf("nothing to judge by: no CustomResourceDefinition in %s; name them with --crds", nameAll(paths))
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
			r.Note("--old-objects: %s; its objects count as new", line)
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
	what := "not compared with how it was"
	if all.Upgrade {
		what = "not compared"
	}
	for _, why := range slices.Sorted(maps.Keys(first)) {
		one, more := first[why], ""
		if n := counts[why] - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		r.Note("%s:%d: %s: %s%s", one.File, one.Line, what, text.Harmless(why), more)
	}
}
