package run

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/lint"
)

// defaultPaths are the paths when the command line has none: the configuration's, in the order of its globs, or the working
// directory.
func (f *Flags) defaultPaths(c *lint.Config) ([]string, error) {
	key, globs := "paths", c.Paths
	switch {
	case f.About == AboutObjects:
		key, globs = "validate.paths", c.Validate.Paths
	case f.About == AboutSuites && len(c.Test.Paths) > 0:
		key, globs = "test.paths", c.Test.Paths
	}
	if len(globs) == 0 {
		return []string{"."}, nil
	}
	return expanded(c, key, globs)
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
			return nil, fmt.Errorf("configuration: %s: nothing matches %s; correct the glob", key, Slashed(filepath.Join(dir, glob)))
		}
		for _, at := range found {
			if at = filepath.Join(dir, at); !slices.Contains(paths, at) {
				paths = append(paths, at)
			}
		}
	}
	return paths, nil
}

// leaveOut removes the inputs that the configuration excludes.
func (f *Inputs) leaveOut(c *lint.Config) {
	kept := f.All[:0]
	for _, in := range f.All {
		if glob := config.ExcludedBy(c, Shown(in.Path)); glob != "" {
			f.exclude(in.From, glob, c)
			continue
		}
		kept = append(kept, in)
	}
	f.All = kept
}

// exclude notes that the configuration excludes a file below paths of the command line.
func (f *Inputs) exclude(paths []int, glob string, config *lint.Config) {
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
