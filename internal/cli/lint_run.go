package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A lintRun lints inputs, several at a time, and puts together what came out.
type lintRun struct {
	*run.Run
	flags  *lintFlags
	linter *rules.Linter

	list           *verdictList // nil without --list
	migration      *migration   // nil for a run that carries no objects
	builds         *run.Builds  // nil for a run that judges files as they are alone
	files          []*rules.FileReport
	fixed, rewrote int // findings, files
	mended         int // files with fixes
	added          int // defaults
	completed      int // files with these
	unread         int // files
}

// A lintOutcome is what became of one input.
type lintOutcome struct {
	run.Input
	report  *rules.FileReport  // nil when there is trouble
	fixed   int                // findings
	kept    []lint.WithheldFix // fixes that were not made
	text    []byte             // for standard output: the file after the fixes, or its diff
	changed bool
	preview *rules.Preview // nil for a run that shows none and writes no defaults
	trouble error          // the file cannot be read or written
}

// failing reports whether there are findings at or above a severity; Off means never.
func failing(r *lint.Report, from lint.Severity) bool {
	return from > lint.Off && slices.ContainsFunc(r.Findings, func(f *lint.Finding) bool { return f.Ignored == "" && f.Severity >= from })
}

// newLintRun prepares a run of the linter: it finds the inputs, and what to compare them with.
func (s *session) newLintRun(ctx context.Context, f *lintFlags, c *lint.Config, paths []string) (*lintRun, error) {
	linter, err := f.Linter(c)
	if err != nil {
		return nil, err
	}
	if f.fixGo && linter.Go == nil {
		return nil, run.UsageError("--fix-go needs Go types, but the configuration turns them off", "turn them on with --go auto")
	}
	if f.fixes() {
		f.Cache = "" // which has no manifests and Go types, of which fixes are made
	}
	r, err := s.Prepare(ctx, &f.Flags, c, paths)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Roles == nil:
	case f.fixes():
		linter.Fixes = r.Roles.IsTold
	default:
		linter.Repeats = r.Repeats()
	}
	linter.Differ = r.Differ()
	linter.UnusedRoles = r.Roles.Unused()
	if unknown := config.UnknownKubernetes(c); unknown != "" {
		r.Note("%s", unknown)
	}
	linter.Against = (*rules.Old)(r.Older)
	if r.Around != nil {
		linter.Roles, linter.Outdated = r.Around.Role, older.Outdated(ctx, int64(r.MaxFileSize))
	}
	if built := r.Inputs.Built; built != nil {
		linter.Final, linter.Shown = true, built.Shown
	}
	if err := r.UseInline(linter); err != nil {
		return nil, err
	}
	if err := f.UseCache(linter); err != nil {
		return nil, err
	}
	if f.fix && f.fixGo { // the Go types may be anywhere in the repository
		r.DiffRoot = cmp.Or(worktree.TopOf(run.WorkingFolder()), r.DiffRoot)
	}
	return &lintRun{Run: r, flags: f, linter: linter}, nil
}
