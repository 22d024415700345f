package run

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Builds are what kustomizations build of the sources of a run.
type Builds struct {
	build
	Inputs  []Input         // what has to be judged as it is applied, beside the files as they are
	off     string          // why nothing is built; "" for runs that build
	folders []string        // of kustomizations that change something
	patches map[string]bool // the files that these have read
	mended  int             // findings in sources

	by map[string]string // the kustomizations, by the files that they build of

	hasPlaceholders bool // a patch has some, whose values are not known
}

// Builds builds the kustomizations by which the sources of a run are checked as well, unless it shows changes that are not made. One
// that cannot be built is noted.
func (r *Run) Builds(shows bool) *Builds {
	b := &Builds{build: newBuild(), patches: map[string]bool{}, by: map[string]string{}}
	b.about = map[*lint.Finding]bool{}
	switch {
	case shows:
		b.off = "crdlift builds nothing with --diff"
	case r.Older != nil:
		b.off = "crdlift does not compare builds"
	}
	if r.Roles == nil || b.off != "" {
		return b
	}
	for _, at := range r.Roles.trees {
		b.buildIn(r, at)
	}
	return b
}

// buildIn builds those of a repository.
func (b *Builds) buildIn(r *Run, at *repository.Around) {
	inputs := map[string]*Input{}
	for i := range r.Inputs.All {
		if in := &r.Inputs.All[i]; r.Roles.Of(Shown(in.Path)) == at {
			inputs[at.InTree(Shown(in.Path))] = in
		}
	}
	for _, one := range at.Look().Builds(func(file string) bool { return inputs[file] != nil }) {
		if one.Plain {
			for _, d := range one.Sources {
				b.addPlain(r, *inputs[d.File])
			}
			continue
		}
		folder := filepath.Dir(inputs[one.File].Path)
		built, read, err := kustomize.Build(folder, int64(r.MaxFileSize), one.Schemas)
		if err != nil {
			r.Note("%s cannot be built, so its sources are checked without patches: %v", Shown(folder), Unread(err))
			continue
		}
		b.folders = append(b.folders, Shown(folder))
		for _, path := range read {
			b.patches[path] = true
		}
		for _, file := range built {
			if in := inputs[at.InTree(Shown(file.Path))]; in != nil {
				b.addBuilt(*in, file)
				b.by[Shown(in.Path)] = at.Shown(one.File)
			}
		}
	}
}

// AddBuilt adds the CRDs that kustomizations give other versions, with other schemas, to what custom resources are checked with.
func (r *Run) AddBuilt(to *rules.Objects) error {
	b := r.Builds(false)
	for _, in := range b.Inputs {
		path := Shown(in.Path)
		if file := b.files[path]; file == nil || !file.ChangesAny("spec.versions") {
			continue
		}
		crds, err := rules.ReadCRDs(lint.File{Path: path, Label: b.by[path], Read: func() ([]byte, error) { return in.Text, nil }}, false)
		if err != nil {
			return err
		}
		to.AddBuilt(crds)
	}
	return nil
}

// addPlain adds a file that is applied as it is.
func (b *Builds) addPlain(r *Run, in Input) {
	src, err := in.Read(nil, int64(r.MaxFileSize))
	path := Shown(in.Path)
	if err != nil || !hasVersions(src) || b.sources[path] != nil {
		return
	}
	in.Text, b.sources[path] = src, []string{path}
	b.Inputs = append(b.Inputs, in)
}

// addBuilt adds what is built of a file.
func (b *Builds) addBuilt(in Input, file *kustomize.File) {
	path := Shown(in.Path)
	if b.sources[path] != nil || !hasVersions(file.Text) && !file.IsChanged() {
		return
	}
	b.add(path, file)
	in.Text = file.Text
	b.Inputs = append(b.Inputs, in)
}

// hasVersions reports whether a CRD may have several versions: without a patch, only what is said of a conversion between them
// depends on whether it is final.
func hasVersions(text []byte) bool { return bytes.Count(text, []byte("served")) > 1 }

// About notes findings about what is built.
func (b *Builds) About(findings []*lint.Finding) {
	for _, f := range findings {
		b.about[f] = true
	}
}

// Take takes those into a report that has the findings about the sources, too, at the places that wrote what they are about.
func (b *Builds) Take(all *lint.Report) {
	suppress.Merge(all, b.about, b.changes, b.drops)
	b.ToSources(all)
}

// drops reports whether there is no need to tell a finding that only the sources, or only what is built, have.
func (b *Builds) drops(f *lint.Finding) bool {
	if b.about[f] {
		b.hasPlaceholders = b.hasPlaceholders || f.Rule.ID == placeholders
		return f.Rule.ID == placeholders
	}
	mends := f.Ignored == "" && b.changes(f)
	if mends {
		b.mended++
	}
	return mends
}

// changes reports whether the source has something else than what is built where a finding is.
func (b *Builds) changes(f *lint.Finding) bool {
	file, path := b.files[f.Pos.File], f.Path
	if f.Rule.ID == "manifest-too-large" { // which is about all of the CRD, wherever it is told
		path = ""
	}
	return file != nil && file.Changes(f.Resource, path)
}

// placeholders is the rule about what a value is put in for. In a patch, that is how it is written.
const placeholders = "template-placeholder"

// Patches says in a line what became of the parts of CRDs that a report only counts, and of what patches fix; "" for nothing.
func (b *Builds) Patches(all *lint.Report, command string) string {
	judged, others := 0, 0
	for _, f := range all.LeftOut {
		if real, err := worktree.RealPath(f.Pos.File); f.Role != lint.RolePatch {
			continue
		} else if err == nil && b.patches[real] {
			judged++
		} else {
			others++
		}
	}
	var said []string
	if judged > 0 || b.mended > 0 { // a JSON patch is no part of a CRD
		what, mend := fmt.Sprintf("%d %s", judged, text.Verb(judged, "patch is", "patches are")), "and "+text.Verb(judged, "fixes", "fix")
		if judged == 0 {
			what, mend = "sources are", "which fixes"
		}
		line := fmt.Sprintf("%s checked by building %s", what, b.folders[0])
		if more := len(b.folders) - 1; more > 0 {
			line += " and " + text.Count(more, "more folder")
		}
		if b.hasPlaceholders {
			line += ", but for the values of placeholders"
		}
		if b.mended > 0 {
			line += fmt.Sprintf(", %s %s", mend, text.Count(b.mended, "finding"))
		}
		said = append(said, line)
	}
	if others > 0 {
		said = append(said, fmt.Sprintf("%d %s not checked, since %s; %s --all-files names %s",
			others, text.Verb(others, "patch is", "patches are"), cmp.Or(b.off, "no folder that crdlift builds uses "+text.Verb(others, "it", "them")), command, text.Verb(others, "it", "them")))
	}
	return strings.Join(said, "; ")
}
