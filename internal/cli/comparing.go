package cli

import (
	"context"
	"runtime"
	"slices"

	"github.com/crdlift/crdlift/internal/before"
	"github.com/crdlift/crdlift/lint"
)

// old opens the old side that --against names; nil when it names none.
func (s *session) old(ctx context.Context, f lintFlags, paths []string) (*oldSide, error) {
	if f.against == "" {
		return nil, nil
	}
	name, err := parseOld(ctx, f.against)
	if err != nil {
		return nil, err
	}
	if name.path == stdinPath && slices.Contains(paths, stdinPath) {
		return nil, usageError{"standard input cannot be both sides", "Name a file or a folder on one of them."}
	}
	if f.mergeBase {
		if !name.isGit() {
			return nil, usageError{"--merge-base goes with a git revision", "A folder or a file has no history."}
		}
		if name.commit, err = name.repository.MergeBase(ctx, name.commit); err != nil {
			return nil, err
		}
		name.revision = name.commit[:12]
	}
	return openOld(ctx, name, paths, s.fromStdin(f.maxFileSize), f.maxFileSize)
}

// addLost reports the CRDs that are deleted.
func (r *lintRun) addLost() error {
	if r.old == nil {
		return nil
	}
	excluded := func(path string) bool { return r.linter.Config.Excluded(path) }
	lost := r.old.lost(r.paths, excluded, int64(r.flags.maxFileSize))
	looked := map[string]*lint.FileReport{}
	if len(lost) > 0 {
		for _, f := range slices.Backward(r.files) {
			looked[f.Path] = f
		}
	}
	for _, l := range lost {
		path, old := r.old.newPath(l.File), l.CRD()
		if old == nil {
			continue // Err says why
		}
		file := looked[path]
		if file == nil {
			file = &lint.FileReport{Path: path, Gone: true}
		}
		if r.linter.Removed(file, old) && looked[path] == nil {
			looked[path] = file
			r.files = append(r.files, file)
		}
	}
	return r.old.Err()
}

// dropKnown drops the findings that the old side has, too.
func (r *lintRun) dropKnown(all *lint.Report) error {
	if r.old == nil || !r.flags.newOnly {
		return nil
	}
	files := r.old.Used()
	for _, f := range all.Findings { // of a file that does not parse, nothing was looked for
		if old, ok := r.old.At(f.Pos.File); ok && f.Rule == lint.SyntaxRule {
			files = append(files, old)
		}
	}
	seen := map[string]bool{}
	files = slices.DeleteFunc(files, func(f before.File) bool {
		again := seen[f.Path]
		seen[f.Path] = true
		return again
	})
	plain := &lint.Linter{Rules: r.linter.Rules, Config: r.linter.Config, Ratchet: true}
	known, err := r.lintOld(plain, files)
	if err == nil {
		all.DropKnown(plain.Report(known))
	}
	return err
}

// lintOld lints files of the old side by themselves, with what the configuration says about their new places.
func (r *lintRun) lintOld(linter *lint.Linter, files []before.File) (reports []*lint.FileReport, failure error) {
	type outcome struct {
		report *lint.FileReport
		err    error
	}
	work := func(f before.File) outcome {
		text, err := f.Read()
		if err != nil {
			return outcome{err: err}
		}
		return outcome{report: linter.File(r.old.newPath(f), text)}
	}
	inOrder(context.Background(), runtime.GOMAXPROCS(0), files, work, func(out outcome) {
		if out.err != nil {
			failure = out.err
			return
		}
		reports = append(reports, out.report)
	})
	return reports, failure
}
