package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/watch"
	"github.com/crdlift/crdlift/lint"
)

// watch runs suites, and again those that a change concerns, until it is interrupted. The exit code is that of the last run.
func (s *session) watch(ctx context.Context, f *testFlags, paths []string) error {
	ctx, stop := run.UntilInterrupt(ctx, true)
	defer stop()
	files, only := watch.New(), paths
	for first := true; ; first = false {
		if !first && terminal.Is(s.Stdout) {
			fmt.Fprint(s.Stdout, "\x1b[H\x1b[2J\x1b[3J")
		}
		one := &session{run.NewSession(s.Stdin, s.Stdout, s.Stderr)}
		one.MaxFileSize = s.MaxFileSize
		f.seen.begin(slices.Equal(only, paths), only)
		err := one.runSuites(ctx, f, only)
		one.End()
		if err != nil && first {
			return err
		}
		if err != nil {
			one.Fail(err)
		}
		s.Code = one.Code
		if !f.Quiet {
			one.Note("waiting for changes; interrupt to end")
		}
		changed := files.Wait(ctx, f.seen.files())
		if changed == nil {
			return nil
		}
		if only = f.seen.concerned(changed); only == nil {
			only = paths
		}
	}
}

// A seen is what runs of suites have read, for the next one to run those alone that a change concerns.
type seen struct {
	lock   sync.Mutex
	crds   map[string]map[string]bool // the files of the CRDs that the cases of a suite ran with, by its file
	others map[string]bool            // what concerns all: the configuration, and folders, where there may be something new
}

// begin forgets what a run of some suites, or of all, is going to find.
func (s *seen) begin(all bool, suites []string) {
	if all {
		s.crds, s.others = map[string]map[string]bool{}, map[string]bool{}
	}
	for _, path := range suites {
		delete(s.crds, path)
	}
}

// use notes that a suite has run with the CRD of a file.
func (s *seen) use(suite, crd string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.suite(suite)[crd] = true
	s.others[filepath.Dir(crd)] = true
}

func (s *seen) suite(path string) map[string]bool {
	if s.crds[path] == nil {
		s.crds[path] = map[string]bool{}
	}
	return s.crds[path]
}

// end notes what else a run has found.
func (s *seen) end(r *lintRun, all *lint.Report) {
	for _, one := range all.Tests {
		s.suite(one.Pos.File)
	}
	for _, one := range all.Findings {
		s.suite(one.Pos.File)
	}
	if path := r.Config.Path; path != "" {
		s.others[path] = true
	}
	for _, in := range r.Inputs.All {
		for dir := filepath.Dir(in.Path); !s.others[dir]; dir = filepath.Dir(dir) {
			if s.others[dir] = true; filepath.IsAbs(dir) {
				break
			}
		}
	}
}

// files are those that matter.
func (s *seen) files() []string {
	all := maps.Clone(s.others)
	for suite, crds := range s.crds {
		all[suite] = true
		maps.Copy(all, crds)
	}
	return slices.Sorted(maps.Keys(all))
}

// concerned are the suites that a change concerns; nil for all. Those that found no CRD may find one in any file.
func (s *seen) concerned(changed []string) (suites []string) {
	for _, path := range changed {
		if s.others[path] {
			return nil
		}
	}
	for _, suite := range slices.Sorted(maps.Keys(s.crds)) {
		crds := s.crds[suite]
		if len(crds) == 0 || slices.ContainsFunc(changed, func(path string) bool { return path == suite || crds[path] }) {
			suites = append(suites, suite)
		}
	}
	return suites
}
