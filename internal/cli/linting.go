package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

func (r *lintRun) work(in run.Input) (out lintOutcome) {
	out.Input = in
	if in.Piece != nil {
		return r.workPiece(in)
	}
	src, err := r.Read(in)
	if err != nil {
		out.trouble = err
		return out
	}
	defer run.Survive(in, r.linter.Objects != nil, &out.trouble)
	path := run.Shown(in.Path)
	if r.migration != nil {
		return r.migrate(in, src)
	}
	if r.previews() {
		return r.preview(in, src)
	}
	if !r.flags.fixesManifests() {
		out.report = r.linter.File(path, src)
		out.report.Sources = r.Inputs.Built.SourcesOf(path)
		out.text = out.report.Rewritten
		return out
	}
	fixed := r.linter.Fix(path, src, r.flags.unsafe)
	out.report, out.fixed, out.changed = fixed.Left, len(fixed.Findings), !bytes.Equal(src, fixed.Output)
	out.kept = fixed.Withheld
	if r.flags.defaults {
		r.writeDefaults(&out, path, fixed)
		out.changed = !bytes.Equal(src, fixed.Output)
	}
	switch {
	case r.flags.diff && out.changed:
		shown := r.linter.Show(path, src, fixed.Output)
		out.text = r.DiffOf(in, shown.Before, shown.After)
	case r.flags.diff:
	case in.Path == run.StdinName:
		out.text = fixed.Output
	case out.changed:
		if out.trouble = run.Unread(atomicfile.Rewrite(in.Path, src, fixed.Output)); out.trouble != nil {
			out.report = r.linter.File(path, src) // all findings are still there
		}
	}
	return out
}

// collect takes outcomes in the order of the inputs.
func (r *lintRun) collect(out lintOutcome) {
	if out.Piece != nil {
		r.collectPiece(out)
		return
	}
	if out.trouble != nil || out.report.CRDs > 0 || len(out.report.Findings) > 0 || out.report.Tests != nil || out.report.Carried != nil || out.report.Objects.Found() {
		r.Inputs.Settle(out.From)
	}
	if out.trouble != nil {
		r.Fail(out.trouble)
	}
	if out.report == nil {
		r.unread++
		return
	}
	if out.trouble == nil && out.changed {
		r.fixed += out.fixed
		r.rewrote++
		if out.fixed > 0 {
			r.mended++
		}
		if out.preview != nil && out.preview.Added > 0 {
			r.added += out.preview.Added
			r.completed++
		}
	}
	r.files = append(r.files, out.report)
	r.list.add(out.report)
	r.notePreview(out)
	if len(out.kept) > 0 {
		r.Note("%s", keptNote(out.Path, out.kept))
	}
	if out.text != nil {
		r.Print(out.text)
	}
}

// keptNote says why fixes that are offered were not made: the first one's reason, and how many have others.
func keptNote(path string, kept []lint.WithheldFix) string {
	first := kept[0]
	why := ": " + first.Why + "; correct it by hand"
	if revealed := first.Reveals; revealed != nil {
		why = fmt.Sprintf(", since that reveals an error: %s [%s]; correct both by hand", cmp.Or(revealed.Brief, revealed.Message), revealed.Rule.ID)
	}
	others := ""
	if n := len(kept) - 1; n > 0 {
		others = fmt.Sprintf("; the same applies to %s", text.Count(n, "more finding"))
	}
	f := first.Finding
	return fmt.Sprintf("%s: did not %s for line %d [%s]%s%s", path, f.Fix.Title, f.Pos.Line, f.Rule.ID, why, others)
}

// lint looks at all files, and returns what there is to report on them together.
func (r *lintRun) lint(ctx context.Context) (*lint.Report, error) {
	run.Each(ctx, r.Run, r.work, r.collect)
	if err := r.addLost(); err != nil {
		return nil, err
	}
	if err := r.addReplaced(ctx); err != nil {
		return nil, err
	}
	if !r.flags.AllowEmpty {
		for _, f := range r.files {
			if f.Gone {
				r.Inputs.SettleAbove(f.Path)
			}
		}
		r.Complain()
		r.complainOld()
	}
	if r.Older != nil {
		for _, line := range slices.Concat(r.Older.Uncompared(), r.Older.From().ModulesOf(r.Paths, r.excluded)) {
			if r.linter.Requirement { // nobody knows what is needed
				r.Fail(errors.New(line))
				continue
			}
			r.Note("%s", line)
		}
	}
	r.addOversized()
	made := r.judgeBuilds(ctx)
	if len(made) > 0 {
		r.linter.Shown = r.builds.Shown
	}
	all := r.linter.Report(slices.Concat(r.files, made)...)
	if all.Objects == nil || all.Objects.Len() > all.Objects.Count(lint.Unjudged) {
		r.NoteWay()
	}
	for _, f := range made {
		r.builds.About(f.Findings)
	}
	if len(made) > 0 {
		r.builds.Take(all)
	}
	r.NoteVoid(all.Inline)
	for _, was := range all.Renamed {
		r.Note("%s", rules.All().Renamed(was))
	}
	r.nameTemplates(all.Templates)
	if types := r.linter.Go; types != nil {
		for _, line := range types.Notes() {
			r.Note("%s", line)
		}
	}
	if r.Roles != nil && r.linter.Suites == nil && r.linter.Migrations == nil { // whose files are all of tests, or told whatever they are
		suppress.Fold(all, r.Roles)
		r.Roles.DropFollowed(all, r.linter.Config)
		isInput := func(file string) bool {
			return slices.ContainsFunc(r.Inputs.All, func(in run.Input) bool { return run.Shown(in.Path) == file })
		}
		if missing := r.Roles.MissingSource(isInput); missing != "" {
			r.Note("%s", missing)
		}
	}
	if err := r.dropKnown(all); err != nil {
		return nil, err
	}
	r.Inputs.Built.ToSources(all)
	return all, nil
}

// judgeBuilds judges sources as kustomizations change them, in a run that knows which files are sources.
func (r *lintRun) judgeBuilds(ctx context.Context) (made []*rules.FileReport) {
	if r.linter.Objects != nil || r.linter.Conversions != nil || r.linter.Suites != nil || r.linter.Migrations != nil {
		return nil
	}
	r.builds = r.Builds(r.flags.diff)
	final := &rules.Linter{Options: r.linter.Options, Go: r.linter.Go}
	final.Final = true
	ordered.Each(ctx, runtime.GOMAXPROCS(0), r.builds.Inputs, func(in run.Input) (out lintOutcome) {
		defer run.Survive(in, false, &out.trouble)
		out.report = final.File(run.Shown(in.Path), in.Text)
		out.report.Sources = r.builds.SourcesOf(out.report.Path)
		return out
	}, func(out lintOutcome) {
		if out.trouble != nil {
			r.Fail(out.trouble)
			return
		}
		made = append(made, out.report)
	})
	return made
}

// finish reports what was found.
func (r *lintRun) finish(all *lint.Report) error {
	if path := r.flags.NewBaseline; path != "" {
		return r.writeBaseline(path, all)
	}
	if r.rewrote > 0 && r.flags.diff || failing(all, r.flags.FailOn) {
		r.Worsen(run.ExitFindings)
	}
	if err := r.write(all); err != nil {
		return err
	}
	if !r.flags.Quiet {
		r.summarize(all)
	}
	return nil
}

// write writes the findings in the formats of --output.
func (r *lintRun) write(all *lint.Report) error {
	changelog := r.changelog(all.Findings)
	all.AtLeast(r.flags.MinSeverity)
	to := r.Stdout
	if r.flags.takesStdout(r.Paths) {
		to = r.Stderr
	}
	return r.Report(to, all, report.Options{
		Places: r.flags.places, Requests: r.flags.requests, Copies: r.flags.Copies,
		Rules: rules.All(), Changelog: changelog, Failed: r.Code == run.ExitTrouble, Unread: r.unread,
		FailOn: r.flags.FailOn, GoLocation: r.linter.Config.GoLocation,
		Head: r.head(), Added: r.additions(),
	})
}

// head is what the report says of the run.
func (r *lintRun) head() report.Head {
	head := report.Head{Command: "lint", Against: r.against()}
	switch {
	case r.linter.Conversions != nil:
		head.Command = "webhook test"
	case r.linter.Objects != nil && r.linter.Objects.Audit != nil:
		head.Command = "audit"
	case r.linter.Objects != nil:
		head.Command, head.Against = "validate", r.flags.Against
	case r.linter.Suites != nil:
		head.Command = "test"
	case r.linter.Migrations != nil:
		head.Command = "migrate"
	case r.linter.Changes:
		head.Command = "breaking"
	}
	return head
}

// summarize prints the counts of a run.
func (r *lintRun) summarize(all *lint.Report) {
	if r.rewrote > 0 && !r.previews() {
		done, wrote := "fixed", "wrote"
		if r.flags.diff {
			done, wrote = "would fix", "would write"
		}
		what := "finding"
		if r.linter.Suites != nil {
			done, what = strings.NewReplacer("fixed", "updated", "fix", "update").Replace(done), "expectation"
		}
		if r.mended > 0 {
			r.Say("%s %s in %s", done, text.Count(r.fixed, what), text.Count(r.mended, "file"))
		}
		if r.added > 0 {
			r.Say("%s %s in %s; the field manager that applies %s then owns these fields", wrote, text.Count(r.added, "default"), text.Count(r.completed, "file"), text.Verb(r.completed, "it", "them"))
		}
	}
	if len(all.Files) > 0 && (all.Tests == nil || len(all.Tests) > 0) || r.Code != run.ExitTrouble { // else the message said it all
		r.Say("%s", report.Summary(all))
	}
	if !r.flags.fix && !r.flags.fixGo && !r.flags.diff && !r.flags.Audits {
		r.nameFixable(all)
	}
	if r.flags.fixesManifests() {
		if left := report.NotFixed(all, r.flags.unsafe); left != "" {
			r.Say("%s", left)
		}
		if !r.flags.fixGo {
			r.nameGo(all)
		}
	}
	if gone := all.BaselineGone; gone > 0 {
		r.Say("%s of the baseline %s gone; update it with --write-baseline", text.Count(gone, "finding"), text.Verb(gone, "is", "are"))
	}
	command := "crdlift " + r.head().Command
	if left := report.LeftOut(all, command); left != "" {
		r.Say("%s", left)
	}
	if r.builds != nil {
		if patches := r.builds.Patches(all, command); patches != "" {
			r.Say("%s", patches)
		}
	}
}

func (r *lintRun) writeBaseline(path string, all *lint.Report) error {
	var former *lint.Baseline // of what the other command reports, which is to stay
	if src, err := run.ReadSettings(path, true); err == nil {
		former, _ = suppress.ReadBaseline(run.Shown(path), src, rules.All()) // a broken one is replaced
	}
	kept := func(rule string) bool {
		known := rules.ByID(rule)
		return known != nil && (known.Object != (all.Objects != nil) || known.Conversion != (all.Conversions != nil) || known.Suite != (all.Tests != nil))
	}
	if err := atomicfile.Write(path, suppress.WriteBaseline(run.Shown(path), all, former.Of(kept))); err != nil {
		return fmt.Errorf("--write-baseline %s cannot be written (%w); name another file", run.Shown(path), run.Cause(err))
	}
	if !r.flags.Quiet {
		n := len(all.Findings) - all.Ignored()
		r.Say("wrote %s to %s", text.Count(n, "finding"), run.Slashed(path))
	}
	return nil
}

// maxTemplates is how many templates are named where somebody watches: a log may be searched, a terminal scrolls away.
const maxTemplates = 10

// nameTemplates names the templates with CRDs in them that were passed over. The others hold nothing that would be linted;
// the summary counts them all.
func (r *lintRun) nameTemplates(all []lint.Template) {
	named, left := 0, 0
	for _, t := range all {
		switch {
		case !t.CRDs:
		case named == maxTemplates && terminal.Is(r.Stderr):
			left++
		default:
			named++
			r.Note("%s: skipped: %s; lint %s", t.Path, reason(t), madeOf(t.Language))
		}
	}
	if left > 0 {
		r.Note("skipped %s more with CRDs", text.Count(left, "template"))
	}
}
