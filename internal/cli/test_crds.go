package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/rules"
)

// suites are what the suites of a run are run by.
func (r *lintRun) suites(ctx context.Context, f *testFlags) *rules.Suites {
	named := func(path string) bool {
		return !slices.ContainsFunc(r.Paths, func(p string) bool { return run.Shown(p) == path }) && path != run.StdinName
	}
	crds := sync.OnceValue(func() *rules.Objects { return r.crdsOfSuites(ctx, f) })
	read := readOnce{session: r.Session, ctx: ctx, read: map[string]func() ([]*rules.CRDFile, error){}}
	return &rules.Suites{
		Objects: crds, Read: read.crds, FailFast: f.failFast, List: f.list, Rewrite: f.rewrite, Places: f.Outputs.Has(report.JSON), Found: named,
		OneVariant:   f.features == "one",
		Want:         func(name string) bool { return f.want.MatchString(name) },
		UpdateStored: strings.Contains(f.update, updateStored), UpdateRejected: strings.Contains(f.update, updateRejected),
		Accepted: shown(f.accepted), Rejected: shown(f.rejected),
	}
}

// crdsOfSuites are the CRDs that --crds names or, without it, those of the repository.
func (r *lintRun) crdsOfSuites(ctx context.Context, f *testFlags) *rules.Objects {
	by := &rules.Objects{Roles: r.Roles.OfObjects()}
	err := r.ReadCRDs(ctx, f.crds, by)
	if err == nil && len(f.crds)+len(r.Config.Test.CRDs) == 0 {
		err = r.ReadCRDsAround(ctx, by)
	}
	if err != nil {
		r.Fail(err)
	}
	return by
}

// A readOnce reads the CRDs that suites name, each file once.
type readOnce struct {
	session *run.Session
	ctx     context.Context
	lock    sync.Mutex
	read    map[string]func() ([]*rules.CRDFile, error)
}

// crds reads the CRDs at a place that a suite names.
func (o *readOnce) crds(from, where string) ([]*rules.CRDFile, error) {
	place := where
	if !strings.HasPrefix(where, older.GitPrefix) {
		folder := filepath.Dir(filepath.FromSlash(from))
		place = filepath.Join(folder, filepath.FromSlash(where))
		if real, err := worktree.RealPath(folder); err == nil && !isWithin(place, worktree.TopOf(real)) {
			return nil, fmt.Errorf("%s is outside of the repository of the suite; name it with --crds", where)
		}
	}
	o.lock.Lock()
	read, known := o.read[place]
	if !known {
		read = sync.OnceValues(func() ([]*rules.CRDFile, error) { return o.open(where, place) })
		o.read[place] = read
	}
	o.lock.Unlock()
	return read()
}

// isWithin reports whether a path leads into a folder; "" is that of all.
func isWithin(place, top string) bool {
	real, err := worktree.RealPath(place)
	if err != nil || top == "" {
		return true // that it is not there is said elsewhere
	}
	_, below := worktree.RelativeTo(top, real)
	return below
}

func (o *readOnce) open(where, place string) (all []*rules.CRDFile, err error) {
	if !strings.HasPrefix(place, older.GitPrefix) {
		if _, err := os.Stat(place); err != nil {
			return nil, fmt.Errorf("there is no file or folder %s", where)
		}
		place = older.PathPrefix + place
	}
	name, err := older.Parse(o.ctx, place)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	from, err := o.session.Open(o.ctx, "crd", name)
	if err != nil {
		return nil, err
	}
	for _, file := range from.Files {
		file.Path = from.Here(file)
		one, err := rules.ReadCRDs(file, true)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
