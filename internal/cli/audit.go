package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// auditFlags are the flags of `crdlift audit`. Those that it shares with `crdlift validate` are of that command.
type auditFlags struct {
	validateFlags
	clusterFlags
	lint        bool
	groups      []string
	namespace   string
	skipObjects bool
	now         time.Time // zero for the time of the run
}

func auditCommand(s *session) *cobra.Command {
	f := auditFlags{validateFlags: validateFlags{lintFlags: lintFlags{Flags: run.Flags{About: run.AboutObjects, GoTypes: run.GoOff, AllFiles: true, Audits: true}}, maxObjectSize: rules.DefaultMaxSize}}
	cmd := &cobra.Command{
		Use:   "audit [flags] DUMP...|--kubectl [-- COMMAND...]",
		Short: "Find what is wrong with the CRDs and custom resources of a cluster",
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := f.paths(cmd, args)
			if err != nil {
				return err
			}
			return s.auditCluster(cmd.Context(), f, paths)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.crds, "crds", nil, "`PATH|REVISION` compare the CRDs of the cluster with these, may be repeated; if ambiguous, prefix it with git: or path:")
	flags.BoolVar(&f.lint, "lint", false, "also check the CRDs of the cluster as 'crdlift lint' does")
	flags.StringSliceVar(&f.groups, "groups", nil, "`GROUP,...` check only CRDs of these groups and their objects")
	flags.StringVar(&f.namespace, "namespace", "", "`NAME` check only objects in this namespace")
	flags.BoolVar(&f.skipObjects, "skip-objects", false, "check CRDs only")
	f.addCluster(cmd)
	addCommon(cmd, &f.Flags, "output", "only", "config", "rule", "baseline", "write-baseline")
	addChoice(cmd, &f.showValues, "show-values", "", "whether messages show values of objects (default auto: none)", rules.ShowValues()...)
	flags.BoolVar(&f.anonymous, "anonymous", false, "show hashes instead of names and namespaces of objects")
	addCommon(cmd, &f.Flags, "quiet")
	return cmd
}

// audit looks at dumps.
func (s *session) audit(ctx context.Context, f auditFlags, paths []string) (err error) {
	defer run.SurviveAll(&err)
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, false)
	defer stop()
	r, err := s.newAuditRun(ctx, &f, paths)
	if err != nil {
		return err
	}
	all, err := r.lint(ctx)
	if err != nil {
		return err
	}
	if done, err := r.printForCluster(&f, all); done {
		if err == nil && !f.Quiet {
			r.sayAudited(&lint.Report{})
		}
		return err
	}
	if f.lint {
		if err := r.addLint(all); err != nil {
			return err
		}
	}
	if err := r.finish(all); err != nil || f.Quiet || r.linter.Objects.CRDs() == 0 {
		return err
	}
	r.sayAudited(all)
	return nil
}

// newAuditRun prepares a run: it finds the dumps, their CRDs and those to compare with.
func (s *session) newAuditRun(ctx context.Context, f *auditFlags, paths []string) (*lintRun, error) {
	c, err := f.ReadConfig()
	if err != nil {
		return nil, err
	}
	c.Validate.CRDs = nil // which are of repositories: a cluster has its own
	r, err := s.newLintRun(ctx, &f.lintFlags, c, paths)
	if err != nil {
		return nil, err
	}
	asked := &objectpass.Audit{Now: f.now, Groups: f.groups, Namespace: f.namespace, SkipObjects: f.skipObjects}
	if f.now.IsZero() {
		asked.Now = time.Now()
	}
	by := &rules.Objects{MaxSize: int(f.maxObjectSize), ShowValues: f.showValues, Anonymous: f.anonymous, Stream: func(string) bool { return true }, Audit: (*rules.Audit)(asked.Hold())}
	r.linter.Objects = by
	if err := s.Divide(ctx, r.Inputs); err != nil {
		return nil, err
	}
	if err := r.ReadCRDs(ctx, nil, by); err != nil {
		return nil, err
	}
	if by.CRDs() == 0 && len(r.Inputs.Errs) == 0 {
		return nil, fmt.Errorf("there is no CustomResourceDefinition in %s; put the output of 'kubectl get crd -o yaml' into the dump", nameAll(paths))
	}
	for _, name := range f.crds {
		side, err := r.OpenNamed(ctx, run.OfCRDs, name, nil)
		if err == nil && !side.HasCRD() {
			err = fmt.Errorf("--crds names nothing to compare with (%w); name files or folders with CRDs", noneOnSide(side))
		}
		if err != nil {
			return nil, err
		}
		asked.Shipped = append(asked.Shipped, side)
	}
	return r, nil
}

// audited is what the run asks of dumps, and what it knows once they were looked at.
func (r *lintRun) audited() *objectpass.Audit {
	return (*objectpass.HeldAudit)(r.linter.Objects.Audit).Audit()
}

// addLint adds the findings of `crdlift lint` about the CRDs of the dumps.
func (r *lintRun) addLint(all *lint.Report) error {
	linter := *r.linter
	linter.Objects = nil
	var files []*rules.FileReport
	for _, in := range r.Inputs.All {
		src, parts, err := r.ReadPart(in)
		if err != nil {
			return err
		}
		if crd.MayHold(src) {
			files = append(files, linter.Piece(run.Shown(in.Path), src, parts))
		}
	}
	for _, f := range linter.Report(files...).Findings {
		if known := rules.ByID(f.Rule.ID); known.Object || f.Rule.ID == "crd-condition" || f.Object != nil { // told already
			continue
		}
		f.Excerpt = "" // objects may be in the same line
		all.Findings = append(all.Findings, f)
	}
	slices.SortStableFunc(all.Findings, func(a, b *lint.Finding) int {
		if d := strings.Compare(a.Pos.File, b.Pos.File); d != 0 {
			return d
		}
		return a.Compare(b)
	})
	return nil
}

// maxUnread is how many things are named that were not read, of each kind of reason.
const maxUnread = 5

// sayAudited says what was looked at, what was not, and what to do next.
func (r *lintRun) sayAudited(all *lint.Report) {
	asked := r.audited()
	missing := asked.Facts.Missing()
	for _, u := range missing[:min(len(missing), maxUnread)] {
		r.Say("not read: %s", text.Harmless(u.What+": "+u.Why))
	}
	if n := len(missing) - maxUnread; n > 0 {
		r.Say("not read: %d more", n)
	}
	var without []string
	objects, managed := 0, 0
	for _, d := range asked.CRDs {
		n := asked.Facts.Of(d.Hub).Objects
		objects += n
		managed += asked.Facts.Of(d.Hub).Managed
		if n == 0 {
			without = append(without, d.Name)
		}
	}
	said := fmt.Sprintf("checked %s and %s", text.Count(len(asked.CRDs), "CRD"), text.Count(objects, "object"))
	if len(without) > 0 && !asked.SkipObjects {
		said += fmt.Sprintf("; the dump has no objects of %s", text.Names(without).Brief())
	}
	r.Say("%s", said)
	hidden := func(f *lint.Finding) bool { return f.Rule.ID == "apply-managed-fields-absent" } // which says the same
	if objects > 0 && managed == 0 && !slices.ContainsFunc(all.Findings, hidden) {
		r.Say("no object has managedFields, so crdlift does not know who writes which version: add --show-managed-fields to kubectl get")
	}
	rewrites := func(f *lint.Finding) bool {
		return f.Ignored == "" && slices.Contains([]string{"storage-migration", "managed-fields-gone", "managed-fields-old"}, f.Rule.ID)
	}
	if slices.ContainsFunc(all.Findings, rewrites) {
		r.Say("next: 'crdlift audit --commands' prints a script that rewrites these objects")
	}
}
