package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
)

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
