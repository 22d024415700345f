package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
)

// A planned is a file of the new side that has CRDs with something to do.
type planned struct {
	in   planInput
	text []byte                   // masked for a template
	mask *template.MaskedTemplate // of a template; nil for a manifest
	crds []plannedCRD
}

// A plannedCRD is one of them.
type plannedCRD struct {
	document, index int
	releases        []plan.Release
	old             *older.CRD
}

// releaseFolder is where the manifests of a release go.
func releaseFolder(release int) string { return fmt.Sprintf("release-%d", release) }

// writeReleases writes the manifests of every release, when asked. A file whose CRDs are done before the others stays in
// the later releases as it will be.
func (p *planner) writeReleases() error {
	if p.flags.dir == "" {
		return nil
	}
	last := 0
	var inputs []run.Input
	for _, f := range p.files {
		inputs = append(inputs, f.in.Input)
		for _, c := range f.crds {
			last = max(last, len(c.releases))
		}
	}
	if err := p.refuseStale(last); err != nil || last == 0 {
		return err
	}
	written := 0
	for release := 1; release <= last; release++ {
		to, err := run.NewMirror(p.flags.dir, releaseFolder(release), inputs)
		if err != nil {
			return err
		}
		for _, f := range p.files {
			text, err := f.at(release)
			if err != nil {
				p.complain(err)
				continue
			}
			if err := to.Write(f.in.Input, text); err != nil {
				p.Fail(err)
				continue
			}
			written++
		}
	}
	fmt.Fprintf(p.Stderr, "wrote %s of %s to %s\n", text.Count(written, "manifest"), text.Count(last, "release"), text.Harmless(run.Slashed(p.flags.dir)))
	return nil
}

// refuseStale rejects a folder with manifests of an earlier plan, which anybody would take for this one's.
func (p *planner) refuseStale(last int) error {
	planned := map[string]bool{}
	for release := 1; release <= last; release++ {
		planned[filepath.Join(p.flags.dir, releaseFolder(release))] = true // what is no folder there is not written to
		for _, f := range p.files {
			planned[filepath.Join(p.flags.dir, releaseFolder(release), f.in.Mirror)] = true
		}
	}
	folders, err := os.ReadDir(p.flags.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return run.Unread(err)
	}
	first := ""
	var stale []string // folders
	for _, folder := range folders {
		if !isReleaseFolder(folder.Name()) {
			continue
		}
		root := filepath.Join(p.flags.dir, folder.Name())
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || planned[path] {
				return err
			}
			first, stale = cmp.Or(first, path), append(stale, run.Shown(root))
			return fs.SkipAll
		})
		if err != nil {
			return run.Unread(err)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	return run.UsageError(fmt.Sprintf("--write: %s is left from an earlier plan and no part of this one", run.Shown(first)),
		fmt.Sprintf("remove %s, or name another folder", text.And(stale)))
}

// isReleaseFolder reports whether releaseFolder can return a name.
func isReleaseFolder(name string) bool {
	release, is := strings.CutPrefix(name, "release-")
	_, err := strconv.Atoi(release)
	return is && err == nil
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
	var edits []rewrite.Edit
	for _, d := range parsed.Documents {
		if !changed[d.Index] {
			continue
		}
		written, err := rewrite.Of(d).Write(d.Root.YNode())
		if err != nil {
			return nil, fmt.Errorf("%s: release %d cannot be written: %w", f.in.label, release, err)
		}
		edits = append(edits, written.Edits...)
	}
	out := rewrite.Apply(parsed.Source, edits)
	if f.mask == nil {
		return out, nil
	}
	out, err := f.mask.Restore(out)
	for _, c := range f.crds {
		if err == nil && c.old != nil && c.old.Document.File.Mask.Mentions(string(out)) {
			err = errors.New("a version of the earlier template has actions that this one lacks")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: release %d cannot be written: %w", f.in.label, release, err)
	}
	return out, nil
}

// withBorrowed is the new file with the versions that a release still has and the new file has not, in the text of the old
// one. Where that is not to be had, setVersions makes the versions anew.
func (f *planned) withBorrowed(release int) *manifest.File {
	parsed := manifest.Parse(f.in.label, f.text)
	var edits []rewrite.Edit
	for _, c := range f.crds {
		edits = append(edits, c.borrowed(parsed, release)...)
	}
	if len(edits) == 0 {
		return parsed
	}
	with := manifest.Parse(f.in.label, rewrite.Apply(f.text, edits))
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

// versions returns the states of the versions in a release; nil for the last one, which has the CRD as it will be.
func (c plannedCRD) versions(release int) []plan.State {
	if release >= len(c.releases) {
		return nil
	}
	return c.releases[release-1].Versions
}
