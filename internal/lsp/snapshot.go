package lsp

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/worktree"
)

// maxSize is how large a text may be that is judged while it is typed, in bytes. `crdlift lint` takes larger ones.
const maxSize = limit.EditorSize

// A snapshot is a text at one time: that of an open document, or of a file that is not open.
type snapshot struct {
	*mapper // nil where the text is not known
	uri     uri.URI
	path    string // as the linter knows the file: absolute, with slashes
	version int32  // of the open document
	open    bool

	language protocol.LanguageKind // that the client takes it for; "" for one that is not open
}

// readFile reads a file, or nothing of one that is too large.
func readFile(doc uri.URI) ([]byte, error) {
	if !doc.IsFile() {
		return nil, os.ErrNotExist
	}
	path := doc.FsPath()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, worktree.ErrTooLarge
	}
	return os.ReadFile(path)
}

// pathOf is the path of a document as the linter knows it. One that is no file yet has its name.
func pathOf(doc uri.URI) string {
	if doc.IsFile() {
		return filepath.ToSlash(doc.FsPath())
	}
	return strings.TrimPrefix(doc.Path(), "/")
}

// isConfiguration reports whether a document is a configuration file.
func isConfiguration(doc uri.URI) bool {
	return doc.IsFile() && filepath.Base(doc.FsPath()) == config.Name
}

// overlays are the texts of open documents, as the client has them. They win over the files of the same names. Several goroutines
// may ask.
type overlays struct {
	mu   sync.Mutex
	open map[uri.URI]*snapshot // which do not change
}

// snapshot is the text of an open document; nil for one that is not open.
func (o *overlays) snapshot(doc uri.URI) *snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.open[doc]
}

func (o *overlays) put(snap *snapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open[snap.uri] = snap
}

// isCurrent reports whether a text is still the one to judge.
func (o *overlays) isCurrent(snap *snapshot) bool {
	now := o.snapshot(snap.uri)
	return now == snap || now == nil && !snap.open
}

// list are the open documents, in the order of their names.
func (o *overlays) list() []uri.URI {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.open))
}

// errVersion is the error for edits that arrive out of order.
var errVersion = errors.New("the edits are not newer than the text that they are for")

// edited is an open document after edits, one after the other, that make a version. If one cannot be made, or the version is not
// newer, the client's text is not known any more, and the document has no mapper until the client sends all of it again.
func (s snapshot) edited(version int32, edits []protocol.TextDocumentContentChangeEvent, encoding protocol.PositionEncodingKind) (*snapshot, error) {
	if version <= s.version {
		s.mapper = nil
		return &s, errVersion
	}
	s.version = version
	var failed error
	for _, edit := range edits {
		switch e := edit.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			s.mapper, failed = newMapper([]byte(e.Text), encoding), nil
		case *protocol.TextDocumentContentChangePartial:
			if s.mapper != nil {
				s.mapper, failed = s.mapper.edited(e)
			}
		}
	}
	return &s, failed
}

// edited is the text after an edit; nil where it cannot be made.
func (m *mapper) edited(e *protocol.TextDocumentContentChangePartial) (*mapper, error) {
	start, isStart := m.positionOffset(e.Range.Start)
	end, isEnd := m.positionOffset(e.Range.End)
	if !isStart && e.Range.Start != m.pastEnd() || !isEnd && e.Range.End != m.pastEnd() {
		return nil, fmt.Errorf("an edit is at line %d, and the text has %d", max(e.Range.Start.Line, e.Range.End.Line)+1, len(m.lines()))
	}
	if start > end {
		return nil, fmt.Errorf("an edit ends before it begins, at line %d", e.Range.Start.Line+1)
	}
	return newMapper(slices.Concat(m.text[:start], []byte(e.Text), m.text[end:]), m.encoding), nil
}

// pastEnd is the position that some clients take for the end of a text: the beginning of the line after the last.
func (m *mapper) pastEnd() protocol.Position {
	return protocol.Position{Line: uint32(len(m.lines()))}
}
