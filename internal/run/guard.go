package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/xrd"
)

// reserved are the files that the run reads: those that the user named, and those that the program found by itself.
func (f *Inputs) reserved() []reserved {
	all := append([]reserved{}, f.own...)
	for _, in := range f.All {
		if in.named {
			all = append(all, reserved{in.Path, theInput})
		}
	}
	return all
}

// guard refuses to replace other files by a report or a baseline.
func (f *Flags) guard(kept []reserved) error {
	kept = append(kept, reserved{strings.TrimPrefix(f.Against, older.PathPrefix), theComparedWith})
	if f.NewBaseline == "" {
		return f.Outputs.guard(kept) // with a new baseline, there is no report
	}
	kept = slices.DeleteFunc(kept, func(r reserved) bool { return r.what == theBaseline }) // which this one replaces
	if err := guard("--write-baseline ", f.NewBaseline, kept); err != nil {
		return err
	}
	src, err := ReadSettings(f.NewBaseline, true)
	if errors.Is(err, fs.ErrNotExist) || err == nil && suppress.LooksLikeBaseline(src) {
		return nil
	}
	if err != nil {
		return UsageError(fmt.Sprintf("--write-baseline: %v", Unread(err)), "name another file")
	}
	return UsageError(fmt.Sprintf("--write-baseline %s would replace a file that is not a baseline", Shown(f.NewBaseline)), "name another file, or remove it first")
}

// guard rejects outputs that would replace a file that is not a report.
func (all Outputs) guard(kept []reserved) error {
	for _, o := range all {
		if o.Path == "" {
			continue
		}
		if err := guard("--output "+o.Format+"=", o.Path, kept); err != nil {
			return err
		}
	}
	return nil
}

// guard refuses to write a report over anything that somebody else has made. A path that is forgotten, as in
// `--write-baseline crds/*.yaml`, makes the first manifest the report's file.
func guard(flag, path string, kept []reserved) error {
	info, err := os.Stat(path)
	switch dir := filepath.Dir(path); {
	case err != nil && missing(dir):
		return UsageError(fmt.Sprintf("%s%s cannot be written, because the folder %q does not exist", flag, Shown(path), Shown(dir)), "create it first")
	case err == nil && info.IsDir():
		return UsageError(fmt.Sprintf("%s%s is a folder", flag, Shown(path)), "name a file in it")
	case err != nil || !info.Mode().IsRegular(): // a new file, or a device such as /dev/stderr
		return nil
	}
	what := ""
	for _, r := range kept {
		if from, err := os.Stat(r.path); what == "" && err == nil && os.SameFile(from, info) {
			what = r.what
		}
	}
	if what = cmp.Or(what, calledAs(path)); what == "" {
		src, err := ReadSettings(path, true)
		if err != nil {
			return Unread(err)
		}
		if holdsObject(path, src) {
			what = "a manifest"
		}
	}
	if what == "" {
		return nil
	}
	return UsageError(fmt.Sprintf("%s%s would replace %s", flag, Shown(path), what), "name another file")
}

// missing reports whether nothing is at a path.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// calledAs returns the kind of a file by its name, or by that of the file that it links to; "" for most. Such a file
// belongs to some run, though perhaps not to this one.
func calledAs(path string) string {
	real, err := worktree.RealPath(path)
	if err != nil {
		real = path // reading it says why
	}
	for _, path := range []string{path, real} {
		switch {
		case filepath.Base(path) == config.Name:
			return "a configuration"
		case worktree.IsKustomization(path):
			return "a kustomization"
		}
	}
	return ""
}

// holdsObject reports whether a file holds a Kubernetes object, or is a manifest that may hold a CRD for all one can read
// of it. A report in text does not parse, either, but is not called as manifests are.
func holdsObject(path string, src []byte) bool {
	for _, d := range manifest.Parse(path, src).Documents {
		switch {
		case d.Err != nil && worktree.IsManifest(path) && xrd.MayHold(src):
			return true
		case d.Root != nil && crd.Get(d.Root.YNode(), "apiVersion") != nil && crd.Get(d.Root.YNode(), "kind") != nil:
			return true
		}
	}
	return false
}
