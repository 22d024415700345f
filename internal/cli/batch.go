package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"

	"github.com/crdlift/crdlift/internal/terminal"
)

// A batch is a run of a command over its inputs: it works on several at a time, and reports on them in their order.
type batch struct {
	*session
	common *Flags
	config *lint.Config
	paths  []string // of the command line, or of the configuration
	found  *finder
	old    *older.Side // of CRDs; nil for a run that compares them with nothing

	diffRoot string // what the names in diffs count from
	progress *terminal.Progress
	alone    bool  // one input at a time
	order    []int // in which the inputs are worked on, by their indexes; nil for their own order
}

// prepare prepares a run: it finds the inputs and what to compare them with, and refuses outputs that would replace a file
// which the run reads.
func (s *session) prepare(ctx context.Context, f *Flags, c *lint.Config, paths []string) (r *batch, err error) {
	r = &batch{session: s, common: f, config: c, paths: paths}
	configured := len(paths) == 0 && f.kustomize == ""
	if configured {
		if r.paths, err = f.defaultPaths(c); err != nil {
			return nil, err
		}
	}
	if r.found, err = s.inputs(f, c, r.paths); err != nil {
		return nil, err
	}
	if configured && len(r.found.inputs) > 0 {
		r.found.settleExcluded()
	}
	s.failAll(r.found.errs)
	if err := f.guard(r.found.reserved()); err != nil {
		return nil, err
	}
	if r.old, err = s.openOld(ctx, f, r.paths); err != nil {
		return nil, err
	}
	r.diffRoot = diffRoot(r.found.inputs)
	return r, nil
}

// inputs finds the files at the paths of a run that the configuration does not exclude.
func (s *session) inputs(f *Flags, c *lint.Config, paths []string) (*finder, error) {
	own := append([]reserved{{c.Path, theConfiguration}}, f.baselines...)
	if f.kustomize != "" {
		return s.builtInputs(f.kustomize, paths, c, own)
	}
	found := &finder{skip: f.skip, own: own, outputs: append(f.outputs.paths(), f.newBaseline)}
	if f.about == aboutObjects {
		found.wants = "custom resource or CustomResourceDefinition"
	}
	for _, path := range paths {
		if path == stdinPath && len(paths) > 1 {
			return nil, usageError{"- cannot be combined with other paths", "Leave out the other paths."}
		}
		found.find(path)
	}
	found.leaveOut(c)
	return found, nil
}

// builtInputs are the CRDs that a kustomization makes, by the files they come from.
func (s *session) builtInputs(folder string, paths []string, c *lint.Config, own []reserved) (*finder, error) {
	if len(paths) > 0 {
		return nil, usageError{"--kustomize replaces PATH", "The kustomization names the files."}
	}
	built, read, err := kustomize.Build(folder, int64(s.maxFileSize))
	if err != nil {
		return nil, unread(err)
	}
	found := &finder{built: &build{map[string]*kustomize.File{}, map[string][]string{}, map[*lint.Finding]kustomize.Spot{}}, paths: []string{folder}, own: own}
	for _, path := range read {
		found.own = append(found.own, reserved{path, theKustomization})
	}
	for _, file := range built {
		path := shown(file.Path)
		if glob := config.ExcludedBy(c, path); glob != "" {
			found.exclude([]int{0}, glob, c)
			continue
		}
		found.inputs = append(found.inputs, input{path: file.Path, text: file.Text, from: []int{0}})
		found.built.files[path] = file
		for _, source := range file.Sources() {
			found.built.sources[path] = append(found.built.sources[path], shown(source))
		}
	}
	return found, nil
}

// forEach has the work done on every input, and hands on the results. It reports whether the run was not interrupted.
func forEach[R any](ctx context.Context, r *batch, work func(input) R, handOn func(R)) (complete bool) {
	all := r.found.inputs
	memory.Expect(len(all))
	workers, done := runtime.GOMAXPROCS(0), 0
	if r.alone {
		workers = 1
	}
	r.progress = cmp.Or(r.progress, r.found.progress(r.stderr))
	if r.order != nil {
		done = inOtherOrder(ctx, workers, r.order, func(i int) R { return work(all[i]) }, func() { r.progress.Step(1) }, handOn)
	} else {
		next := 0
		done = inOrder(ctx, workers, all, work, func(out R) {
			handOn(out)
			r.progress.Step(r.found.weight(all[next]))
			next++
		})
	}
	r.progress.Clear()
	if done < len(all) {
		what := "files"
		if r.found.streamed {
			what = "files and pieces of lists"
		}
		r.fail(fmt.Errorf("interrupted after %d of %d %s", done, len(all), what))
	}
	return done == len(all)
}

// diffOf is what changed in an input, as standard output takes it.
func (r *batch) diffOf(in input, before, after []byte) []byte {
	name := diffName(r.diffRoot, in)
	changes := diff.Unified("a/"+name, "b/"+name, before, after)
	if terminal.WantsColor(r.stdout) {
		return terminal.Diff(changes)
	}
	return changes
}

// print writes an input's part of standard output. It is out before the next input is looked at, so that the two streams
// stay in step on a terminal.
func (r *batch) print(part []byte) {
	r.progress.Clear()
	if _, err := r.stdout.Write(part); err != nil {
		r.fail(err)
	}
}

// say prints a line on standard error.
func (r *batch) say(format string, args ...any) {
	r.progress.Clear()
	fmt.Fprintln(r.stderr, text.Harmless(fmt.Sprintf(format, args...)))
}

// note prints a line that does not count for the exit code, once.
func (r *batch) note(format string, args ...any) {
	if line := "crdlift: " + fmt.Sprintf(format, args...); !r.common.quiet && r.first(line) {
		r.say("%s", line)
	}
}

// fail is that of the session, in a line of its own.
func (r *batch) fail(err error) {
	r.progress.Clear()
	r.session.fail(err)
}
