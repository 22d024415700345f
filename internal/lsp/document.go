package lsp

import (
	"errors"
	"fmt"

	"go.lsp.dev/protocol"
)

// A document is a buffer of the client. It wins over the file of the same name.
type document struct {
	version int32
	sheet   *sheet
	// lost says that an edit could not be made, so that the client's text is not known any more. Nothing is said of the
	// document until the client sends all of it again.
	lost bool
}

// errOrder is the error for edits that arrive out of order.
var errOrder = errors.New("the edits are not newer than the text that they are for")

// change makes edits, one after the other, and takes their version. If one cannot be made, or they are not newer than the text,
// the document is lost; a newer text as a whole finds it again.
func (d *document) change(version int32, edits []protocol.TextDocumentContentChangeEvent) error {
	if version <= d.version {
		d.lost = true
		return errOrder
	}
	d.version = version
	var failed error
	now := d.sheet
	for _, edit := range edits {
		switch e := edit.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			now, d.lost = newSheet([]byte(e.Text), now.unit), false
		case *protocol.TextDocumentContentChangePartial:
			if d.lost {
				continue
			}
			next, err := replaced(now, e)
			if err != nil {
				d.lost, failed = true, err
				continue
			}
			now = newSheet(next, now.unit)
		}
	}
	if d.lost {
		return failed
	}
	d.sheet = now
	return nil
}

// replaced is a text after an edit.
func replaced(s *sheet, e *protocol.TextDocumentContentChangePartial) ([]byte, error) {
	start, isStart := s.offset(e.Range.Start)
	end, isEnd := s.offset(e.Range.End)
	if !isStart && e.Range.Start != s.pastEnd() || !isEnd && e.Range.End != s.pastEnd() {
		return nil, fmt.Errorf("an edit is at line %d, and the text has %d", max(e.Range.Start.Line, e.Range.End.Line)+1, len(s.lines()))
	}
	if start > end {
		return nil, fmt.Errorf("an edit ends before it begins, at line %d", e.Range.Start.Line+1)
	}
	out := make([]byte, 0, len(s.text)+len(e.Text)-(end-start))
	return append(append(append(out, s.text[:start]...), e.Text...), s.text[end:]...), nil
}

// pastEnd is the position that some clients take for the end of a text: the beginning of the line after the last.
func (s *sheet) pastEnd() protocol.Position {
	return protocol.Position{Line: uint32(len(s.lines()))}
}
