package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/crdlift/crdlift/internal/version"
	"github.com/crdlift/crdlift/rules"
)

// UseCache has a linter keep its reports in the folder of --cache.
func (f *Flags) UseCache(linter *rules.Linter) error {
	if f.Cache == "" {
		return nil
	}
	build, err := version.BuildID()
	if err != nil {
		return fmt.Errorf("--cache: %w", Unread(err))
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	err = linter.UseCache(f.Cache, build, here)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return UsageError(fmt.Sprintf("--cache %s: %v", Shown(f.Cache), at.Err), "name a folder that can be written to, or one that does not exist yet")
	}
	return err
}

// SaveCache writes down what the run found. A failure costs the next run time, and this one nothing.
func (r *Run) SaveCache(linter *rules.Linter) {
	if err := linter.SaveCache(); err != nil {
		r.Note("--cache cannot keep the results of this run (%v), so the next run is slower; correct that, or name another folder", Unread(err))
	}
}
