package cli

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// pathsOf returns the paths to lint when the command line has none: the configuration's, in the order of its globs, or
// the working directory.
func pathsOf(config *lint.Config) ([]string, error) {
	if len(config.Paths) == 0 {
		return []string{"."}, nil
	}
	return expanded(config, "paths", config.Paths)
}

// expanded returns the paths that match globs of the configuration, in their order; the key is what it has them under.
func expanded(config *lint.Config, key string, globs []string) (paths []string, err error) {
	dir := filepath.Dir(config.Path)
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(dir) {
		if dir, err = filepath.Rel(here, dir); err != nil {
			return nil, err
		}
	}
	for _, glob := range globs {
		found := []string{filepath.FromSlash(glob)}
		if _, err := os.Stat(filepath.Join(dir, found[0])); err != nil {
			if found, err = doublestar.Glob(os.DirFS(dir), path.Clean(glob)); err != nil {
				return nil, fmt.Errorf("configuration: %s: %s: %w", key, glob, err)
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("configuration: %s: nothing matches %s", key, slashed(filepath.Join(dir, glob)))
		}
		for _, at := range found {
			if at = filepath.Join(dir, at); !slices.Contains(paths, at) {
				paths = append(paths, at)
			}
		}
	}
	return paths, nil
}

// settle notes that there is something to work on, or to complain about, below paths of the command line.
func (f *finder) settle(paths []int) {
	if f.filled == nil {
		f.filled = map[int]bool{}
	}
	for _, i := range paths {
		f.filled[i] = true
	}
}

// settleAbove settles the paths that a file, which may be deleted by now, is or was in.
func (f *finder) settleAbove(file string) {
	for i, named := range f.paths {
		if named = shown(named); named == "." || named == file || strings.HasPrefix(path.Clean(file), named+"/") {
			f.settle([]int{i})
		}
	}
}

// maxEmpty is how many paths without a CRD are named.
const maxEmpty = 10

// complain fails the run for paths without any CRD: one that is misspelt, or whose manifests have moved, must not look like
// one without mistakes.
func (s *session) complain(f *finder) {
	files := make([]int, len(f.paths))
	for _, in := range f.inputs {
		for _, i := range in.from {
			files[i]++
		}
	}
	empty := 0
	for i, named := range f.paths {
		if f.filled[i] {
			continue
		}
		if empty++; empty <= maxEmpty {
			s.fail(fmt.Errorf("%w; with --allow-empty, this is not an error", f.nothingIn(i, shown(named), files[i])))
		}
	}
	if more := empty - maxEmpty; more > 0 {
		s.fail(fmt.Errorf("%s without any %s", text.Count(more, "more path"), f.wanted()))
	}
}

// nothingIn is the error for a path of the command line, given how many files were looked at for it.
func (f *finder) nothingIn(i int, place string, files int) error {
	out := f.out[i]
	switch {
	case out != nil && files == 0:
		return fmt.Errorf("%s: excluded by %s", place, out)
	case f.built != nil:
		return fmt.Errorf("the build of %s has no %s", place, crd.Kind)
	case out != nil:
		return fmt.Errorf("%w; %s %s excluded by %s", noneOf(f.wanted(), place, files), text.Count(out.files, "more file"), text.Verb(out.files, "is", "are"), out)
	}
	return noneOf(f.wanted(), place, files)
}

// wanted is what has to be in each path.
func (f *finder) wanted() string { return cmp.Or(f.wants, crd.Kind) }

// noneIn is the error for a place whose files hold no CRD.
func noneIn(place string, files int) error { return noneOf(crd.Kind, place, files) }

// noneOf is the error for a place whose files hold none of what is wanted.
func noneOf(wanted, place string, files int) error {
	if files == 0 {
		return fmt.Errorf("%s: there are no manifests", place)
	}
	return fmt.Errorf("%s: no %s in %s", place, wanted, text.Count(files, "file"))
}

// An exclusion is the part of a path that the configuration excludes.
type exclusion struct {
	files int
	globs []string
	from  string // the configuration
}

// leaveOut removes the inputs that the configuration excludes.
func (f *finder) leaveOut(c *lint.Config) {
	kept := f.inputs[:0]
	for _, in := range f.inputs {
		if glob := config.ExcludedBy(c, shown(in.path)); glob != "" {
			f.exclude(in.from, glob, c)
			continue
		}
		kept = append(kept, in)
	}
	f.inputs = kept
}

// exclude notes that the configuration excludes a file below paths of the command line.
func (f *finder) exclude(paths []int, glob string, config *lint.Config) {
	if f.out == nil {
		f.out = map[int]*exclusion{}
	}
	for _, i := range paths {
		if f.out[i] == nil {
			f.out[i] = &exclusion{from: config.Path}
		}
		out := f.out[i]
		out.files++
		if !slices.Contains(out.globs, glob) {
			out.globs = append(out.globs, glob)
		}
	}
}

// settleExcluded handles the paths with only excluded files: it drops some of those that the configuration's own globs
// match.
func (f *finder) settleExcluded() {
	for i := range f.out {
		f.settle([]int{i})
	}
}

// String names the globs: `"vendor" of .crdlift.yaml`.
func (e *exclusion) String() string {
	var quoted []string
	for _, glob := range e.globs {
		quoted = append(quoted, text.Quoted(glob).Brief())
	}
	return text.And(quoted) + " of " + shown(e.from)
}
