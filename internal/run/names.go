package run

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

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
	return fmt.Errorf("%s: %w", at.Path, at.Err)
}

// A reserved is a file that a run reads, which no report may replace.
type reserved struct{ path, what string }

// What files are to a run.
const (
	theInput         = "the input"
	theConfiguration = "the configuration"
	theBaseline      = "the baseline"
	theKustomization = "a file of the kustomization"
	theComparedWith  = "the old side of --against"
)
