package run

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// maxEmpty is how many paths without a CRD are named.
const maxEmpty = 10

// Complain fails the run for paths without any CRD: one that is misspelt, or whose manifests have moved, must not look like
// one without mistakes.
func (r *Run) Complain() {
	f := r.Inputs
	files := make([]int, len(f.paths))
	for _, in := range f.All {
		for _, i := range in.From {
			files[i]++
		}
	}
	empty := 0
	for i, named := range f.paths {
		if f.filled[i] {
			continue
		}
		if empty++; empty <= maxEmpty {
			r.Fail(fmt.Errorf("%w; with --allow-empty, this is not an error", f.nothingIn(i, Shown(named), files[i])))
		}
	}
	if more := empty - maxEmpty; more > 0 {
		r.Fail(fmt.Errorf("%s without any %s", text.Count(more, "more path"), f.wanted()))
	}
}

// nothingIn is the error for a path of the command line, given how many files were looked at for it.
func (f *Inputs) nothingIn(i int, place string, files int) error {
	out := f.out[i]
	switch {
	case out != nil && files == 0:
		return fmt.Errorf("%s: excluded by %s", place, out)
	case f.Built != nil:
		return fmt.Errorf("the build of %s has no %s", place, crd.Kind)
	case out != nil:
		return fmt.Errorf("%w; %s %s excluded by %s", noneOf(f.wanted(), place, files), text.Count(out.files, "more file"), text.Verb(out.files, "is", "are"), out)
	}
	return noneOf(f.wanted(), place, files)
}

// wanted is what has to be in each path.
func (f *Inputs) wanted() string { return cmp.Or(f.wants, crd.Kind) }

// NoneIn is the error for a place whose files hold no CRD.
func NoneIn(place string, files int) error { return noneOf(crd.Kind, place, files) }

// noneOf is the error for a place whose files hold none of what is wanted.
func noneOf(wanted, place string, files int) error {
	if files == 0 {
		return fmt.Errorf("%s: there are no manifests", place)
	}
	return fmt.Errorf("%s: no %s in %s", place, wanted, text.Count(files, "file"))
}

// SettleAbove settles the paths that a file, which may be deleted by now, is or was in.
func (f *Inputs) SettleAbove(file string) {
	for i, named := range f.paths {
		if named = Shown(named); named == "." || named == file || strings.HasPrefix(path.Clean(file), named+"/") {
			f.Settle([]int{i})
		}
	}
}
