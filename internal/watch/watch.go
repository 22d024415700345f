// Package watch tells when files change. It looks at them again and again, which every system can, and folders of a network need.
package watch

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/crdlift/crdlift/internal/worktree"
)

// every is how often files are looked at, and quiet how long none may change before the change is told: editors and generators write
// several.
const (
	every = 300 * time.Millisecond
	quiet = 200 * time.Millisecond
)

// A Watcher knows how files were.
type Watcher struct {
	known map[string]state
	since time.Time // when those were read that it does not know yet
}

// New returns a watcher for files that are read from now on.
func New() *Watcher { return &Watcher{known: map[string]state{}, since: time.Now()} }

// A state is what is looked at of a file; the zero state is that of none.
type state struct {
	is             bool
	modified, size int64
	names          string // of the manifests and folders in a folder, of which nothing else counts: editors keep files of their own there
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return state{}
	case !info.IsDir():
		return state{is: true, modified: info.ModTime().UnixNano(), size: info.Size()}
	}
	s := state{is: true}
	entries, _ := os.ReadDir(path) // of a folder that cannot be read, there are none
	for _, e := range entries {
		if e.IsDir() || worktree.IsManifest(e.Name()) {
			s.names += e.Name() + "\x00"
		}
	}
	return s
}

// Wait waits until some of the files have changed since they were read, or folders have other entries, and then until no more do. It
// returns which; none where the context ends first.
func (w *Watcher) Wait(ctx context.Context, paths []string) (changed []string) {
	for _, path := range paths {
		if _, known := w.known[path]; known {
			continue
		}
		if w.known[path] = stateOf(path); w.known[path].modified > w.since.UnixNano() {
			changed = append(changed, path)
		}
	}
	for len(changed) == 0 {
		if !pause(ctx, every) {
			return nil
		}
		changed = w.look(paths)
	}
	for more := changed; len(more) > 0; changed = append(changed, more...) {
		if !pause(ctx, quiet) {
			return nil
		}
		more = w.look(paths)
	}
	w.since = time.Now()
	slices.Sort(changed)
	return slices.Compact(changed)
}

// look looks at files, and returns those that have changed.
func (w *Watcher) look(paths []string) (changed []string) {
	for _, path := range paths {
		if now := stateOf(path); now != w.known[path] {
			w.known[path] = now
			changed = append(changed, path)
		}
	}
	return changed
}

// pause waits; it is false where the context ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
