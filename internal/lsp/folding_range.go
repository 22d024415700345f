package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// FoldingRanges are the values of several lines in a document. The text need not parse.
func (s *server) FoldingRanges(_ context.Context, params *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil || len(snap.text) > maxSize {
		return nil, nil
	}
	all := []protocol.FoldingRange{}
	for _, root := range skeleton.All(snap.text) {
		all = snap.foldValues(all, root)
	}
	return all, nil
}

// foldValues adds the values below a node. Of those that begin in one line, an item with its first key, it is the outermost.
func (s *snapshot) foldValues(all []protocol.FoldingRange, of *skeleton.Node) []protocol.FoldingRange {
	for _, n := range of.Children {
		at := s.offsetRange(n.KeyStart, n.End)
		if at.End.Line <= at.Start.Line {
			continue
		}
		if of.KeyEnd == 0 || s.offsetPosition(of.KeyStart).Line != at.Start.Line {
			all = append(all, protocol.FoldingRange{StartLine: at.Start.Line, EndLine: at.End.Line})
		}
		all = s.foldValues(all, n)
	}
	return all
}
