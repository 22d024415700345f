package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// old opens the old side that --against names, also as the linter takes it; nil when it names none.
func (s *session) old(ctx context.Context, f lintFlags, paths []string) (*oldSide, *rules.Old, error) {
	name, err := s.oldName(ctx, f)
	if err != nil || name == (oldName{}) {
		return nil, nil, err
	}
	if name.path == stdinPath && slices.Contains(paths, stdinPath) {
		return nil, nil, usageError{"standard input cannot be both sides", "Name a file or a folder on one of them."}
	}
	old, against, err := openOld(ctx, s, name, paths, f.maxFileSize, readOld(f.templates))
	if err != nil {
		return nil, nil, err
	}
	against.Near, against.Unknown = old.near, old.unknown
	return old, against, nil
}

// oldName determines the old side from the flags.
func (s *session) oldName(ctx context.Context, f lintFlags) (oldName, error) {
	switch {
	case f.against == "" && !f.Changes:
		return oldName{}, nil
	case f.against == "":
		return s.forkPoint(ctx, f)
	}
	name, err := parseOld(ctx, f.against)
	if err != nil || !f.mergeBase {
		return name, err
	}
	if !name.isGit() {
		return name, usageError{"--merge-base needs a git revision", "A folder or a file has no history."}
	}
	return name.atMergeBase(ctx)
}

// forkPoint is where HEAD left the main branch, which it says.
func (s *session) forkPoint(ctx context.Context, f lintFlags) (oldName, error) {
	const hint = "Use --against with a revision, folder or file."
	repository, err := gitrev.Open(ctx, ".")
	if err != nil {
		return oldName{}, usageError{"nothing to compare with: " + err.Error(), hint}
	}
	main, commit, found := repository.Main(ctx)
	if !found {
		return oldName{}, usageError{"nothing to compare with: the repository has no branch origin/HEAD, origin/main, origin/master, main or master", hint}
	}
	name, err := oldName{revision: main, commit: commit, repository: repository}.atMergeBase(ctx)
	if err == nil && !f.quiet {
		fmt.Fprintf(s.stderr, "crdlift: comparing with %s, where HEAD branched off %s\n", name.revision, text.Harmless(main))
	}
	return name, err
}

// atMergeBase is the same part of the commit where HEAD forked off.
func (n oldName) atMergeBase(ctx context.Context) (oldName, error) {
	var err error
	if n.commit, err = n.repository.MergeBase(ctx, n.commit); err == nil {
		n.revision = text.Revision(n.commit)
	}
	return n, err
}

// complainOld fails the run for an old side without any CRD: one that is misspelt must not look like a change that breaks
// nothing. The CRDs may be younger than a revision, of which that is only said.
func (r *lintRun) complainOld() {
	switch {
	case r.old == nil || len(r.old.modules(func(gitrev.Module) bool { return true })) > 0 || !r.old.isEmpty():
	case r.old.name.isGit():
		r.note("%v; every CRD counts as new", noneIn(r.old.name.String(), r.old.count))
	default:
		r.fail(fmt.Errorf("nothing to compare with: %w; with --allow-empty, this is not an error", noneIn(r.old.name.String(), r.old.count)))
	}
}

// excluded reports whether the configuration excludes a file.
func (r *lintRun) excluded(path string) bool { return config.ExcludedBy(r.linter.Config, path) != "" }

// addLost reports the CRDs that are deleted.
func (r *lintRun) addLost() error {
	if r.old == nil {
		return nil
	}
	lost := r.old.lost(r.paths, r.excluded, int64(r.flags.maxFileSize))
	looked := map[string]*rules.FileReport{}
	if len(lost) > 0 {
		for _, f := range slices.Backward(r.files) {
			looked[f.Path] = f
		}
	}
	for _, l := range lost {
		path := r.old.newPath(l.File)
		if file := r.linter.Removed(path, looked[path], l); file != nil && looked[path] == nil {
			looked[path] = file
			r.files = append(r.files, file)
		}
	}
	return r.old.Err()
}

// partialDocument is the rule about parts of CRDs.
const partialDocument = "partial-document"

// dropKnown drops the findings that the old side has, too.
func (r *lintRun) dropKnown(all *lint.Report) error {
	if r.old == nil || !r.flags.NewOnly {
		return nil
	}
	files := r.old.Used()
	for _, f := range all.Findings { // where no CRD is seen, nothing was looked for
		if old, ok := r.old.At(f.Pos.File); ok && (f.Rule.HidesCRD || f.Rule.ID == partialDocument) {
			files = append(files, old)
		}
	}
	seen := map[string]bool{}
	files = slices.DeleteFunc(files, func(f lint.File) bool {
		again := seen[f.Path]
		seen[f.Path] = true
		return again
	})
	plain := &rules.Linter{Options: lint.Options{Config: r.linter.Config, NewOnly: true}}
	if err := r.flags.useCache(plain); err != nil {
		return err
	}
	known, err := r.lintOld(plain, files)
	if err == nil {
		r.saveCache(plain)
		suppress.DropKnown(all, plain.Report(known...))
	}
	return err
}

// lintOld lints files of the old side by themselves, with the configuration of their new places.
func (r *lintRun) lintOld(linter *rules.Linter, files []lint.File) (reports []*rules.FileReport, failure error) {
	type outcome struct {
		report *rules.FileReport
		err    error
	}
	work := func(f lint.File) outcome {
		text, err := f.Read()
		path := r.old.newPath(f)
		report := linter.File(path, text)
		if now, changed := os.ReadFile(path); changed != nil || !bytes.Equal(now, text) { // what is behind a limit may be new
			report.Findings = slices.DeleteFunc(report.Findings, func(f *lint.Finding) bool { return f.Rule.ID == limit.Rule })
		}
		return outcome{report, err}
	}
	inOrder(context.Background(), runtime.GOMAXPROCS(0), files, work, func(out outcome) {
		reports, failure = append(reports, out.report), cmp.Or(failure, out.err)
	})
	return reports, failure
}
