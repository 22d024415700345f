package worktree

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// The reasons why a file of settings that was found is not read.
var (
	ErrIrregular = errors.New("not a regular file")
	ErrLeadsAway = errors.New("a link to a file outside of the repository; use a file inside of it")
	ErrTooLarge  = errors.New("too large")
)

// ReadFound reads a file of settings that nobody named: it comes with the manifests, and may be a link to anything. It has to
// be a regular file, and not a link out of the repository, since messages quote invalid content.
func ReadFound(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, ErrIrregular
	}
	if leadsAway(path) {
		return nil, ErrLeadsAway
	}
	return ReadNamed(path, limit)
}

// ReadNamed reads a file of settings, wherever and whatever it is.
func ReadNamed(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(src)) > limit {
		return nil, ErrTooLarge
	}
	return src, err
}

// leadsAway reports whether a file is a link to one outside of its repository or, without one, of its folder.
func leadsAway(path string) bool {
	dir, err := RealPath(filepath.Dir(path))
	if err != nil || !IsLink(path) {
		return false
	}
	real, err := RealPath(path)
	if err != nil {
		return false // reading it says why
	}
	_, inside := RelativeTo(cmp.Or(TopOf(dir), dir), real)
	return !inside
}
