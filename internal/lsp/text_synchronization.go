package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/worktree"
)

// DidOpen takes a document over from its file.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	text := newMapper([]byte(d.Text), s.capabilities.encoding)
	s.overlays.put(&snapshot{uri: d.URI, path: pathOf(d.URI), mapper: text, version: d.Version, open: true, language: d.LanguageID})
	s.queue.add(d.URI, true)
	return nil
}

// DidChange makes edits of a document.
func (s *server) DidChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	doc := params.TextDocument.URI
	snap := s.overlays.snapshot(doc) // which only notifications change, one after the other
	if snap == nil {
		return fmt.Errorf("%s is not open", doc)
	}
	next, err := snap.edited(params.TextDocument.Version, params.ContentChanges, s.capabilities.encoding)
	s.overlays.put(next)
	s.queue.add(doc, true)
	if err != nil {
		return fmt.Errorf("%s: %w; it is not checked until the editor sends all of it; close and open it", doc, err)
	}
	return nil
}

// DidSave looks at what depends on a file. Its overlay was judged already.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	if doc := params.TextDocument.URI; doc.IsFile() {
		s.changedOnDisk(doc)
	}
	return nil
}

// DidClose gives a document back to its file.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	s.overlays.mu.Lock()
	delete(s.overlays.open, params.TextDocument.URI)
	s.overlays.mu.Unlock()
	s.queue.add(params.TextDocument.URI, true)
	return nil
}

// DidChangeWatchedFiles looks at files again that changed on the disk.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	for _, change := range params.Changes {
		s.changedOnDisk(change.URI)
		s.queue.add(change.URI, false)
	}
	return nil
}

// changedOnDisk has those judged again whose judgement depends on a file with another text on the disk, and looks for the file if it is
// new. A client that watches no files notifies of those that it saves.
func (s *server) changedOnDisk(doc uri.URI) {
	for _, p := range s.roles.changed() {
		s.publishSoon(p)
	}
	switch path := pathOf(doc); {
	case filepath.Ext(path) == ".go", s.projects.isSettings(path):
		s.projects.forget()
		s.scan(allFiles)
	case isConfiguration(doc): // its turn in the queue shows whether it says something else
	case worktree.IsKustomization(path):
		s.scan(allFiles) // patches are judged otherwise
	case !worktree.IsManifest(path), !s.workspace.has(doc):
		s.scan(newFiles)
	}
}
