package run

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/lint"
)

// A Stream is an input that is checked in pieces: a list that may be too large to be held.
type Stream struct {
	Path  string
	size  int64
	List  *pieces.List
	crds  []bool // whether a section may have CRDs
	open  func() (io.ReaderAt, io.Closer, error)
	limit int64 // of what may be read as a whole

	Whole   atomic.Bool // it is read as a whole after all
	Listed  int64       // where its objects begin in the list
	Members int         // pieces that were collected
}

// A Piece is one of a stream.
type Piece struct {
	*Stream
	Index int
}

// Text is that of the piece, and where its parts are.
func (p *Piece) Text() (text []byte, parts []lint.Part, err error) {
	from, done, err := p.open()
	if err != nil {
		return nil, nil, err
	}
	defer done.Close()
	if text, parts, err = p.List.Piece(from, p.Index); err != nil {
		err = fmt.Errorf("%s: %w", p.Path, err)
	}
	return text, parts, err
}

// All is the text of a stream as a whole.
func (st *Stream) All() ([]byte, error) {
	from, done, err := st.open()
	if err != nil {
		return nil, err
	}
	defer done.Close()
	return io.ReadAll(io.NewSectionReader(from, 0, st.size))
}

// Fits reports whether the whole text may be read at once.
func (st *Stream) Fits() bool { return st.size <= st.limit }
