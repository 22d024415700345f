package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/worktree"
)

// stdinPath is the argument for standard input, stdinName its name in messages.
const (
	stdinPath = "-"
	stdinName = "<stdin>"
)

// shown is a file's name in findings.
var shown = worktree.Shown

// slashed is how output names a file, on every system.
func slashed(path string) string { return filepath.ToSlash(path) }

// unread removes the system call from the error about a path that cannot be read: it differs between
// systems, and users did not ask for it.
func unread(err error) error {
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
