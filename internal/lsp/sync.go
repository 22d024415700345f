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
	s.buffers.open[d.URI] = &document{version: d.Version, sheet: newSheet([]byte(d.Text), s.can.unit)}
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

// DidSave looks at what depends on a file. The buffer was judged already.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	if at := params.TextDocument.URI; at.IsFile() {
		s.written(at)
	}
	return nil
}

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
	s.projects.forget()
	s.scan(everything)
	return nil
}

// DidChangeWatchedFiles looks at files again that changed on the disk.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	for _, change := range params.Changes {
		s.written(change.URI)
		s.queue.add(change.URI, false)
	}
	return nil
}

// written has those judged again whose judgement depends on a file with another text on the disk, and looks for the file if it is
// new. A client that watches no files tells of those that it saves.
func (s *server) written(at uri.URI) {
	switch path := pathOf(at); {
	case isConfiguration(at): // its turn in the queue shows whether it says something else
	case filepath.Ext(path) == ".go", s.projects.isBaseline(path):
		s.projects.forget()
		s.scan(everything)
	case objects.IsKustomization(path):
		s.scan(everything) // patches are judged otherwise
	case !worktree.IsManifest(path), !s.workspace.has(at):
		s.scan(news)
	}
}

// DidChangeConfiguration takes the client's settings.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if to, found := settingsOf(params.Settings); found && s.projects.set(to) {
		s.scan(everything)
	}
	return nil
}
