package gitrev

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// A Tree is the files of a commit. Close ends the git process that reads them.
type Tree struct {
	Files []Blob // in the order of their paths
	limit int64

	mu        sync.Mutex
	cmd       *exec.Cmd
	requests  io.WriteCloser
	answers   *bufio.Reader
	complaint bytes.Buffer
	failure   error // why nothing can be read any more
}

// A Blob is a regular file of a commit.
type Blob struct {
	Path string // in the repository, with slashes
	id   string
}

// Tree lists the regular files of a commit that are wanted, and starts the one process that reads them. Symbolic links
// and submodules are passed over. Files above the limit, in bytes, are not read.
func (r *Repository) Tree(ctx context.Context, commit string, limit int64, wanted func(path string) bool) (*Tree, error) {
	out, err := r.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	t := &Tree{limit: limit, cmd: r.command(ctx, "cat-file", "--batch")}
	if t.Files, err = parseTree(out, wanted); err != nil {
		return nil, err
	}
	if t.requests, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	answers, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.answers = bufio.NewReaderSize(answers, 64<<10)
	t.cmd.Stderr = &t.complaint
	if err := t.cmd.Start(); err != nil {
		return nil, explain(err, "")
	}
	return t, nil
}

// parseTree reads what ls-tree -z prints: mode, type and id with spaces between, a tab, the path, a NUL.
func parseTree(out string, wanted func(path string) bool) ([]Blob, error) {
	var files []Blob
	for out != "" {
		entry, rest, ended := strings.Cut(out, "\x00")
		about, path, ok := strings.Cut(entry, "\t")
		fields := strings.Split(about, " ")
		if !ended || !ok || len(fields) != 3 || path == "" || fields[2] == "" || strings.Contains(fields[2], "\n") {
			return nil, fmt.Errorf("git ls-tree printed %.80q, which crdlift cannot read", entry)
		}
		out = rest
		if regular := fields[1] == "blob" && strings.HasPrefix(fields[0], "100"); regular && wanted(path) {
			files = append(files, Blob{path, fields[2]})
		}
	}
	return files, nil
}

// ErrTooLarge is the error for a file above the limit.
var ErrTooLarge = errors.New("larger than --max-file-size")

// Read gives the content of a file. It may be called from several goroutines.
func (t *Tree) Read(b Blob) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure != nil {
		return nil, t.failure
	}
	_, err := io.WriteString(t.requests, b.id+"\n")
	var content []byte
	if err == nil {
		content, err = readObject(t.answers, t.limit)
	}
	if errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("%s: %w", b.Path, err)
	}
	if err != nil {
		// Whatever comes next cannot be told from the rest of this answer. The process is gone, or does not speak the
		// protocol: what it complained about is known once it has ended.
		t.end()
		t.failure = fmt.Errorf("git cat-file: %s: %w", b.Path, err)
		if said := strings.Join(strings.Fields(t.complaint.String()), " "); said != "" {
			t.failure = fmt.Errorf("git cat-file: %s: %s: %w", b.Path, strings.TrimPrefix(said, "fatal: "), err)
		}
		return nil, t.failure
	}
	return content, nil
}

// readObject reads one answer of cat-file --batch: "ID TYPE SIZE", a line end, as many bytes, a line end. The content
// of a larger object than the limit is passed over.
func readObject(r *bufio.Reader, limit int64) ([]byte, error) {
	header, err := r.ReadSlice('\n')
	if err != nil {
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("the answer %.80q is too long", header)
		}
		return nil, noEOF(err)
	}
	fields := strings.Split(strings.TrimSuffix(string(header), "\n"), " ")
	if len(fields) == 2 && fields[1] == "missing" {
		return nil, errors.New("the object is missing from the repository; 'git fsck' checks it")
	}
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, fmt.Errorf("unexpected answer %.80q", strings.TrimSpace(string(header)))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("unexpected size %.80q", fields[2])
	}
	if size > limit {
		if _, err := io.CopyN(io.Discard, r, size); err != nil {
			return nil, noEOF(err)
		}
		return nil, lineEnd(r, ErrTooLarge)
	}
	// The buffer grows with what comes: the size alone is not believed.
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

// lineEnd reads the line end behind an object, and gives the error that there was anyway.
func lineEnd(r *bufio.Reader, anyway error) error {
	b, err := r.ReadByte()
	if err != nil {
		return noEOF(err)
	}
	if b != '\n' {
		return errors.New("an answer does not end where it should")
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

// Close ends the process.
func (t *Tree) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure == nil {
		t.failure = errors.New("the tree is closed")
		t.end()
	}
}

// end has the process finish: it does when there is nothing more to answer. What it still prints is dropped.
func (t *Tree) end() {
	_ = t.requests.Close()
	_, _ = io.Copy(io.Discard, t.answers)
	_ = t.cmd.Wait() // that it failed is no news, or of no interest
}
