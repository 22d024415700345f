package rules

import (
	"fmt"
	"io"
	"slices"

	"github.com/crdlift/crdlift/internal/changelog"
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A Linter runs the rules over manifests. The zero value runs the recommended ones. Its methods may be called from
// several goroutines.
type Linter struct {
	lint.Options
	Against *Old // what to compare with; nil for nothing, and then rules that need an older CRD do not run
	// Objects are what custom resources are judged by. The linter looks at those then, and not at CRDs; nil for CRDs.
	Objects *Objects
	// Conversions are tests of conversions. The linter makes those then, and reports nothing else; nil for a linter.
	Conversions *Conversions
	// Suites are what suites of tests of CRDs are run by. The linter runs those then, and nothing else; nil for a linter.
	Suites *Suites
	// Migrations carry custom resources to another version. The linter does that then, and nothing else; nil for a linter.
	Migrations *Migrations
	Repeats    *Repeats // of documents that are in several files; nil to judge each
	Go         *GoTypes // where to look for the Go types that the manifests are generated from; nil for nowhere
	// Roles tells the manifests that a generator writes from their copies: what a CRD in a file is to its repository, and the file that
	// it is a copy of. It is nil where none is known to be a copy, and is asked for few.
	Roles func(file, crd string) (role lint.Role, source string)
	// Outdated says as of when a copy has the CRD of its source: "4f2c1d7 (2026-05-02), 3 commits behind crd.yaml". It is "" for one that
	// is up to date, or not a mere copy. It is asked if a rule runs that reports this, and nil to look at no history.
	Outdated func(file, source, crd string) string
	// Differ says how the CRD of a name in a file differs from that in another one, of another owner: "2 differences, the first in v1 spec".
	// It is "" for those that do not differ, and nil where one owner has all.
	Differ func(name, file, other string) string
	// CRDs become those of the file that is judged next, as ReadCRDs has them: it is parsed once for both. It is nil to read none.
	CRDs *CRDFile

	cache *engine.Cache // nil for a Linter that keeps no reports
}

// Repeats are what was said of documents that are in several files, of which one is checked.
type Repeats struct{ run engine.Repeats }

// NewRepeats are those of a run, given what tells documents apart by their text.
func NewRepeats(same func(file string, document int) lint.Sameness) *Repeats {
	return &Repeats{engine.Repeats{Same: same}}
}

// A FileReport is what there is to say about one file, with what Linter.Report wants to know besides.
type FileReport struct {
	*lint.FileReport
	run *engine.FileReport
}

func reportOf(run *engine.FileReport) *FileReport { return &FileReport{&run.FileReport, run} }

// A FixResult is a file after its fixes.
type FixResult struct {
	Output   []byte             // equal to the input when nothing was fixed
	Findings []*lint.Finding    // what was fixed, as it was reported when it was; one fix may mend several
	Left     *FileReport        // what the fixed file still has
	GaveUp   bool               // there may be more to fix, which a finding says
	Withheld []lint.WithheldFix // fixes of what is in Left that were tried and not made
}

// File looks at one file. The path is for messages, and for what the configuration says about it.
func (l *Linter) File(path string, src []byte) *FileReport {
	if l.cache == nil {
		return l.judge(path, src, nil)
	}
	return reportOf(l.cache.File(path, src, func(record *vicinity.Record) *engine.FileReport { return l.judge(path, src, record).run }))
}

// judge is File without a cache. It collects what the report depends on.
func (l *Linter) judge(path string, src []byte, record *vicinity.Record) *FileReport {
	var added []lint.Addition
	run := l.engine()
	run.Record = record
	if l.CRDs != nil {
		run.Parsed = l.CRDs.reader(path, src)
	}
	if l.Additions {
		run.Rules = append(slices.Clone(run.Rules), additions(&added))
	}
	report := run.File(path, src)
	report.Added = added
	l.addGoEdits(&report.FileReport)
	return reportOf(report)
}

// Copy is the report for one more call of Report, which completes those that it is given.
func (f *FileReport) Copy() *FileReport {
	run := *f.run
	run.Findings = slices.Clone(f.Findings)
	return reportOf(&run)
}

// IsSilent reports whether the findings of a Report are the same without this one.
func (f *FileReport) IsSilent() bool { return f.run.IsSilent() }

// Piece checks a part of a file by itself: some items of a list of custom resources that is too large to be read as a whole, with what
// is around
// them. Its reports go to Join.
func (l *Linter) Piece(path string, src []byte, parts []lint.Part) *FileReport {
	return reportOf(l.engine().Part(manifest.SplitParts(path, src, parts)))
}

// Join adds the report on the next piece of a file to that on those before, which is nil for the first. Of findings that are
// alike and about many objects, the first are kept, and the others are counted: see lint.Finding.More.
func (l *Linter) Join(before, next *FileReport) *FileReport {
	if before == nil {
		before = NoReport(next.Path)
	}
	objectpass.Join(l.engine(), before.run, next.run)
	return before
}

// NoReport is the report on a file, or a piece of one, of which nothing is known.
func NoReport(path string) *FileReport {
	return reportOf(&engine.FileReport{FileReport: lint.FileReport{Path: path}})
}

// WhyWhole says why a list with such a text in it cannot be checked in pieces; "" where it can.
func WhyWhole(path string, text []byte) string { return objectpass.WhyWhole(path, text) }

// Parses reports whether all of a file, or a piece of one, could be read.
func (f *FileReport) Parses() bool { return f.run.Parses() }

// Mark marks the findings of a file that are ignored. Report does that, too.
func (l *Linter) Mark(f *FileReport) { l.engine().Mark(f.run) }

// Fix makes the fixes of a file's findings until there is nothing left to fix: the safe ones, and the unsafe ones too
// when asked.
func (l *Linter) Fix(path string, src []byte, unsafe bool) *FixResult {
	fixed := l.engine().Fix(path, src, unsafe)
	l.addGoEdits(&fixed.Left.FileReport)
	return &FixResult{fixed.Output, fixed.Findings, reportOf(fixed.Left), fixed.GaveUp != "", fixed.Withheld}
}

// Preview is the preview of the file; nil where Objects asks for none, and of a file that has no objects.
func (f *FileReport) Preview() *Preview { return objectpass.Preview(f.run) }

// WriteDefaults is a file whose objects have the defaults that a server adds to them: its text, and what is left as it is. It is nil for
// a file that has no objects.
func (l *Linter) WriteDefaults(path string, src []byte) *Preview {
	return l.PreviewAs(path, src, As{Written: true})
}

// PreviewAs is WriteDefaults for any form. That of objects as they are written is their text, whatever is to be hidden of it.
func (l *Linter) PreviewAs(path string, src []byte, as As) *Preview {
	run := l.engine()
	return run.Kind.(*objectpass.Objects).PreviewAs(run, path, src, as)
}

// Show is what may be shown of a change of a file: all of it, but for values of custom resources.
func (l *Linter) Show(path string, before, after []byte) lint.ShownChange {
	return l.engine().Show(path, before, after)
}

// Report puts the files of a run together: it runs the rules that look across files, and marks what is ignored.
func (l *Linter) Report(files ...*FileReport) *lint.Report {
	var runs []*engine.FileReport
	for _, f := range files {
		runs = append(runs, f.run)
	}
	report := l.engine().Report(runs)
	if l.Conversions != nil {
		report.Conversions = l.Conversions.counts()
	}
	return report
}

// Removed reports that a CRD of the earlier version is gone, at the path of the file that held it. The file is the report of
// what is at that path now, nil for a file that is gone as well, of which Removed then returns a report. It returns nil
// where there is nothing to say.
func (l *Linter) Removed(path string, file *FileReport, lost lint.LostCRD) *FileReport {
	old := (*older.Side)(l.Against).Gone(lost)
	if old == nil {
		return nil // Err of Against says why
	}
	if file == nil {
		file = noFile(path)
	}
	if !l.engine().Removed(&file.run.FileReport, old) {
		return nil
	}
	return file
}

// Oversized reports, in the words of a message, that a file to compare with or to check by is too large to be read. The file is
// the report of what is at that path now, nil for one that is not read, of which Oversized then returns a report.
func (l *Linter) Oversized(path, message string, file *FileReport) *FileReport {
	if file == nil {
		file = noFile(path)
	}
	l.engine().Oversized(&file.run.FileReport, message)
	return file
}

// noFile is the report on a path where no file is, or none that the run looks at.
func noFile(path string) *FileReport {
	return reportOf(&engine.FileReport{FileReport: lint.FileReport{Path: path, Gone: true}})
}

// engine is what runs the rules.
func (l *Linter) engine() *engine.Linter {
	run := &engine.Linter{Options: l.Options, Rules: allRules}
	run.Outdated, run.Differ = l.Outdated, l.Differ
	if l.Objects != nil {
		run.Kind = l.Objects.pass()
		return run
	}
	if l.Migrations != nil {
		run.Kind = l.Migrations.kind()
		return run
	}
	if l.Go != nil {
		run.Go = l.Go.found
	}
	if l.Suites != nil {
		run.Kind = l.Suites.kind()
		return run
	}
	if l.Repeats != nil {
		run.Repeats = &l.Repeats.run
	}
	if l.Roles != nil {
		run.Roles = func(file, crd string) repository.Decision {
			role, source := l.Roles(file, crd)
			return repository.Decision{Role: role, Source: source}
		}
	}
	if l.Conversions != nil {
		run.Conversions = l.Conversions.engine()
	}
	if l.Against != nil {
		side := (*older.Side)(l.Against)
		run.Old, run.Unknown = side.Find, side.IsUnknown
	}
	return run
}

// additions is a rule that reports nothing: it collects what a change adds.
func additions(to *[]lint.Addition) *engine.Rule {
	return &engine.Rule{ID: "changelog", Severity: lint.Info, NeedsOld: true, Run: func(p *engine.Pass) {
		all, err := compare.CRDs(p.Old().CRD, p.CRD)
		if err != nil {
			return
		}
		for _, a := range changelog.Of(all) {
			a.Resource = p.CRD.Name()
			*to = append(*to, a)
		}
	}}
}

// FindConfig looks for the configuration file, .crdlift.yaml, in a folder and those above it, up to the root of the
// repository or of the file system. The path is relative when the folder is, and "" when there is no such file.
func FindConfig(dir string) (path string, err error) { return config.Find(dir) }

// ReadConfig reads a configuration file. Unknown keys, unknown rules and wrong values are errors: all of them are
// reported together, each a *lint.FileError in what errors.Join makes.
func ReadConfig(path string, src []byte) (*lint.Config, error) {
	return config.Read(path, src, published)
}

// ReadBaseline reads a baseline file, as strictly as ReadConfig does. Rules that do not exist any more are no error.
func ReadBaseline(path string, src []byte) (*lint.Baseline, error) {
	return suppress.ReadBaseline(path, src, published)
}

// WriteBaseline returns a baseline file of what a run found and neither comments nor the configuration ignore. The path
// is where it is going to be: the files in it are relative to its folder.
func WriteBaseline(path string, r *lint.Report) []byte { return suppress.WriteBaseline(path, r, nil) }

// Write writes a report in a format: "text", "short", "statistics", "json", "sarif", "github", "gitlab", "junit" or "markdown". The page
// that the command writes as "html" is not among them: its templates would be a part of every program that writes a report.
func Write(w io.Writer, format string, r *lint.Report) error {
	return report.Write(w, format, r, report.Options{Rules: published, Doc: Doc})
}

// addGoEdits adds to the origins of a file's findings the changes of their markers as text, for a linter that makes edits.
// Findings with the same markers share theirs. Those beyond the bound have none and are counted.
func (l *Linter) addGoEdits(report *lint.FileReport) {
	if !l.Edits || l.Go == nil {
		return
	}
	made, work := map[string][]lint.FileEdit{}, 0
	for _, f := range report.Findings {
		if !f.InGo() || !f.Origin.Writable() {
			continue
		}
		marks := f.Origin.Marks()
		key := fmt.Sprint(marks)
		edits, known := made[key]
		switch {
		case known:
		case work > maxGoEditWork:
			report.Unedited++
			continue
		default:
			var read int
			edits, read = l.Go.edits(marks)
			made[key] = edits
			work += read
		}
		f.Origin.Edits = edits
	}
}
