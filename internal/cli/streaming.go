package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"

	"github.com/crdlift/crdlift/internal/terminal"
)

// readPart reads an input, or the piece of one that it is, and says where the parts of a piece are.
func (s *session) readPart(in input) (text []byte, parts []lint.Part, err error) {
	if in.piece != nil {
		return in.piece.text()
	}
	text, err = s.read(in)
	return text, nil, err
}

// divide puts the pieces of long lists in the place of these.
func (s *session) divide(ctx context.Context, found *finder) error {
	var all []input
	for _, in := range found.inputs {
		look := s.streamFile
		if in.path == stdinName {
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
		found.streamed = true
		for i := range st.list.Sections {
			one := in
			one.piece = &piece{st, i}
			all = append(all, one)
		}
	}
	found.inputs = all
	return nil
}

// streamFile finds the pieces of a file; it returns nil where it is to be read as a whole. Errors of the file are met again then.
func (s *session) streamFile(ctx context.Context, in *input) (*stream, error) {
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
	st := &stream{path: path, size: info.Size(), limit: int64(s.maxFileSize), open: open}
	return s.find(ctx, st, from, in)
}

// find finds the pieces of a stream, unless it is to be read as a whole.
func (s *session) find(ctx context.Context, st *stream, from io.Reader, in *input) (*stream, error) {
	progress := terminal.NewProgress(s.stderr, "", st.size)
	defer progress.Clear()
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
func (s *session) streamStdin(ctx context.Context, in *input) (*stream, error) {
	start, err := io.ReadAll(io.LimitReader(s.stdin, s.streamFrom))
	if err != nil || int64(len(start)) < s.streamFrom {
		if err == nil {
			in.text = start
		}
		return nil, err
	}
	spool, err := s.spool()
	if err != nil {
		return nil, fmt.Errorf("%s: there is no place for a copy: %w", stdinName, err)
	}
	st := &stream{path: stdinName, limit: int64(s.maxFileSize), size: -1, open: func() (io.ReaderAt, io.Closer, error) { return spool, io.NopCloser(nil), nil }}
	copied := &counted{Writer: spool}
	from := io.TeeReader(io.MultiReader(bytes.NewReader(start), s.stdin), copied)
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
	in.text, err = st.all()
	return nil, err
}

// spool is a temporary file that is gone when the session ends.
func (s *session) spool() (*os.File, error) {
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
