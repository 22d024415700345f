package gitrev

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// An objects is the git process that reads the objects of one repository. It starts when the first one is asked for.
type objects struct {
	command   func() *exec.Cmd
	limit     int64
	running   *exec.Cmd // nil before it is started, and after it has ended
	requests  io.WriteCloser
	answers   *bufio.Reader
	complaint bytes.Buffer
	failure   error // why nothing can be read any more
}

// read returns the content of a file.
func (o *objects) read(b Blob) ([]byte, error) {
	if o.failure != nil {
		return nil, o.failure
	}
	if err := o.start(); err != nil {
		o.failure = explain(err, "")
		return nil, o.failure
	}
	_, err := io.WriteString(o.requests, b.id+"\n")
	var content []byte
	if err == nil {
		content, err = readObject(o.answers, o.limit)
	}
	if errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("%s: %w", b.Path, err)
	}
	if err != nil {
		// The next answer cannot be told from the rest of this one. The process is gone, or does not speak the
		// protocol: its error messages are known after it has ended.
		o.end()
		o.failure = fmt.Errorf("git cat-file: %s: %w", b.Path, err)
		switch said := strings.Join(strings.Fields(o.complaint.String()), " "); {
		case lacksObjects(said):
			o.failure = fmt.Errorf("%s: %s", b.Path, partial)
		case said != "":
			o.failure = fmt.Errorf("git cat-file: %s: %s: %w", b.Path, strings.TrimPrefix(said, "fatal: "), err)
		}
		return nil, o.failure
	}
	return content, nil
}

// start starts the process unless it runs.
func (o *objects) start() (err error) {
	if o.running != nil {
		return nil
	}
	cmd := o.command()
	if o.requests, err = cmd.StdinPipe(); err != nil {
		return err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.answers = bufio.NewReaderSize(answers, 64<<10)
	cmd.Stderr = &o.complaint
	if err := cmd.Start(); err != nil {
		return err
	}
	o.running = cmd
	return nil
}

// end makes the process finish, which it does at the end of its input. Its remaining output is dropped.
func (o *objects) end() {
	if o.running == nil {
		return
	}
	_ = o.requests.Close()
	_, _ = io.Copy(io.Discard, o.answers)
	_ = o.running.Wait() // its failure is known already, or of no interest
	o.running = nil
}

// ErrTooLarge is the error for a file above the limit.
var ErrTooLarge = errors.New("larger than --max-file-size")

// readObject reads one answer of cat-file --batch: "ID TYPE SIZE", a line end, as many bytes, a line end. The content
// of a larger object than the limit is passed over.
func readObject(r *bufio.Reader, limit int64) ([]byte, error) {
	header, err := r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("git cat-file printed a line that is too long: %s", text.Quoted(string(header)).Brief())
		}
		return nil, noEOF(err)
	}
	fields := strings.Split(strings.TrimSuffix(string(header), "\n"), " ")
	if len(fields) == 2 && fields[1] == "missing" {
		return nil, errors.New("the object is missing from the repository; 'git fsck' checks it")
	}
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, fmt.Errorf("unexpected answer %s", text.Quoted(strings.TrimSpace(string(header))).Brief())
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("unexpected size %s", text.Quoted(string(fields[2])).Brief())
	}
	if size > limit {
		if _, err := io.CopyN(io.Discard, r, size); err != nil {
			return nil, noEOF(err)
		}
		return nil, lineEnd(r, ErrTooLarge)
	}
	// The buffer grows with the content: the announced size is not trusted.
	var content bytes.Buffer
	content.Grow(int(min(size, 1<<20)))
	if _, err := io.CopyN(&content, r, size); err != nil {
		return nil, noEOF(err)
	}
	if err := lineEnd(r, nil); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// lineEnd reads the line end after an object. It returns its own error, or else the given one.
func lineEnd(r *bufio.Reader, anyway error) error {
	b, err := r.ReadByte()
	if err != nil {
		return noEOF(err)
	}
	if b != '\n' {
		return errors.New("an object does not end where git cat-file says")
	}
	return anyway
}

// noEOF says that an answer was expected where the stream ends.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A Blob is a regular file of a commit.
type Blob struct {
	Path string // in the repository, with slashes
	id   string
	in   *objects
}
