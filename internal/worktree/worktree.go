// Package worktree finds the manifests of a folder, as a person who works in it means them: without what git ignores, what
// others wrote, and what tools keep there. It reads the settings that lie beside them. It knows nothing of what is in a
// manifest.
//
// walk.go looks through folders, ignore.go knows .gitignore, and settings.go reads files that are found rather than named.
package worktree

import (
	"io/fs"
	"os"
	"path/filepath"
)

// IsRepository reports whether a folder is the top of a git working tree.
func IsRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// TopOf is the top of the git working tree that a folder, given by its absolute path, is in; "" outside of any.
func TopOf(dir string) string {
	for !IsRepository(dir) {
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
	return dir
}

// IsLink reports whether there is a symbolic link at a path.
func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// RealPath is the absolute path of a file or folder, without symbolic links in it.
func RealPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// RelativeTo is a path as counted from a folder, if it lies below that or is it.
func RelativeTo(dir, path string) (at string, below bool) {
	if filepath.IsLocal(dir) && filepath.IsLocal(path) { // wherever that is: to ask for the working directory takes system calls
		at, err := filepath.Rel(dir, path)
		return at, err == nil && filepath.IsLocal(at)
	}
	from, _ := filepath.Abs(dir) // empty, and then nothing lies below it, where there is no working directory
	to, _ := filepath.Abs(path)
	at, err := filepath.Rel(from, to)
	return at, err == nil && filepath.IsLocal(at)
}

// Shown is a file's name in messages: relative to the working directory where the file lies below it, with slashes.
func Shown(path string) string {
	if filepath.IsAbs(path) {
		if at, below := RelativeTo(".", path); below {
			path = at
		}
	}
	return filepath.ToSlash(path)
}
