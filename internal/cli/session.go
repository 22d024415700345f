package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/internal/text"
)

// The exit codes besides 0, which is for nothing to say. The higher one wins.
const (
	exitFindings = 1 // something to rewrite, or for a person to look at
	exitTrouble  = 2 // wrong usage, or the environment failed: unreadable files, full disks
)

// defaultStreamFrom is the size of lists that are judged in pieces, and of larger ones.
const defaultStreamFrom = 4 << 20

// A session is one call of the program: its streams, its exit code, and how much it reads at once.
type session struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	code           int      // the exit code so far
	maxFileSize    byteSize // of what is read as a whole
	streamFrom     int64    // how large a list is that is judged in pieces, in bytes
	pieceSize      int      // of these

	noted     map[string]bool // what was said of the run itself
	oversized oversizedFiles
	closers   []func()
}

// newSession is a session with the limits that hold unless a flag says otherwise.
func newSession(stdin io.Reader, stdout, stderr io.Writer) *session {
	return &session{
		stdin: stdin, stdout: stdout, stderr: stderr,
		maxFileSize: defaultMaxFileSize, streamFrom: defaultStreamFrom, pieceSize: pieces.DefaultSize,
	}
}

// atEnd has something closed when the session ends.
func (s *session) atEnd(close func()) { s.closers = append(s.closers, close) }

// end closes what is open.
func (s *session) end() {
	for _, close := range slices.Backward(s.closers) {
		close()
	}
}

// first reports whether a line about the run is said for the first time: a file in pieces is looked at more than once.
func (s *session) first(line string) bool {
	if s.noted[line] {
		return false
	}
	if s.noted == nil {
		s.noted = map[string]bool{}
	}
	s.noted[line] = true
	return true
}

// worsen raises the exit code.
func (s *session) worsen(code int) { s.code = max(s.code, code) }

// A usageError is an error of the command line, with a hint.
type usageError struct{ message, hint string }

func (e usageError) Error() string { return e.message }

// Hint is what to do.
func (e usageError) Hint() string { return e.hint }

// fail prints an error as one line and makes it count for the exit code.
func (s *session) fail(err error) {
	for _, err := range separate(err) {
		fmt.Fprintf(s.stderr, "crdlift: %s\n", text.Harmless(err.Error()))
	}
	s.worsen(exitTrouble)
}

func (s *session) failAll(errs []error) {
	for _, err := range errs {
		s.fail(err)
	}
}

// separate returns the errors that were joined into one, such as those of several documents.
func separate(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
