package gitrev

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/text"
)

// A Tree is the files of a commit, those of its submodules among them. Close ends the git processes that read them, after
// which nothing may be read.
type Tree struct {
	Files   []Blob   // in the order of their paths
	Missing []Module // what of it cannot be read here, in the order of their paths

	mu      sync.Mutex
	running []*objects // the most recently used at the end
}

// A Blob is a regular file of a commit.
type Blob struct {
	Path string // in the repository, with slashes
	id   string
	in   *objects
}

// Tree lists the regular files of a commit that are wanted, and those of the submodules that are checked out. Symbolic
// links are passed over. Files above the limit, in bytes, are not read.
func (r *Repository) Tree(ctx context.Context, commit string, limit int64, wanted func(path string) bool) (*Tree, error) {
	t := &Tree{}
	l := &lister{ctx: ctx, tree: t, limit: limit, wanted: wanted, outermost: r}
	if err := l.list(place{repository: r}, commit); err != nil {
		return nil, err
	}
	slices.SortFunc(t.Files, func(a, b Blob) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(t.Missing, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return t, nil
}

// An entry is a file or a submodule, as ls-tree lists it.
type entry struct{ path, id string }

// parseTree reads what ls-tree -z prints: mode, type and id with spaces between, a tab, the path, a NUL.
func parseTree(out string) (files, modules []entry, err error) {
	for out != "" {
		line, rest, ended := strings.Cut(out, "\x00")
		about, path, ok := strings.Cut(line, "\t")
		fields := strings.Split(about, " ")
		if !ended || !ok || len(fields) != 3 || path == "" || fields[2] == "" || strings.Contains(fields[2], "\n") {
			return nil, nil, fmt.Errorf("git ls-tree printed %s, which crdlift cannot read", text.Quoted(line).Brief())
		}
		out = rest
		switch e := (entry{path, fields[2]}); {
		case fields[1] == "blob" && strings.HasPrefix(fields[0], "100"):
			files = append(files, e)
		case fields[1] == "commit":
			modules = append(modules, e)
		}
	}
	return files, modules, nil
}

// keptProcesses bounds how many git processes wait for their next question: there is one for each submodule.
const keptProcesses = 8

// Read returns the content of a file. It may be called from several goroutines.
func (t *Tree) Read(b Blob) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.running, b.in); i >= 0 {
		t.running = slices.Delete(t.running, i, i+1)
	} else if len(t.running) >= keptProcesses {
		t.running[0].end() // it starts again if need be
		t.running = slices.Delete(t.running, 0, 1)
	}
	t.running = append(t.running, b.in)
	return b.in.read(b)
}

// Close ends the processes.
func (t *Tree) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, o := range t.running {
		o.end()
	}
	t.running = nil
}
