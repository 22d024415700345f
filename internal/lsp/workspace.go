package lsp

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/worktree"
)

// maxSize is how large a text may be that is judged while it is typed, in bytes. `crdlift lint` takes larger ones.
const maxSize = limit.EditorSize

// buffers are the open documents. Several goroutines may ask.
type buffers struct {
	mu   sync.Mutex
	open map[uri.URI]*document
}

// An edition is a text at one time: that of a buffer, or of a file that is not open.
type edition struct {
	at      uri.URI
	path    string // as the linter knows the file: absolute, with slashes
	sheet   *sheet
	version int32 // of the buffer
	open    bool
}

// edition is the text of an open document; nil for one that is not open. That of a document that is lost has no sheet.
func (b *buffers) edition(at uri.URI) *edition {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.open[at]
	if d == nil {
		return nil
	}
	e := &edition{at: at, path: pathOf(at), sheet: d.sheet, version: d.version, open: true}
	if d.lost {
		e.sheet = nil
	}
	return e
}

// isNewest reports whether a text is still the one to judge.
func (b *buffers) isNewest(e *edition) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.open[e.at]
	if d == nil || !e.open {
		return d == nil && !e.open
	}
	return d.version == e.version && d.lost == (e.sheet == nil)
}

// list are the open documents, in the order of their names.
func (b *buffers) list() []uri.URI {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.open))
}

// edition is the text of a document, or of a file on the disk; nil where there is none, or none that can be judged.
func (s *server) edition(at uri.URI) *edition {
	if e := s.buffers.edition(at); e != nil {
		return e
	}
	src, err := readFile(at)
	if errors.Is(err, worktree.ErrTooLarge) && s.workspace.has(at) {
		s.tellTooLarge(at)
	}
	if err != nil {
		return nil
	}
	return &edition{at: at, path: pathOf(at), sheet: newSheet(src, s.can.unit)}
}

// readFile reads a file, or nothing of one that is too large.
func readFile(at uri.URI) ([]byte, error) {
	if !at.IsFile() {
		return nil, os.ErrNotExist
	}
	path := at.FsPath()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, worktree.ErrTooLarge
	}
	return os.ReadFile(path)
}

// pathOf is the path of a document as the linter knows it. One that is no file yet has its name.
func pathOf(at uri.URI) string {
	if at.IsFile() {
		return filepath.ToSlash(at.FsPath())
	}
	return strings.TrimPrefix(at.Path(), "/")
}

// isConfiguration reports whether a document is a configuration file.
func isConfiguration(at uri.URI) bool {
	return at.IsFile() && filepath.Base(at.FsPath()) == config.Name
}

// A workspace is the folders that the client has open, and the manifests in them.
type workspace struct {
	mu    sync.Mutex
	roots []string         // folders
	files map[uri.URI]bool // found in them

	scanning sync.Mutex // held while the folders are looked through: what is gone is what the time before had found
	waiting  scanKind   // of the scan that has not begun; 0 for none
}

// A scanKind is which files are to be judged when the folders have been looked through.
type scanKind int

const (
	news       scanKind = 1 + iota // those that are new or gone
	everything                     // all, since something else says what they are
)

// rootsOf are the folders that the client has open.
func rootsOf(params *protocol.InitializeParams) (roots []string) {
	if folders, ok := params.WorkspaceFolders.Get(); ok {
		for _, folder := range folders {
			roots = append(roots, folderOf(folder.URI)...)
		}
		return roots
	}
	//lint:ignore SA1019 clients that have no workspace folders name their root here
	if root := params.RootURI; root != nil {
		return folderOf(*root)
	}
	return nil
}

// folderOf is the folder at an address, if it is on this machine.
func folderOf(at uri.URI) []string {
	if !at.IsFile() {
		return nil
	}
	return []string{filepath.Clean(at.FsPath())}
}

func (w *workspace) setRoots(roots []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.roots = roots
}

// folders are those that the client has open.
func (w *workspace) folders() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.roots
}

// rootAbove is the folder of the workspace that a file is in, the innermost; "" for one outside of all.
func (w *workspace) rootAbove(path string) (root string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.roots {
		if _, below := worktree.RelativeTo(one, path); below && len(one) > len(root) {
			root = one
		}
	}
	return root
}

// has reports whether a file was found in the folders.
func (w *workspace) has(at uri.URI) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[at]
}

// find looks through the folders, and returns the manifests that are there, those among them that were not before, those that are
// not any more, and what could not be looked at.
func (w *workspace) find(ctx context.Context) (found, fresh, gone []uri.URI, errs []error) {
	w.mu.Lock()
	roots, before := w.roots, w.files
	w.mu.Unlock()
	now := map[uri.URI]bool{}
	for _, root := range roots {
		walk := worktree.Walk{
			Found: func(below, _ string) {
				if at := uri.File(filepath.Join(root, below)); !now[at] && filepath.Base(below) != config.Name {
					now[at] = true
					if found = append(found, at); !before[at] {
						fresh = append(fresh, at)
					}
				}
			},
			Failed: func(err error) { errs = append(errs, err) },
		}
		if ctx.Err() == nil {
			walk.Folder(root)
		}
	}
	for at := range before {
		if !now[at] {
			gone = append(gone, at)
		}
	}
	slices.Sort(gone)
	w.mu.Lock()
	w.files = now
	w.mu.Unlock()
	return found, fresh, gone, errs
}

// scan looks through the workspace, once for all that ask before it begins.
func (s *server) scan(kind scanKind) {
	s.workspace.mu.Lock()
	waits := s.workspace.waiting > 0
	s.workspace.waiting = max(s.workspace.waiting, kind)
	s.workspace.mu.Unlock()
	if waits {
		return
	}
	s.spawn(func(ctx context.Context) {
		s.scanNow(ctx)
		s.showProgress(ctx)
	})
}

// scanNow has files of the workspace judged, the open ones first.
func (s *server) scanNow(ctx context.Context) {
	s.workspace.scanning.Lock()
	defer s.workspace.scanning.Unlock()
	s.workspace.mu.Lock()
	kind := s.workspace.waiting
	s.workspace.waiting = 0
	s.workspace.mu.Unlock()
	found, fresh, gone, errs := s.workspace.find(ctx)
	for _, err := range errs {
		s.logf("%v", err)
	}
	if kind == everything {
		s.lookForPatches(found)
		fresh = found
		for _, at := range s.buffers.list() {
			s.queue.add(at, true)
		}
	}
	for _, at := range slices.Concat(fresh, gone) {
		s.queue.add(at, false)
	}
}
