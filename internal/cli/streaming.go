package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Lists of this size and larger ones are judged in pieces, each of so many bytes.
const (
	defaultStreamFrom = 4 << 20
	defaultPieceSize  = pieces.DefaultSize
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

// weight is how much there is to do for an input, in bytes.
func (in input) weight() int64 {
	switch {
	case in.piece != nil:
		s := in.piece.list.Sections[in.piece.index]
		return s.End - s.Start
	case in.text != nil:
		return int64(len(in.text))
	}
	if info, err := os.Stat(in.path); err == nil {
		return info.Size()
	}
	return 0
}

// divide puts the pieces of long lists in the place of these. What is done at last lets go of standard input.
func (s *session) divide(ctx context.Context, f validateFlags, found *finder) (done func(), err error) {
	done = func() {}
	if f.fix || f.diff { // which change or show the text as a whole
		return done, nil
	}
	var all []input
	for _, in := range found.inputs {
		var st *stream
		if in.path == stdinName {
			st, done, err = s.streamStdin(ctx, f, &in)
		} else {
			st, err = s.streamFile(ctx, f, &in)
		}
		if err != nil {
			return done, err
		}
		if st == nil {
			all = append(all, in)
			continue
		}
		found.streamed = true
		for i := range st.list.Sections {
			one := in
			one.piece = &piece{st, i}
			all = append(all, one)
		}
	}
	found.inputs = all
	return done, nil
}

// streamFile finds the pieces of a file; it returns nil where it is to be read as a whole. Errors of the file are met again then.
func (s *session) streamFile(ctx context.Context, f validateFlags, in *input) (*stream, error) {
	info, err := os.Stat(in.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() < s.streamFrom {
		return nil, nil
	}
	path := in.path
	open := func() (io.ReaderAt, io.Closer, error) {
		from, err := os.Open(path)
		if err != nil {
			return nil, nil, unread(err)
		}
		if now, err := from.Stat(); err != nil || now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) {
			from.Close()
			return nil, nil, fmt.Errorf("%s: changed while it was read", path)
		}
		return from, from, nil
	}
	from, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer from.Close()
	st := &stream{path: path, size: info.Size(), limit: int64(f.maxFileSize), open: open}
	return s.find(ctx, st, from, in)
}

// find finds the pieces of a stream, unless it is to be read as a whole.
func (s *session) find(ctx context.Context, st *stream, from io.Reader, in *input) (*stream, error) {
	progress := newByteProgress(s.stderr, st.size)
	defer progress.clear()
	look := func(text []byte) string {
		st.crds = append(st.crds, bytes.Contains(text, []byte("CustomResourceDefinition")))
		return rules.WhyWhole(shown(st.path), text)
	}
	list, err := pieces.Find(&watched{ctx, from, progress}, pieces.Options{Size: s.pieceSize, Max: int(st.limit), Look: look})
	if doubt := (*pieces.Doubt)(nil); errors.As(err, &doubt) {
		in.doubt = doubt
		return nil, nil
	}
	if err != nil {
		return nil, unread(err)
	}
	st.list = list
	return st, nil
}

// streamStdin is streamFile for standard input. That can be read only once: unless it is a file, a temporary one that nobody
// else can read takes what it has. Until there is a list in that, it takes no more than may be read as a whole.
func (s *session) streamStdin(ctx context.Context, f validateFlags, in *input) (st *stream, done func(), err error) {
	done = func() {}
	start, err := io.ReadAll(io.LimitReader(s.stdin, s.streamFrom))
	if err != nil || int64(len(start)) < s.streamFrom {
		if err == nil {
			in.text = start
		}
		return nil, done, err
	}
	spool, err := os.CreateTemp("", "crdlift-")
	if err != nil {
		return nil, done, fmt.Errorf("%s: there is no place for a copy: %w", stdinName, err)
	}
	_ = os.Remove(spool.Name()) // it stays until it is closed; where a system does not allow that, it is removed then
	done = func() {
		_ = spool.Close()
		_ = os.Remove(spool.Name())
	}
	st = &stream{path: stdinName, limit: int64(f.maxFileSize), size: -1, open: func() (io.ReaderAt, io.Closer, error) { return spool, io.NopCloser(nil), nil }}
	copied := &counted{Writer: spool}
	from := io.TeeReader(io.MultiReader(bytes.NewReader(start), s.stdin), copied)
	found, err := s.find(ctx, st, from, in)
	if err != nil {
		return nil, done, err
	}
	if found != nil {
		st.size = copied.n
		return st, done, nil
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(from, max(0, st.limit+1-copied.n))); err != nil {
		return nil, done, err
	}
	if st.size = copied.n; st.size > st.limit {
		return nil, done, in.tooLarge(st.limit)
	}
	in.text, err = st.all()
	return nil, done, err
}

// A counted counts what is written.
type counted struct {
	io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

// A watched shows how far it is read, and ends when its context does.
type watched struct {
	ctx context.Context
	io.Reader
	*progress
}

func (w *watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(b)
	w.step(int64(n))
	return n, err
}
