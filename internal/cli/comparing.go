package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// complainOld fails the run for an old side without any CRD: one that is misspelt must not look like a change that breaks
// nothing. The CRDs may be younger than a revision, of which that is only said.
func (r *lintRun) complainOld() {
	switch {
	case r.Older == nil || len(r.Older.From().Modules()) > 0 || !r.Older.IsEmpty():
	case r.Older.From().IsGit():
		r.Note("%v; every CRD counts as new", noneOnSide(r.Older))
	default:
		r.Fail(fmt.Errorf("there is nothing to compare with (%w); name another version, or accept that with --allow-empty", noneOnSide(r.Older)))
	}
}

// noneOnSide is the error for an older side whose files hold no CRD.
func noneOnSide(old *older.Side) error { return run.NoneIn(old.From().String(), old.From().Files) }

// excluded reports whether the configuration excludes a file.
func (r *lintRun) excluded(path string) bool { return config.ExcludedBy(r.Config, path) != "" }

// addLost reports the CRDs that are deleted.
func (r *lintRun) addLost() error {
	if r.Older == nil {
		return nil
	}
	lost, ofCluster := r.Older.Deleted(r.Paths, r.excluded)
	if r.linter.Requirement {
		lost, ofCluster = r.Older.Lost(func(lint.File) bool { return true }), nil
	}
	noteOthers(r.Note, ofCluster)
	looked := map[string]*rules.FileReport{}
	if len(lost) > 0 {
		for _, f := range slices.Backward(r.files) {
			looked[f.Path] = f
		}
	}
	for _, l := range lost {
		path := r.Older.From().Here(l.File)
		if was := r.Older.Was(l.File.Path, l.Name); was.Role == lint.RoleForeign {
			r.Roles.Deleted[l.Name] = was
		}
		if file := r.linter.Removed(path, looked[path], l); file != nil && looked[path] == nil {
			looked[path] = file
			r.files = append(r.files, file)
		}
	}
	return r.Older.Err()
}

// noteOthers says that CRDs of a cluster, in the groups of the manifests, have no manifest here.
func noteOthers(note func(string, ...any), others []lint.LostCRD) {
	switch n := len(others); {
	case n == 1:
		note("the cluster also has %s, and no manifest here does; a group may have several owners, so it does not count as deleted; add its manifest if it is yours", others[0].Name)
	case n > 1:
		note("the cluster also has %s and %s, and no manifest here does; a group may have several owners, so they do not count as deleted; add their manifests if they are yours",
			others[0].Name, text.Count(n-1, "more CRD"))
	}
}

// dropKnown drops the findings that the old side has, too.
func (r *lintRun) dropKnown(all *lint.Report) error {
	if r.Older == nil || !r.linter.NewOnly {
		return nil
	}
	files := r.Older.Used()
	for _, f := range all.Findings { // where no CRD is seen, nothing was looked for
		if old, ok := r.Older.At(f.Pos.File); ok && (f.Rule.HidesCRD || f.Rule.ID == suppress.Part) {
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
	if err := r.flags.UseCache(plain); err != nil {
		return err
	}
	known, err := r.lintOld(plain, files)
	if err != nil {
		return err
	}
	r.SaveCache(plain)
	was := plain.Report(known...)
	if r.Roles != nil {
		roles := oldRoles{r.Older, map[string]string{}}
		for _, f := range files {
			roles.files[r.Older.From().Here(f)] = f.Path
		}
		suppress.Fold(was, roles)
	}
	suppress.DropKnown(all, was)
	return nil
}

// oldRoles are what files of the older side were to the repository, by their paths here.
type oldRoles struct {
	*older.Side
	files map[string]string
}

func (o oldRoles) CRD(file, name string) repository.Decision { return o.Was(o.files[file], name) }
func (o oldRoles) File(string) repository.Decision           { return repository.Decision{} }

// lintOld lints files of the old side by themselves, with the configuration of their new places.
func (r *lintRun) lintOld(linter *rules.Linter, files []lint.File) (reports []*rules.FileReport, failure error) {
	type outcome struct {
		report *rules.FileReport
		err    error
	}
	work := func(f lint.File) outcome {
		text, err := f.Read()
		path := r.Older.From().Here(f)
		report := linter.File(path, text)
		now, changed := worktree.ReadFound(path, int64(r.MaxFileSize)) // not a pipe, which has been read
		if changed != nil || !bytes.Equal(now, text) {                 // what is behind a limit may be new
			report.Findings = slices.DeleteFunc(report.Findings, func(f *lint.Finding) bool { return f.Rule.ID == limit.Rule })
		}
		return outcome{report, err}
	}
	ordered.Each(context.Background(), runtime.GOMAXPROCS(0), files, work, func(out outcome) {
		reports, failure = append(reports, out.report), cmp.Or(failure, out.err)
	})
	return reports, failure
}

// addOversized reports the files that were not read, among what is said of the files at their paths.
func (r *lintRun) addOversized() {
	for _, o := range r.Oversized.Of("") {
		r.addTo(o.Path, func(at *rules.FileReport) *rules.FileReport {
			return r.linter.Oversized(o.Path, o.Message(r.MaxFileSize), at)
		})
	}
}

// addTo adds to the report on a file, or one on a file that has none.
func (r *lintRun) addTo(path string, add func(at *rules.FileReport) *rules.FileReport) {
	var at *rules.FileReport
	if i := slices.IndexFunc(r.files, func(f *rules.FileReport) bool { return f.Path == path }); i >= 0 {
		at = r.files[i]
	}
	if file := add(at); at == nil {
		r.files = append(r.files, file)
	}
}

// addReplaced reports what patches of custom resources lose of lists, in a run that judges these, or what a kustomization builds.
func (r *lintRun) addReplaced(ctx context.Context) error {
	if by := r.linter.Objects; r.flags.fixes() || by == nil && r.Inputs.Built == nil || by != nil && (by.Against != nil || by.Audit != nil) {
		return nil
	}
	lists, err := r.Replaced(ctx, r.linter.Objects)
	for _, list := range lists {
		path := run.Shown(list.Path)
		r.addTo(path, func(at *rules.FileReport) *rules.FileReport {
			at = r.linter.Replaced(list.ReplacedList, path, at)
			if r.Inputs.Built != nil {
				at.Sources = []string{path}
				r.Inputs.Settle([]int{0}) // an overlay may have no CRD of its own
			}
			return at
		})
	}
	return err
}

// against is what CRDs are compared with, as the user calls it; "" for nothing.
func (r *lintRun) against() string {
	if r.Older == nil {
		return ""
	}
	if from := r.Older.From(); !from.IsStdin() {
		return cmp.Or(from.Revision, run.Slashed(from.Path))
	}
	return run.StdinName
}

// additions are what the change of all files adds; of a CRD with copies, what the change of its source does, and what copies have
// alone.
func (r *lintRun) additions() (all []lint.Addition) {
	told := map[string]bool{}
	collect := func(wanted func(d repository.Decision) bool) {
		for _, f := range r.files {
			for _, a := range f.Added {
				says := fmt.Sprintf("%q", a)
				switch d := r.Roles.CRD(f.Path, a.Resource); {
				case !wanted(d) || d.Source != "" && told[says]:
				default:
					told[says] = true
					all = append(all, a)
				}
			}
		}
	}
	collect(func(d repository.Decision) bool { return d.Source == "" && (d.Role == "" || d.Role.Told()) })
	collect(func(d repository.Decision) bool { return d.Source != "" && d.Role.Told() })
	return all
}

// changelog returns the content of a page about the change, given all findings; nil where none was requested.
func (r *lintRun) changelog(findings []*lint.Finding) *report.Changelog {
	if !r.linter.Additions {
		return nil
	}
	return &report.Changelog{Since: r.against(), Findings: slices.Clone(findings), Added: r.additions()}
}
