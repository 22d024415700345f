package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

const validateLong = `Judges custom resources like the API server that a client sends them to: what it refuses, and what
it drops without a word, at the line and column where it is written. It prunes, sets defaults, and
checks the schema, the validation rules (CEL), list types, embedded resources and metadata by the
CRDs that define the resources. It uses no cluster: admission webhooks, policies and quotas are not
asked.

A PATH is a file, a folder, or - for standard input. The default is validate.paths of the
configuration, or the working directory. Custom resources are found by their apiVersion and kind,
also in a List. The CRDs are those in the same PATHs and, before them, those of --crds: a folder or
file, a git revision such as git:v1.4.0:config/crd, or - for the output of 'kubectl get crd -o
yaml'. Of several CRDs of a kind, the one in the nearest folder counts, and copies in folders of
releases come last.

Objects of Kubernetes' own kinds, patches of kustomize, templates, and objects without a CRD are
passed over and counted. --missing-crd reports those without a CRD.

--on chooses the request: a create, or an update for objects that came from a server. With
--old-objects, objects are compared with their earlier text, as an update from it: rules that
compare with oldSelf run, and errors in parts that do not change are forgiven as the server
forgives them.

--against says what becomes of the objects of a cluster when the CRDs that it has are replaced by
the others: which can never be written again, which are refused as soon as a part of them changes,
which lose fields. It tries the reads and writes of each object under both, and reports what is
new.

--diff shows what the server would store as a diff of the file: what is dropped, and the defaults
that are added. --as served shows what a read returns. Values of objects from a cluster are never
shown; --show-values and --anonymous say more or less of them.

--fix takes out what is dropped anyway: fields that the schema does not declare, nulls, a status,
and metadata that only servers write. The stored object stays the same.

Each finding ends with the [rule] that reports it, as in 'crdlift lint': 'crdlift explain RULE'
prints its page, and .crdlift.yaml and '# crdlift:ignore RULE -- reason' configure and ignore it.

Lists from kubectl of 4 MiB and more are judged a few items at a time, whatever their size;
standard input is copied to a temporary file for that. Of findings that are alike, those of the
first 100 objects are listed then, and the others are counted.

Exit codes: 0 no findings at or above --fail-on; 1 such findings, text that does not parse, or
--diff found something; 2 wrong usage, unreadable files, a PATH without any custom resource or CRD,
no CRD that can be read, no object that could be judged and no such findings, or git failed.`

const validateExample = `  crdlift validate config                               samples with the CRDs beside them
  crdlift validate --crds config/crd config/samples
  crdlift validate --diff --crds config/crd config/samples
  crdlift validate --fix --crds config/crd config/samples
  crdlift validate --crds git:v1.4.0:config/crd deploy  by a released CRD
  crdlift validate --old-objects origin/main deploy
  kubectl get crd -o yaml | crdlift validate --crds - deploy
  kubectl get databases -A -o yaml | crdlift validate --crds config/crd -
  kubectl get databases -A -o json | crdlift validate --crds config/crd --against v1.4.0 -`

func validateCommand(s *session) *cobra.Command {
	f := validateFlags{maxObjectSize: rules.DefaultMaxSize}
	f.goTypes = goOff
	cmd := &cobra.Command{
		Use:     "validate [flags] [PATH...]",
		Short:   "Find what the API server refuses or drops of custom resources",
		Long:    validateLong,
		Example: validateExample,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if cmd.Flags().Changed("limit") {
				if f.limit < 0 {
					return usageError{"--limit cannot be negative", "0 shows all places."}
				}
				f.places = cmp.Or(f.limit, report.AllPlaces)
			}
			if f.against != "" && !cmd.Flags().Changed("limit") {
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
	f.maxFileSize = s.maxFileSize
	defer surviveAll(&err)
	if err := f.check(paths); err != nil {
		return err
	}
	ctx, stop := untilInterrupt(ctx, f.writes())
	defer stop()
	run, done, err := s.newValidateRun(ctx, f, paths)
	defer done()
	if err != nil || run == nil {
		return err
	}
	defer run.list.close()
	all, err := run.lint(ctx)
	if err != nil {
		return err
	}
	run.noteUncompared(all.Objects)
	judged := all.Objects.Len() - all.Objects.Count(lint.Unjudged)
	if !f.allowEmpty && judged == 0 && s.code != exitTrouble && !failing(all, run.flags.failOn) {
		s.fail(nothingJudged(all))
	}
	if f.list != "" {
		if err := run.list.write(f.list, s.stdout); err != nil {
			return err
		}
	}
	return run.finish(all)
}

// nothingJudged is the error for a run without any object to judge: one whose CRDs are not those of its objects must not look
// like one without mistakes.
func nothingJudged(all *lint.Report) error {
	hint := "; with --allow-empty, this is not an error"
	if n := all.Objects.Len(); n > 0 {
		first := all.Objects.Alike[0]
		return fmt.Errorf("nothing was judged: %s cannot be, the first at %s:%d; see what is said of it%s", text.Count(n, "object"), first.File, first.Line, hint)
	}
	if all.Objects.PassedOver() == 0 {
		return fmt.Errorf("there are only CRDs, and no custom resources; 'crdlift lint' checks CRDs%s", hint)
	}
	kinds := ""
	if names := all.Objects.Missing(); len(names) > 0 {
		kinds = ", such as " + names[0] + ","
	}
	return fmt.Errorf("nothing was judged: the objects%s belong to none of the CRDs%s", kinds, hint)
}

// newValidateRun prepares a run: it finds the inputs and the CRDs. It returns nil where there is nothing to judge by.
func (s *session) newValidateRun(ctx context.Context, f validateFlags, paths []string) (run *lintRun, done func(), err error) {
	done = func() {}
	c, err := f.config()
	if err != nil {
		return nil, done, err
	}
	f.settings(c)
	linter, err := f.linter(c)
	if err != nil {
		return nil, done, err
	}
	if ids := c.Only; len(ids) > 0 && !slices.ContainsFunc(ids, rules.ReportsOnObjects) {
		return nil, done, usageError{fmt.Sprintf("--only %s: none of these rules is about custom resources", strings.Join(f.only, ",")), "'crdlift lint' runs them; 'crdlift explain' lists all rules."}
	}
	given := paths
	if len(paths) == 0 {
		if paths, err = validatePaths(c); err != nil {
			return nil, done, err
		}
	}
	found, err := f.inputs(paths, c)
	if err != nil {
		return nil, done, err
	}
	found.wants = "custom resource or CustomResourceDefinition"
	if len(given) == 0 && len(found.inputs) > 0 {
		found.settleExcluded()
	}
	s.failAll(found.errs)
	if err := f.guard(found.reserved()); err != nil {
		return nil, done, err
	}
	linter.KeepAll = f.newBaseline != ""
	linter.Objects = &rules.Objects{
		On: f.on, MaxSize: int(f.maxObjectSize), List: f.list != "", IsPatch: patchesAround(found.inputs),
		ShowValues: f.showValues, Anonymous: f.anonymous, Stream: func(path string) bool { return path == stdinName },
	}
	if linter.Objects.Preview, err = f.preview(); err != nil {
		return nil, done, err
	}
	if done, err = s.divide(ctx, f, found); err != nil {
		return nil, done, err
	}
	if err := s.readCRDs(ctx, f, c, found, linter.Objects); err != nil {
		return nil, done, err
	}
	if linter.Objects.CRDs() == 0 && !f.allowEmpty {
		if len(found.errs) == 0 {
			for _, in := range found.inputs {
				if in.unread != nil {
					s.fail(in.unread)
				}
			}
			s.fail(s.oversized.explain(nothingToJudgeBy(linter.Objects, append(slices.Clone(f.crds), paths...)), ofCRDs, f.maxFileSize))
		}
		return nil, done, nil
	}
	if as := linter.Objects.Preview; as != nil && as.Version != "" && !slices.Contains(linter.Objects.Versions(), as.Version) {
		return nil, done, usageError{fmt.Sprintf("--as: no CRD has the version %q", as.Version), "There are " + text.And(linter.Objects.Versions()) + "."}
	}
	replaced, err := s.readReplaced(ctx, f, paths)
	if err != nil {
		return nil, done, err
	}
	if replaced != nil {
		divided := done
		done = func() {
			replaced.From().Close()
			divided()
		}
	}
	was, err := s.readOldObjects(ctx, f, paths, linter.Objects)
	if err != nil {
		return nil, done, err
	}
	linter.Objects.Against, linter.Objects.Old = (*rules.Old)(replaced), (*rules.Old)(was)
	run = &lintRun{batch: s.newBatch(found), flags: f.lintFlags, linter: linter, paths: paths}
	if f.list != "" {
		run.list = &verdictList{linter: linter}
	}
	if !f.diff && !f.fix && !found.streamed { // whose texts are handed on as soon as they are there, rather than kept
		run.order = found.byKind()
	}
	return run, done, nil
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
		if path == stdinPath {
			path = stdinName
		}
		names = append(names, shown(path))
	}
	return strings.Join(names, ", ")
}

// validatePaths are the paths when the command line has none: those of the configuration, or the working directory.
func validatePaths(c *lint.Config) ([]string, error) {
	if len(c.Validate.Paths) == 0 {
		return []string{"."}, nil
	}
	return expanded(c, "validate.paths", c.Validate.Paths)
}
