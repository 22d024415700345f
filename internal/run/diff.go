package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/worktree"
)

// DiffRoot is the folder that the names in a run's diffs count from, and where git apply and patch take them: the working
// directory. Where a file lies outside of it, it is the top of the repository around it, or else the root of all folders.
func DiffRoot(inputs []Input) string {
	here := WorkingFolder()
	if here == "" {
		return ""
	}
	for _, root := range []string{here, worktree.TopOf(here)} {
		outside := func(in Input) bool {
			_, below := worktree.RelativeTo(".", in.Path) // which asks for no working directory where the path is a relative one
			if root != here {
				_, below = worktree.RelativeTo(root, in.Path)
			}
			return !below && in.Path != StdinName
		}
		if root != "" && !slices.ContainsFunc(inputs, outside) {
			return root
		}
	}
	return ""
}

// WorkingFolder is the working directory, or "" without one.
func WorkingFolder() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	return here
}

// diffName is a file's name in a diff.
func diffName(root string, in Input) string {
	if in.Path == StdinName {
		return "stdin"
	}
	if at, below := worktree.RelativeTo(root, in.Path); root != "" && below {
		return Slashed(at)
	}
	path := in.Path
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.TrimPrefix(Slashed(path[len(filepath.VolumeName(path)):]), "/")
}
