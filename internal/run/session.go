package run

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/pieces"
	"github.com/crdlift/crdlift/internal/text"
)

// The exit codes besides 0, which is for nothing to say. The higher one wins.
const (
	ExitFindings = 1 // something to rewrite, or for a person to look at
	ExitTrouble  = 2 // wrong usage, or the environment failed: unreadable files, full disks
)

// defaultStreamFrom is the size of lists that are judged in pieces, and of larger ones.
const defaultStreamFrom = 4 << 20

// defaultMaxFileSize is how large a file may be unless --max-file-size says otherwise.
const defaultMaxFileSize limit.Size = limit.FileSize

// A Session is one call of the program: its streams, its exit code, and how much it reads at once.
type Session struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Code           int        // the exit code so far
	MaxFileSize    limit.Size // of what is read as a whole
	StreamFrom     int64      // how large a list is that is judged in pieces, in bytes
	PieceSize      int        // of these

	noted     map[string]bool // what was said of the run itself
	input     []byte          // what was read from standard input, unless that was much
	Oversized oversizedFiles
	closers   []func()
	tracked   map[string]bool // files and folders that walks look at whatever .gitignore says, by their real paths; nil for none
}

// NewSession is a session with the limits that hold unless a flag says otherwise.
func NewSession(stdin io.Reader, stdout, stderr io.Writer) *Session {
	return &Session{
		Stdin: stdin, Stdout: stdout, Stderr: stderr,
		MaxFileSize: defaultMaxFileSize, StreamFrom: defaultStreamFrom, PieceSize: pieces.DefaultSize,
	}
}

// atEnd has something closed when the session ends.
func (s *Session) atEnd(close func()) { s.closers = append(s.closers, close) }

// End closes what is open.
func (s *Session) End() {
	for _, close := range slices.Backward(s.closers) {
		close()
	}
}

// first reports whether a line about the run is said for the first time: a file in pieces is looked at more than once.
func (s *Session) first(line string) bool {
	if s.noted[line] {
		return false
	}
	if s.noted == nil {
		s.noted = map[string]bool{}
	}
	s.noted[line] = true
	return true
}

// Worsen raises the exit code.
func (s *Session) Worsen(code int) { s.Code = max(s.Code, code) }

// UsageError is an error of the command line, with a hint that says what to do, as the end of a sentence; "" for none.
func UsageError(message, hint string) error { return misuse{message, hint} }

type misuse struct{ message, hint string }

func (e misuse) Error() string { return e.message }

// Hint is what to do.
func (e misuse) Hint() string { return e.hint }

// Fail prints an error with its hint as one line and makes it count for the exit code.
func (s *Session) Fail(err error) {
	for _, err := range text.Separate(err) {
		said := err.Error()
		var usage interface{ Hint() string }
		if errors.As(err, &usage) && usage.Hint() != "" {
			said += "; " + usage.Hint()
		}
		fmt.Fprintf(s.Stderr, "crdlift: %s\n", text.Harmless(said))
	}
	s.Worsen(ExitTrouble)
}

func (s *Session) FailAll(errs []error) {
	for _, err := range errs {
		s.Fail(err)
	}
}

// Note says something on standard error that is no failure.
func (s *Session) Note(format string, args ...any) {
	fmt.Fprintf(s.Stderr, "crdlift: %s\n", text.Harmless(fmt.Sprintf(format, args...)))
}
