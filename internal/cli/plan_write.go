package cli

import (
	"fmt"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

// A planned is a file of the new side that has CRDs with something to do.
type planned struct {
	in   planInput
	text []byte
	crds []plannedCRD
}

// A plannedCRD is one of them.
type plannedCRD struct {
	document, index int
	releases        []plan.Release
	old             *lint.OldCRD
}

// releaseFolder is where the manifests of a release go.
func releaseFolder(dir string, release int) string {
	return filepath.Join(dir, fmt.Sprintf("release-%d", release))
}

// writeReleases writes the manifests of every release, when asked. A file whose CRDs are done before the others stays in
// the later releases as it will be.
func (p *planner) writeReleases() error {
	if p.flags.dir == "" || len(p.files) == 0 {
		return nil
	}
	last := 0
	var inputs []input
	for _, f := range p.files {
		inputs = append(inputs, f.in.input)
		for _, c := range f.crds {
			last = max(last, len(c.releases))
		}
	}
	written := 0
	for release := 1; release <= last; release++ {
		to, err := newMirror(releaseFolder(p.flags.dir, release), inputs)
		if err != nil {
			return err
		}
		for _, f := range p.files {
			text, err := f.at(release)
			if err != nil {
				p.complain(err)
				continue
			}
			if err := to.write(f.in.input, text); err != nil {
				p.fail(err)
				continue
			}
			written++
		}
		to.close()
	}
	fmt.Fprintf(p.stderr, "wrote %s of %s to %s\n", wording.Count(written, "manifest"), wording.Count(last, "release"), harmless(slashed(p.flags.dir)))
	return nil
}

// at is the file as a release ships it.
func (f *planned) at(release int) ([]byte, error) {
	parsed := f.withBorrowed(release)
	changed := map[int]bool{}
	for _, c := range f.crds {
		states := c.versions(release)
		if states == nil {
			continue // it is done: the manifest is the new one
		}
		is := c.in(parsed)
		if err := setVersions(is, states, c.old.CRD); err != nil {
			return nil, fmt.Errorf("%s: release %d of %s cannot be written: %w", f.in.label, release, is.Name(), err)
		}
		changed[c.document] = true
	}
	var edits []manifest.Edit
	for _, d := range parsed.Documents {
		if !changed[d.Index] {
			continue
		}
		e, _, err := d.Edits()
		if err != nil {
			return nil, fmt.Errorf("%s: release %d cannot be written: %w", f.in.label, release, err)
		}
		edits = append(edits, e...)
	}
	return manifest.Apply(parsed.Source, edits), nil
}

// withBorrowed is the new file with the versions that a release still has and the new file has not, in the text of the old
// one. Where that is not to be had, setVersions makes the versions anew.
func (f *planned) withBorrowed(release int) *manifest.File {
	parsed := manifest.Parse(f.in.label, f.text)
	var edits []manifest.Edit
	for _, c := range f.crds {
		edits = append(edits, c.borrowed(parsed, release)...)
	}
	if len(edits) == 0 {
		return parsed
	}
	with := manifest.Parse(f.in.label, manifest.Apply(f.text, edits))
	for _, c := range f.crds {
		if !c.carried(parsed, with, release) {
			return parsed
		}
	}
	return with
}

// in is the CRD in its file.
func (c plannedCRD) in(f *manifest.File) *crd.CRD {
	found, _ := crd.Find(f.Documents[c.document].Root.YNode())
	return found[c.index]
}

// versions are what a release says of the versions; nil for one that has the CRD as it will be.
func (c plannedCRD) versions(release int) []plan.State {
	if release >= len(c.releases) {
		return nil
	}
	return c.releases[release-1].Versions
}
