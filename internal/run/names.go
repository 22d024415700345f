package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
)

// Stdin is the argument for standard input, stdinName its name in messages.
const (
	Stdin     = "-"
	StdinName = "<stdin>"
)

// Shown is a file's name in findings.
var Shown = worktree.Shown

// Slashed is how output names a file, on every system.
func Slashed(path string) string { return filepath.ToSlash(path) }

// Unread removes the system call from the error about a path that cannot be read: it differs between
// systems, and users did not ask for it.
func Unread(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", at.Path, Cause(err))
}

// Absent is Unread for a path that the user named, with what to do about one that is not there.
func Absent(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", at.Path, cause(err, "; correct the path"))
}

// maxBeside is how many files of a folder are looked through for one that was meant.
const maxBeside = 1000

// Cause is why a path cannot be read, without the path, and for one that is not there the file next to it that may be meant.
func Cause(err error) error { return cause(err, "") }

// cause is Cause, with a remedy for a path that is not there and has nothing like it next to it.
func cause(err error, remedy string) error {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return err
	case !errors.Is(at.Err, fs.ErrNotExist):
		return at.Err
	}
	dir := filepath.Dir(at.Path)
	beside, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%w, as the folder %q does not exist%s", at.Err, Shown(dir), remedy)
	}
	var names []string
	for _, entry := range beside[:min(len(beside), maxBeside)] {
		names = append(names, entry.Name())
	}
	if near := text.Nearest(filepath.Base(at.Path), names); len(near) > 0 {
		return fmt.Errorf("%w; %s", at.Err, text.DidYouMean(Shown(filepath.Join(dir, near[0]))))
	}
	return fmt.Errorf("%w%s", at.Err, remedy)
}

// A reserved is a file that a run reads, which no report may replace.
type reserved struct{ path, what string }

// What files are to a run.
const (
	theInput         = "the input"
	theConfiguration = "the configuration"
	theBaseline      = "the baseline"
	theKustomization = "a file of the kustomization"
	theComparedWith  = "the earlier version of the comparison"
)
