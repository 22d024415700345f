package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// fixGo writes the markers that fix findings into Go files, or shows what it would write.
func (r *lintRun) fixGo(all *lint.Report) error {
	fixed := r.linter.Go.Fix(all.Findings, r.flags.unsafe)
	if r.flags.diff {
		r.showGo(fixed)
		r.tellGo(fixed, "would write")
		return nil
	}
	if err := writeGo(fixed.Files); err != nil {
		return err
	}
	r.tellGo(fixed, "wrote")
	fixed.Done()
	if len(fixed.Files) > 0 {
		r.Note("now run your generator, such as 'make manifests': it updates the manifests")
	}
	return nil
}

// showGo prints the changes of Go files as a diff, below that of manifests where there is one.
func (r *lintRun) showGo(fixed *rules.GoFixes) {
	var files []run.Input
	for _, f := range fixed.Files {
		files = append(files, run.Input{Path: f.Path})
	}
	if !r.flags.fix { // else newLintRun knew that there may be Go files
		r.DiffRoot = run.DiffRoot(files)
	}
	for i, f := range fixed.Files {
		r.Print(r.DiffOf(files[i], f.Before, f.After))
		r.Worsen(run.ExitFindings)
	}
	if at, err := filepath.Rel(run.WorkingFolder(), r.DiffRoot); err == nil && at != "." && len(files) > 0 && !r.flags.Quiet {
		r.Note("paths in the diff are relative to %s: apply it there", at)
	}
}

// tellGo says what was, or would be, written into Go files, and what is left.
func (r *lintRun) tellGo(fixed *rules.GoFixes, done string) {
	if r.flags.Quiet {
		return
	}
	if len(fixed.Files) > 0 {
		r.Say("%s markers for %s into %s", done, text.Count(len(fixed.Findings), "finding"), text.Count(len(fixed.Files), "Go file"))
	}
	alike := func(l lint.WithheldFix) [2]string { return [2]string{l.Why, l.Finding.Origin.Pos.File} }
	for _, same := range ordered.Grouped(fixed.Left, alike) {
		f := same[0].Finding
		others := ""
		if n := len(same) - 1; n > 0 {
			others = fmt.Sprintf("; the same applies to %s", text.Count(n, "more finding"))
		}
		r.Note("%s:%d: did not change the markers of %s [%s]: %s%s", f.Origin.Pos.File, f.Origin.Pos.Line, f.Origin.Symbol, f.Rule.ID, same[0].Why, others)
	}
	if n := fixed.Unsafe; n > 0 {
		nothing, what := "", "more finding"
		if len(fixed.Findings) == 0 {
			what = "finding"
		}
		if len(fixed.Findings)+r.rewrote == 0 && !r.flags.diff {
			nothing = "nothing written; "
		}
		r.Say("%s%s fixable with --fix-go --unsafe-fixes", nothing, text.Count(n, what))
	}
	if n := fixed.Open; n > 0 {
		r.Say("%s %s a marker whose value you have to choose or correct", text.Count(n, "finding"), text.Verb(n, "needs", "need"))
	}
	if n := fixed.Manual; n > 0 {
		r.Say("%s %s markers that you have to decide on", text.Count(n, "finding"), text.Verb(n, "has", "have"))
	}
	if n := fixed.TooNew; n > 0 {
		r.Say("%s %s a marker that the generator of the manifest does not know; run a newer one", text.Count(n, "finding"), text.Verb(n, "needs", "need"))
	}
}

// writeGo writes all files. If one cannot be written, it puts those before it back.
func writeGo(files []rules.GoFile) error {
	for i, f := range files {
		if err := replaceGo(f, f.Before, f.After); err != nil {
			for _, done := range files[:i] { // which are left as they are if somebody else has changed them since
				err = errors.Join(err, replaceGo(done, done.After, done.Before))
			}
			return err
		}
	}
	return nil
}

// replaceGo replaces the content of a file, which is called by its path relative to the working directory in errors.
func replaceGo(f rules.GoFile, was, data []byte) error {
	at, err := f.Location()
	if err == nil {
		err = atomicfile.Rewrite(at, was, data)
	}
	var failed *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failed):
		err = failed.Err
	}
	return fmt.Errorf("write %s: %w", f.Path, err)
}

// nameFixable says how many findings can be fixed, and by which flags.
func (r *lintRun) nameFixable(all *lint.Report) {
	fixed := &rules.GoFixes{}
	if r.linter.Go != nil {
		fixed = r.linter.Go.Fix(all.Findings, false)
	}
	if told := report.Fixable(all, len(fixed.Findings), fixed.Unsafe); told != "" {
		r.Say("%s", told)
	}
}

// nameGo says how many of the findings that --fix leaves are fixed in Go, and by which flags.
func (r *lintRun) nameGo(all *lint.Report) {
	if r.linter.Go == nil {
		return
	}
	fixed, flags := r.linter.Go.Fix(all.Findings, false), "--fix-go"
	if fixed.Unsafe > 0 {
		flags += " --unsafe-fixes"
	}
	if n := len(fixed.Findings) + fixed.Unsafe; n > 0 {
		r.Say("%d %s in Go, since the manifests are generated: %s", n, text.Verb(n, "fix belongs", "fixes belong"), flags)
	}
	if n := fixed.ByHand; n > 0 {
		r.Say("%s to be made in the Go types by hand, since no marker makes %s", text.Count(n, "fix"), text.Verb(n, "it", "them"))
	}
}
