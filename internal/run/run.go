// Package run is a run of a command over files: which files it works on, in which order and how many at a time, what they are
// compared with or judged by, and where its findings go. What becomes of a file is a matter of the commands.
//
// Read session.go first, which is one call of the program, and flags.go, which is what users ask for; then Prepare below.
// inputs.go and paths.go find files, piece.go and streaming.go those that are judged in pieces. older.go opens the older side,
// crds.go finds what objects are judged by, and outputs.go writes.
package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Run is a run of a command over its inputs: it works on several at a time, and reports on them in their order.
type Run struct {
	*Session
	Flags  *Flags
	Config *lint.Config
	Paths  []string // of the command line, or of the configuration
	Inputs *Inputs
	Older  *older.Side // of CRDs; nil for a run that compares them with nothing
	Roles  *Roles
	Around *repository.Around // the working directory; nil where there is none

	DiffRoot string // what the names in diffs count from
	Progress *terminal.Progress
	base     *older.Manifests // of --config-from; nil where it is not given
	Alone    bool             // one input at a time
	Order    []int            // in which the inputs are worked on, by their indexes; nil for their own order
}

// Prepare prepares a run: it finds the inputs and what to compare them with, and rejects outputs that would replace a file
// which the run reads.
func (s *Session) Prepare(ctx context.Context, f *Flags, c *lint.Config, paths []string) (r *Run, err error) {
	r = &Run{Session: s, Flags: f, Config: c, Paths: paths}
	for _, line := range f.idleOnly {
		r.Note("%s", line)
	}
	configured := len(paths) == 0 && f.Kustomize == ""
	if configured {
		if r.Paths, err = f.defaultPaths(c); err != nil {
			return nil, err
		}
	}
	if r.base, err = s.openBase(ctx, f); err == nil && r.base != nil {
		err = s.keepTracked(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.Inputs, err = s.inputs(f, c, r.Paths); err != nil {
		return nil, err
	}
	memory.Expect(len(r.Inputs.All))
	if configured && len(r.Inputs.All) > 0 { // the configuration drops some of what its own globs match
		r.Inputs.Settle(slices.Collect(maps.Keys(r.Inputs.out)))
	}
	s.FailAll(r.Inputs.Errs)
	r.Inputs.NoteLinks(r.Note)
	if err := f.guard(r.Inputs.reserved()); err != nil {
		return nil, err
	}
	if r.Older, err = s.openOld(ctx, f, r.Paths); err != nil {
		return nil, err
	}
	r.DiffRoot = DiffRoot(r.Inputs.All)
	r.Around, _ = repository.AroundFolder(".", c.Roles.Set, r.Inputs.paths...)
	r.Roles = r.rolesOf()
	if r.base != nil && r.Roles != nil {
		if r.Roles.base, err = r.base.Evidence(ctx, r.Around.Tree(), r.Around.Settings()); err != nil {
			return nil, err
		}
	}
	r.assumeWay()
	if r.Older != nil && r.base != nil {
		r.Older.Strict = true // a pull request must not move a CRD to where nobody looks
	}
	if r.Older != nil && r.Roles != nil && f.Require == "" {
		if err := r.Roles.CompareWith(ctx, r.Older); err != nil {
			r.Note("%v", err)
		}
	}
	return r, nil
}

// assumeWay has manifests applied as the files of the repository say, where the user does not.
func (r *Run) assumeWay() {
	given := r.Config.Apply
	if given.Way != "" || given.Manager != "" || r.Flags.About != AboutObjects && r.Flags.About != AboutChanges {
		return
	}
	if how := r.Roles.Applied(); how.Way != "" {
		r.Config.Apply = lint.Apply{Way: how.Way, Manager: how.Manager, Force: given.Force || how.Force, Assumed: true}
	}
}

// NoteWay says which way was assumed.
func (r *Run) NoteWay() {
	if how := r.Config.Apply; how.Assumed {
		r.Note("--apply %s is assumed: %s; use --apply any to check all ways", how.Way, r.Roles.Applied().Because)
	}
}

// inputs finds the files at the paths of a run that the configuration does not exclude.
func (s *Session) inputs(f *Flags, c *lint.Config, paths []string) (*Inputs, error) {
	own := append([]reserved{{c.Path, theConfiguration}}, f.baselines...)
	for _, file := range c.Files {
		own = append(own, reserved{file.Path, theConfiguration})
	}
	if f.Kustomize != "" {
		return s.builtInputs(f.Kustomize, paths, c, own)
	}
	found := &Inputs{skip: f.Skip, tracked: s.tracked, unasked: f.Found, own: own, outputs: append(f.Outputs.paths(), f.NewBaseline)}
	if f.About == AboutObjects || f.About == AboutMigrations {
		found.wants = "custom resource or CustomResourceDefinition"
	}
	if f.About == AboutSuites {
		found.wants = "suite of tests (*.crdtest.yaml)"
	}
	for _, path := range paths {
		if path == Stdin && len(paths) > 1 {
			return nil, UsageError("standard input (-) cannot be combined with other paths", "leave out the other paths")
		}
		found.Find(path)
	}
	found.leaveOut(c)
	return found, nil
}

// builtInputs are the CRDs that a kustomization makes, by the files they come from.
func (s *Session) builtInputs(folder string, paths []string, c *lint.Config, own []reserved) (*Inputs, error) {
	if len(paths) > 0 {
		return nil, UsageError("--kustomize replaces PATH", "leave out PATH: the kustomization names the files")
	}
	built, read, err := kustomize.Build(folder, int64(s.MaxFileSize), true)
	if err != nil {
		return nil, Unread(err)
	}
	made := newBuild()
	found := &Inputs{Built: &made, paths: []string{folder}, own: own}
	for _, path := range read {
		found.own = append(found.own, reserved{path, theKustomization})
	}
	for _, file := range built {
		path := Shown(file.Path)
		if glob := config.ExcludedBy(c, path); glob != "" {
			found.exclude([]int{0}, glob, c)
			continue
		}
		found.All = append(found.All, Input{Path: file.Path, Text: file.Text, From: []int{0}})
		found.Built.add(path, file)
	}
	return found, nil
}

// Each has the work done on every input, and hands on the results. It reports whether the run was not interrupted.
func Each[R any](ctx context.Context, r *Run, work func(Input) R, handOn func(R)) (complete bool) {
	all := r.Inputs.All
	workers, done := runtime.GOMAXPROCS(0), 0
	if r.Alone {
		workers = 1
	}
	r.Progress = cmp.Or(r.Progress, r.Inputs.progress(r.Stderr))
	if r.Order != nil {
		done = ordered.EachIn(ctx, workers, r.Order, func(i int) R { return work(all[i]) }, func() { r.Progress.Step(1) }, handOn)
	} else {
		next := 0
		done = ordered.Each(ctx, workers, all, work, func(out R) {
			handOn(out)
			r.Progress.Step(r.Inputs.weight(all[next]))
			next++
		})
	}
	r.Progress.Clear()
	if done < len(all) {
		what := "files"
		if r.Inputs.Streamed {
			what = "files and pieces of lists"
		}
		r.Fail(fmt.Errorf("interrupted after %d of %d %s", done, len(all), what))
	}
	return done == len(all)
}

// DiffOf is what changed in an input, as standard output takes it. There was no file if before is nil.
func (r *Run) DiffOf(in Input, before, after []byte) []byte {
	name := diffName(r.DiffRoot, in)
	old := "a/" + name
	if before == nil {
		old = "/dev/null"
	}
	changes := diff.Unified(old, "b/"+name, before, after)
	if terminal.WantsColor(r.Stdout) {
		return terminal.Diff(changes)
	}
	return changes
}

// Print writes an input's part of standard output. It is out before the next input is read, so that the two streams
// stay in step on a terminal.
func (r *Run) Print(part []byte) {
	r.Progress.Clear()
	if _, err := r.Stdout.Write(part); err != nil {
		r.Fail(err)
	}
}

// Say prints a line on standard error.
func (r *Run) Say(format string, args ...any) {
	r.Progress.Clear()
	fmt.Fprintln(r.Stderr, text.Harmless(fmt.Sprintf(format, args...)))
}

// Note prints a line that does not count for the exit code, once.
func (r *Run) Note(format string, args ...any) {
	if line := "crdlift: " + fmt.Sprintf(format, args...); !r.Flags.Quiet && r.first(line) {
		r.Say("%s", line)
	}
}

// Fail is that of the session, in a line of its own.
func (r *Run) Fail(err error) {
	r.Progress.Clear()
	r.Session.Fail(err)
}
