package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// diffRoot is the folder that the names in a run's diffs count from, and where git apply and patch take them: the working
// directory. Where a file lies outside of it, it is the top of the repository around it, or else the root of all folders.
func diffRoot(inputs []input) string {
	here := workingFolder()
	if here == "" {
		return ""
	}
	for _, root := range []string{here, topOf(here)} {
		outside := func(in input) bool {
			_, below := relativeTo(root, in.path)
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

// relativeTo is a path as counted from a folder, if it lies below that or is it.
func relativeTo(dir, path string) (at string, below bool) {
	from, _ := filepath.Abs(dir) // empty, and then nothing lies below it, where there is no working directory
	to, _ := filepath.Abs(path)
	at, err := filepath.Rel(from, to)
	return at, err == nil && filepath.IsLocal(at)
}

// diffName is a file's name in a diff.
func diffName(root string, in input) string {
	if in.path == stdinName {
		return "stdin"
	}
	if at, below := relativeTo(root, in.path); root != "" && below {
		return slashed(at)
	}
	path := in.path
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.TrimPrefix(slashed(path[len(filepath.VolumeName(path)):]), "/")
}
