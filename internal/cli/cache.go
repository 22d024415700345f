package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/rules"
)

// useCache has a linter keep its reports in the folder of --cache.
func (f *Flags) useCache(linter *rules.Linter) error {
	if f.cache == "" {
		return nil
	}
	build, err := buildID()
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

// buildID tells this program from every other one, also from one that somebody builds of changed files. The build information
// does where it names all sources; where it does not, the program is read.
var buildID = sync.OnceValues(func() (string, error) {
	info := buildInfo()
	if isRelease(info) {
		return info.String(), nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer program.Close()
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})

// isRelease reports whether build information names all sources: each module has a checksum, and the main one is a version, or
// a commit without changes.
func isRelease(info *debug.BuildInfo) bool {
	if !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+dirty") {
		return false
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" {
			return false
		}
	}
	return true
}
