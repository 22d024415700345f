package lsp

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/worktree"
)

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
	newFiles scanKind = 1 + iota // those that are new or gone
	allFiles                     // all, since what decides about them has changed
)

// rootsOf are the folders that the client has open.
func rootsOf(params *protocol.InitializeParams) []string {
	if folders, ok := params.WorkspaceFolders.Get(); ok {
		return foldersOf(folders)
	}
	//lint:ignore SA1019 clients that have no workspace folders name their root here
	if root := params.RootURI; root != nil {
		return foldersOf([]protocol.WorkspaceFolder{{URI: *root}})
	}
	return nil
}

// foldersOf are the folders that are on this machine.
func foldersOf(all []protocol.WorkspaceFolder) (folders []string) {
	for _, folder := range all {
		if folder.URI.IsFile() {
			folders = append(folders, filepath.Clean(folder.URI.FsPath()))
		}
	}
	return folders
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
func (w *workspace) has(doc uri.URI) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[doc]
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
				if doc := uri.File(filepath.Join(root, below)); !now[doc] && filepath.Base(below) != config.Name {
					now[doc] = true
					if found = append(found, doc); !before[doc] {
						fresh = append(fresh, doc)
					}
				}
			},
			Failed: func(err error) { errs = append(errs, err) },
		}
		if ctx.Err() == nil {
			walk.Folder(root)
		}
	}
	for doc := range before {
		if !now[doc] {
			gone = append(gone, doc)
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
	memory.Expect(len(found))
	if kind == allFiles {
		s.lookForPatches(found)
		fresh = found
		for _, doc := range s.overlays.list() {
			s.queue.add(doc, true)
		}
	}
	for _, doc := range slices.Concat(fresh, gone) {
		s.queue.add(doc, false)
	}
}

// lookForPatches looks for the files that kustomizations around manifests apply as patches.
func (s *server) lookForPatches(found []uri.URI) {
	around := objects.PatchesAround{
		Within: func(dir string) bool {
			root := s.workspace.rootAbove(filepath.FromSlash(dir))
			return root != "" && root != filepath.FromSlash(dir)
		},
		Read: func(name string) ([]byte, error) {
			doc := uri.File(name)
			if snap := s.overlays.snapshot(doc); snap != nil && snap.mapper != nil {
				return snap.text, nil
			}
			return readFile(doc)
		},
	}
	for _, doc := range found {
		around.Look(path.Dir(pathOf(doc)))
	}
	s.catalogue.mu.Lock()
	s.catalogue.isPatch = around.Has
	s.catalogue.mu.Unlock()
	s.catalogue.stand()
}

const (
	// progressFrom is how many files have to wait for their progress to be shown: fewer are done before anybody looks.
	progressFrom = 100
	// progressInterval is the time between two reports of it.
	progressInterval = 250 * time.Millisecond
)

// progressToken names the progress: there is one at a time.
const progressToken = protocol.String("crdlift.files")

// showProgress shows how many of the files that wait are judged, until none waits any more.
func (s *server) showProgress(ctx context.Context) {
	all := s.queue.length()
	if all < progressFrom || !s.capabilities.workDoneProgress || !s.progressing.TryLock() {
		return
	}
	defer s.progressing.Unlock()
	if s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: progressToken}) != nil {
		return // the client does not want to show it
	}
	s.progress(ctx, protocol.WorkDoneProgressBegin{Kind: "begin", Title: "crdlift", Percentage: new(uint32(0))})
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	for left := all; left > 0; left = s.queue.length() {
		all = max(all, left)
		share := uint32(100 * (all - left) / all)
		s.progress(ctx, protocol.WorkDoneProgressReport{Kind: "report", Message: new(fmt.Sprintf("%d of %d files", all-left, all)), Percentage: &share})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	s.progress(ctx, protocol.WorkDoneProgressEnd{Kind: "end"})
}

func (s *server) progress(ctx context.Context, value any) {
	_ = s.client.Progress(ctx, &protocol.ProgressParams{Token: progressToken, Value: encode(value)}) // fails only if the connection does
}
