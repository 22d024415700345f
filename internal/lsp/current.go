package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// current is the newest text of an open document, and what is said of it, once that is known; nil for one that is not open. The
// error is that of the protocol for a document whose text is not known.
func (s *server) current(ctx context.Context, at uri.URI) (*edition, []*told, error) {
	for ctx.Err() == nil {
		e := s.buffers.edition(at)
		if e == nil {
			return nil, nil, nil
		}
		if e.sheet == nil {
			return nil, nil, protocol.ErrContentModified
		}
		if !s.judges(e) {
			return e, nil, nil
		}
		if told, known := s.toldNow(ctx, e); known {
			return e, told, nil
		}
	}
	return nil, nil, protocol.ErrRequestCancelled
}

// judges reports whether a text is one that findings are about.
func (s *server) judges(e *edition) bool {
	return !isConfiguration(e.at) && len(e.sheet.text) <= maxSize && !s.project(e.at).excludes(e.path)
}

// toldNow is what is said of a text, which is judged if it was not yet. It is not known of one that has changed meanwhile.
func (s *server) toldNow(ctx context.Context, e *edition) (all []*told, known bool) {
	if all, known = s.desk.toldOf(e); known {
		return all, true
	}
	s.queue.claim(e.at)
	defer s.queue.done(e.at)
	if all, known = s.desk.toldOf(e); known || ctx.Err() != nil {
		return all, known
	}
	s.queue.skip(e.at)
	s.judge(e.at)
	return s.desk.toldOf(e)
}
