package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
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
