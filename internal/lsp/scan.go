package lsp

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/objects"
)

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
	defer s.catalogue.mu.Unlock()
	s.catalogue.isPatch, s.catalogue.objects = around.Has, nil
	s.catalogue.changes++
}
