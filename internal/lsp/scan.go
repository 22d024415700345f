package lsp

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/protocol"
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
