package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/crdlift/crdlift/rules"

	"github.com/crdlift/crdlift/internal/version"
)

// useCache has a linter keep its reports in the folder of --cache.
func (f *Flags) useCache(linter *rules.Linter) error {
	if f.cache == "" {
		return nil
	}
	build, err := version.BuildID()
	if err != nil {
		return fmt.Errorf("--cache: %w", unread(err))
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	err = linter.UseCache(f.cache, build, here)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return usageError{fmt.Sprintf("--cache %s: %v", shown(f.cache), at.Err), "Name a folder that can be written to, or one that does not exist yet."}
	}
	return err
}

// saveCache writes down what the run found. A failure costs the next run time, and this one nothing.
func (r *batch) saveCache(linter *rules.Linter) {
	if err := linter.SaveCache(); err != nil {
		r.note("--cache: the results of this run are not kept: %v", unread(err))
	}
}
