package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/worktree"
)

// DidOpen takes a document over from its file.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	s.buffers.mu.Lock()
	if s.buffers.open == nil {
		s.buffers.open = map[uri.URI]*document{}
	}
	s.buffers.open[d.URI] = &document{uri: d.URI, version: d.Version, sheet: newSheet([]byte(d.Text), s.can.unit)}
	s.buffers.mu.Unlock()
	s.queue.add(d.URI, true)
	return nil
}

// DidChange makes edits of a document.
func (s *server) DidChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	at := params.TextDocument.URI
	s.buffers.mu.Lock()
	d := s.buffers.open[at]
	if d == nil {
		s.buffers.mu.Unlock()
		return fmt.Errorf("%s is not open", at)
	}
	err := d.change(params.TextDocument.Version, params.ContentChanges)
	s.buffers.mu.Unlock()
	s.queue.add(at, true)
	if err != nil {
		return fmt.Errorf("%s: %w; nothing is said of it until the client sends all of it, as by closing and opening it", at, err)
	}
	return nil
}

// DidSave has nothing to do for a document: the buffer was judged.
func (s *server) DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error { return nil }

// DidClose gives a document back to its file.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	s.buffers.mu.Lock()
	delete(s.buffers.open, params.TextDocument.URI)
	s.buffers.mu.Unlock()
	s.queue.add(params.TextDocument.URI, true)
	return nil
}

// DidChangeWorkspaceFolders opens and closes folders.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	closed := map[string]bool{}
	for _, folder := range params.Event.Removed {
		for _, dir := range folderOf(folder.URI) {
			closed[dir] = true
		}
	}
	s.workspace.mu.Lock()
	var roots []string
	for _, dir := range s.workspace.roots {
		if !closed[dir] {
			roots = append(roots, dir)
		}
	}
	for _, folder := range params.Event.Added {
		roots = append(roots, folderOf(folder.URI)...)
	}
	s.workspace.roots = roots
	s.workspace.mu.Unlock()
	s.spawn(s.scan)
	return nil
}

// DidChangeWatchedFiles looks at files again that changed on the disk.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	again := false
	for _, change := range params.Changes {
		path := change.URI.FsPath()
		switch {
		case isConfiguration(change.URI), filepath.Ext(path) == ".go":
			s.projects.forget()
			again = true
		case !worktree.IsManifest(path), !s.workspace.has(change.URI), objects.IsKustomization(pathOf(change.URI)):
			again = true // it may be new, or say what others are
		}
		s.queue.add(change.URI, false)
	}
	if again {
		s.spawn(s.scan)
	}
	return nil
}

// DidChangeConfiguration takes the client's settings.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	s.projects.set(settingsOf(params.Settings))
	s.spawn(s.scan)
	return nil
}
