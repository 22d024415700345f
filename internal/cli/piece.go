package cli

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/lint"
)

// A stream is an input that is judged in pieces: a list that may be too large to be held.
type stream struct {
	path  string
	size  int64
	list  *pieces.List
	crds  []bool // whether a section may have CRDs
	open  func() (io.ReaderAt, io.Closer, error)
	limit int64 // of what may be read as a whole

	whole   atomic.Bool // it is read as a whole after all
	listed  int64       // where its objects begin in the list
	members int         // pieces that were collected
}

// A piece is one of a stream.
type piece struct {
	*stream
	index int
}

// text is that of the piece, and where its parts are.
func (p *piece) text() (text []byte, parts []lint.Part, err error) {
	from, done, err := p.open()
	if err != nil {
		return nil, nil, err
	}
	defer done.Close()
	if text, parts, err = p.list.Piece(from, p.index); err != nil {
		err = fmt.Errorf("%s: %w", p.path, err)
	}
	return text, parts, err
}

// all is the text of a stream as a whole.
func (st *stream) all() ([]byte, error) {
	from, done, err := st.open()
	if err != nil {
		return nil, err
	}
	defer done.Close()
	return io.ReadAll(io.NewSectionReader(from, 0, st.size))
}

// fits reports whether the whole text may be read at once.
func (st *stream) fits() bool { return st.size <= st.limit }
