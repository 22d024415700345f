package lsp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// An overlay is the text of an open document, as the client has it. It wins over the file of the same name.
type overlay struct {
	version int32
	mapper  *mapper
	// lost says that an edit could not be made, so that the client's text is not known any more. It has no
	// diagnostics until the client sends all of it again.
	lost bool
}

// errVersion is the error for edits that arrive out of order.
var errVersion = errors.New("the edits are not newer than the text that they are for")

// change makes edits, one after the other, and takes their version. If one cannot be made, or they are not newer than the text,
// the document is lost; a newer text as a whole finds it again.
func (d *overlay) change(version int32, edits []protocol.TextDocumentContentChangeEvent) error {
	if version <= d.version {
		d.lost = true
		return errVersion
	}
	d.version = version
	var failed error
	now := d.mapper
	for _, edit := range edits {
		switch e := edit.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			now, d.lost = newMapper([]byte(e.Text), now.encoding), false
		case *protocol.TextDocumentContentChangePartial:
			if d.lost {
				continue
			}
			next, err := replaced(now, e)
			if err != nil {
				d.lost, failed = true, err
				continue
			}
			now = newMapper(next, now.encoding)
		}
	}
	if d.lost {
		return failed
	}
	d.mapper = now
	return nil
}

// replaced is a text after an edit.
func replaced(m *mapper, e *protocol.TextDocumentContentChangePartial) ([]byte, error) {
	start, isStart := m.positionOffset(e.Range.Start)
	end, isEnd := m.positionOffset(e.Range.End)
	if !isStart && e.Range.Start != m.pastEnd() || !isEnd && e.Range.End != m.pastEnd() {
		return nil, fmt.Errorf("an edit is at line %d, and the text has %d", max(e.Range.Start.Line, e.Range.End.Line)+1, len(m.lines()))
	}
	if start > end {
		return nil, fmt.Errorf("an edit ends before it begins, at line %d", e.Range.Start.Line+1)
	}
	out := make([]byte, 0, len(m.text)+len(e.Text)-(end-start))
	return append(append(append(out, m.text[:start]...), e.Text...), m.text[end:]...), nil
}

// pastEnd is the position that some clients take for the end of a text: the beginning of the line after the last.
func (m *mapper) pastEnd() protocol.Position {
	return protocol.Position{Line: uint32(len(m.lines()))}
}

// overlays are those of all open documents. Several goroutines may ask.
type overlays struct {
	mu   sync.Mutex
	open map[uri.URI]*overlay
}

// snapshot is the text of an open document; nil for one that is not open. That of a document that is lost has no mapper.
func (b *overlays) snapshot(doc uri.URI) *snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.open[doc]
	if d == nil {
		return nil
	}
	snap := &snapshot{uri: doc, path: pathOf(doc), mapper: d.mapper, version: d.version, open: true}
	if d.lost {
		snap.mapper = nil
	}
	return snap
}

// isCurrent reports whether a text is still the one to judge.
func (b *overlays) isCurrent(snap *snapshot) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := b.open[snap.uri]
	if d == nil || !snap.open {
		return d == nil && !snap.open
	}
	return d.version == snap.version && d.lost == (snap.mapper == nil)
}

// list are the open documents, in the order of their names.
func (b *overlays) list() []uri.URI {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.open))
}
