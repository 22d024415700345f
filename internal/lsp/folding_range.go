package lsp

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// A fold is lines that can be folded. Those that are further out have less depth.
type fold struct {
	protocol.FoldingRange
	depth int
}

// FoldingRanges are the values of several lines in a document, and comments of several lines. The text need not parse.
func (s *server) FoldingRanges(_ context.Context, params *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil || len(snap.text) > maxSize {
		return nil, nil
	}
	all := foldedComments(snap)
	for _, d := range manifest.Split(snap.path, snap.text).Documents {
		all = foldedValues(all, snap, d.Start, skeleton.Of(documentText(d), len(documentText(d))), 0)
	}
	if limit := s.capabilities.foldingLimit; limit > 0 && len(all) > limit {
		slices.SortStableFunc(all, func(a, b fold) int { return a.depth - b.depth })
		all = all[:limit]
	}
	slices.SortStableFunc(all, func(a, b fold) int { return cmp.Compare(a.StartLine, b.StartLine) })
	out := []protocol.FoldingRange{}
	for _, one := range all {
		out = append(out, one.FoldingRange)
	}
	return out, nil
}

// foldedValues adds the values below a node. Of those that begin in one line, an item with its first key, it is the outermost.
func foldedValues(all []fold, snap *snapshot, base int, of *skeleton.Node, depth int) []fold {
	above := -1
	if of.KeyEnd > 0 {
		above = int(snap.offsetPosition(base + of.KeyStart).Line)
	}
	for _, n := range of.Children {
		start, end := snap.offsetPosition(base+n.KeyStart).Line, snap.offsetPosition(base+n.End).Line
		if end > start && int(start) != above {
			all = append(all, fold{protocol.FoldingRange{StartLine: start, EndLine: end}, depth})
		}
		if end > start {
			all = foldedValues(all, snap, base, n, depth+1)
		}
	}
	return all
}

// foldedComments are comments of several lines.
func foldedComments(snap *snapshot) (all []fold) {
	begins := snap.lines()
	isComment := func(line int) bool {
		return line < len(begins) && bytes.HasPrefix(bytes.TrimLeft(snap.text[begins[line]:], " \t"), []byte("#"))
	}
	for line := 0; line < len(begins); line++ {
		last := line
		for isComment(line) && isComment(last+1) {
			last++
		}
		if last > line {
			all = append(all, fold{protocol.FoldingRange{StartLine: uint32(line), EndLine: uint32(last), Kind: protocol.FoldingRangeKindComment}, 0})
			line = last
		}
	}
	return all
}
