package run

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
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
			none := r.instead(i, f.nothingIn(i, Shown(named), files[i]))
			switch {
			case r.Flags.About != AboutSuites && !r.Flags.Audits: // which have no --allow-empty
				none = fmt.Errorf("%w, or accept that with --allow-empty", WithRemedy(none))
			case !suite.IsNamed(Shown(named)):
				none = fmt.Errorf("%w; write a suite with 'crdlift test --init CRD'", none)
			}
			r.Fail(none)
		}
	}
	if more := empty - maxEmpty; more > 0 {
		r.Fail(fmt.Errorf("%s %s no %s; correct them, too", text.Count(more, "more path"), text.Verb(more, "has", "have"), f.wanted()))
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

// maxReread is how many files are read again to say what is in them in place of CRDs.
const maxReread = 100

// instead adds to the error for a path of the command line what there is in place of what is wanted: a named file that does not parse,
// or custom resources where CRDs are wanted.
func (r *Run) instead(i int, none error) error {
	reread := 0
	for _, in := range r.Inputs.All {
		if !slices.Contains(in.From, i) || in.Piece != nil || reread == maxReread {
			continue
		}
		reread++
		src, _ := r.Reread(in) // what cannot be read was told
		fault, custom := look(Shown(in.Path), src)
		switch {
		case fault != nil && (in.named || in.Path == StdinName):
			return fault
		case custom && r.Inputs.wants == "":
			return butCustom(none)
		}
	}
	return none
}

// Unparsed are the errors of the named files that do not parse.
func (r *Run) Unparsed() (faults []error) {
	for _, in := range r.Inputs.All[:min(len(r.Inputs.All), maxReread)] {
		if src, err := r.Reread(in); err == nil && (in.named || in.Path == StdinName) && in.Piece == nil {
			if fault, _ := look(Shown(in.Path), src); fault != nil {
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

// look says why a text does not parse, and whether there are custom resources in it, as far as it does.
func look(path string, src []byte) (fault error, custom bool) {
	if template.Recognise(path, src) != "" {
		return nil, false // which is no YAML, and was named as what it is
	}
	for _, d := range manifest.Parse(path, src).Documents {
		if d.Err != nil {
			return d.Err, custom
		}
		if d.Root != nil {
			found, _ := objects.Find(d.Root.YNode())
			custom = custom || slices.ContainsFunc(found, (*objects.Object).IsCustom)
		}
	}
	return nil, custom
}

// WithRemedy adds to the error for a place without a CRD what to do.
func WithRemedy(none error) error {
	if broken := (*manifest.SyntaxError)(nil); errors.As(none, &broken) {
		return fmt.Errorf("%w; correct it", none)
	}
	return fmt.Errorf("%w; name another path", none)
}

// wanted is what has to be in each path.
func (f *Inputs) wanted() string { return cmp.Or(f.wants, crd.Kind) }

// NoneIn is the error for a place whose files hold no CRD, or for a file that does not parse.
func NoneIn(place string, files []lint.File) error {
	none := noneOf(crd.Kind, place, len(files))
	if len(files) != 1 || files[0].Label != place {
		return none
	}
	src, err := files[0].Read()
	if err != nil {
		return none // which was told
	}
	fault, custom := look(files[0].Label, src)
	switch {
	case fault != nil:
		return fault
	case custom:
		return butCustom(none)
	}
	return none
}

// butCustom adds to an error that no CRD was found what there is.
func butCustom(none error) error {
	return fmt.Errorf("%w, but custom resources, which 'crdlift validate' checks", none)
}

// noneOf is the error for a place whose files hold none of what is wanted.
func noneOf(wanted, place string, files int) error {
	if files == 0 {
		return fmt.Errorf("there are no manifests in %s", place)
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
