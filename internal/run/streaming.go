package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// ReadPart reads an input, or the piece of one that it is, and says where the parts of a piece are.
func (s *Session) ReadPart(in Input) (text []byte, parts []lint.Part, err error) {
	if in.Piece != nil {
		return in.Piece.Text()
	}
	text, err = s.Read(in)
	return text, nil, err
}

// Divide puts the pieces of long lists in the place of these.
func (s *Session) Divide(ctx context.Context, found *Inputs) error {
	var all []Input
	for _, in := range found.All {
		look := s.streamFile
		if in.Path == StdinName {
			look = s.streamStdin
		}
		st, err := look(ctx, &in)
		if err != nil {
			return err
		}
		if st == nil {
			all = append(all, in)
			continue
		}
		found.Streamed = true
		for i := range st.List.Sections {
			one := in
			one.Piece = &Piece{st, i}
			all = append(all, one)
		}
	}
	found.All = all
	return nil
}

// streamFile finds the pieces of a file; it returns nil where it is to be read as a whole. Errors of the file are met again then.
func (s *Session) streamFile(ctx context.Context, in *Input) (*Stream, error) {
	info, err := os.Stat(in.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() < s.StreamFrom {
		return nil, nil
	}
	path := in.Path
	open := func() (io.ReaderAt, io.Closer, error) {
		from, err := os.Open(path)
		if err != nil {
			return nil, nil, Unread(err)
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
	st := &Stream{Path: path, size: info.Size(), limit: int64(s.MaxFileSize), open: open}
	return s.find(ctx, st, from, in)
}

// find finds the pieces of a stream, unless it is to be read as a whole.
func (s *Session) find(ctx context.Context, st *Stream, from io.Reader, in *Input) (*Stream, error) {
	progress := terminal.NewProgress(s.Stderr, "", st.size)
	defer progress.Clear()
	look := func(text []byte) string {
		st.crds = append(st.crds, xrd.MayHold(text))
		return rules.WhyWhole(Shown(st.Path), text)
	}
	list, err := pieces.Find(&watched{ctx, from, progress}, pieces.Options{Size: s.PieceSize, Max: int(st.limit), Look: look})
	if doubt := (*pieces.Doubt)(nil); errors.As(err, &doubt) {
		in.doubt = doubt
		return nil, nil
	}
	if err != nil {
		return nil, Unread(err)
	}
	st.List = list
	return st, nil
}

// streamStdin is streamFile for standard input. That can be read only once: unless it is a file, a temporary one that nobody
// else can read takes what it has. Until there is a list in that, it takes no more than may be read as a whole.
func (s *Session) streamStdin(ctx context.Context, in *Input) (*Stream, error) {
	start, err := io.ReadAll(io.LimitReader(s.Stdin, s.StreamFrom))
	if err != nil || int64(len(start)) < s.StreamFrom {
		if err == nil {
			in.Text = start
		}
		return nil, err
	}
	spool, err := s.Spool()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot write a temporary copy: %w", StdinName, err)
	}
	st := &Stream{Path: StdinName, limit: int64(s.MaxFileSize), size: -1, open: func() (io.ReaderAt, io.Closer, error) { return spool, io.NopCloser(nil), nil }}
	copied := &counted{Writer: spool}
	from := io.TeeReader(io.MultiReader(bytes.NewReader(start), s.Stdin), copied)
	found, err := s.find(ctx, st, from, in)
	if err != nil {
		return nil, err
	}
	if found != nil {
		st.size = copied.n
		return st, nil
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(from, max(0, st.limit+1-copied.n))); err != nil {
		return nil, err
	}
	if st.size = copied.n; st.size > st.limit {
		return nil, in.tooLarge(st.limit)
	}
	in.Text, err = st.All()
	return nil, err
}

// Spool is a temporary file that is gone when the session ends.
func (s *Session) Spool() (*os.File, error) {
	file, err := os.CreateTemp("", "crdlift-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // it stays until it is closed; where a system does not allow that, it is removed then
	s.atEnd(func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	})
	return file, nil
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
	*terminal.Progress
}

func (w *watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(b)
	w.Step(int64(n))
	return n, err
}
