package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/worktree"
)

// diffRoot is the folder that the names in a run's diffs count from, and where git apply and patch take them: the working
// directory. Where a file lies outside of it, it is the top of the repository around it, or else the root of all folders.
func diffRoot(inputs []input) string {
	here := workingFolder()
	if here == "" {
		return ""
	}
	for _, root := range []string{here, worktree.TopOf(here)} {
		outside := func(in input) bool {
			_, below := worktree.RelativeTo(".", in.path) // which asks for no working directory where the path is a relative one
			if root != here {
				_, below = worktree.RelativeTo(root, in.path)
			}
			return !below && in.path != stdinName
		}
		if root != "" && !slices.ContainsFunc(inputs, outside) {
			return root
		}
	}
	return ""
}

// workingFolder is the working directory, or "" where there is none.
func workingFolder() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	return here
}

// diffName is a file's name in a diff.
func diffName(root string, in input) string {
	if in.path == stdinName {
		return "stdin"
	}
	if at, below := worktree.RelativeTo(root, in.path); root != "" && below {
		return slashed(at)
	}
	path := in.path
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.TrimPrefix(slashed(path[len(filepath.VolumeName(path)):]), "/")
}
