package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/internal/yaml11"
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
	parsed := manifest.Parse(f.in.label, f.text)
	changed := map[int]bool{}
	for _, c := range f.crds {
		if release >= len(c.releases) {
			continue // it is done: the manifest is the new one
		}
		d := parsed.Documents[c.document]
		found, _ := crd.Find(d.Root.YNode())
		if err := setVersions(found[c.index], c.releases[release-1].Versions, c.old.CRD); err != nil {
			return nil, fmt.Errorf("%s: release %d of %s cannot be written: %w", f.in.label, release, found[c.index].Name(), err)
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
	return manifest.Apply(f.text, edits), nil
}

// setVersions makes spec.versions of a CRD say what a plan has for a release. A version that it does not have any more is
// taken from the old CRD.
func setVersions(c *crd.CRD, states []plan.State, old *crd.CRD) error {
	list := crd.Get(c.Node, "spec", "versions")
	if list == nil || list.Kind != yaml.SequenceNode {
		return fmt.Errorf("it has no spec.versions; 'crdlift convert' writes one")
	}
	for _, state := range states {
		entry := entryOf(c, state.Name)
		if entry == nil {
			var err error
			if entry, err = borrowed(c, old, state.Name); err != nil {
				return err
			}
			list.Content = append(list.Content, entry)
		}
		setFlag(entry, "served", state.Served, "name")
		setFlag(entry, "storage", state.Storage, "served")
		if state.Deprecated {
			setFlag(entry, "deprecated", true, "storage")
			continue
		}
		repair.Remove(entry, "deprecated")
		repair.Remove(entry, "deprecationWarning") // which goes with deprecated only
	}
	return nil
}

func entryOf(c *crd.CRD, name string) *yaml.Node {
	for _, v := range c.Versions() {
		if v.Name == name && v.At.Path != "spec.version" {
			return crd.Deref(v.At.Node)
		}
	}
	return nil
}

// borrowed is a version of the old CRD, to be put into the new one. Both have to be v1, where a version has all that is
// its own.
func borrowed(c, old *crd.CRD, name string) (*yaml.Node, error) {
	from := entryOf(old, name)
	if from == nil || old.Version != crd.V1 || c.Version != crd.V1 {
		return nil, fmt.Errorf("version %s has to stay for now, and can be taken over between v1 manifests only; convert both with 'crdlift convert' first", name)
	}
	if _, err := yaml11.ToJSON(from); err != nil {
		return nil, fmt.Errorf("version %s has to stay for now, and cannot be taken over: %w", name, err)
	}
	entry := crd.Clone(from)
	if repair.Expandable(entry) {
		repair.ExpandAliases(entry) // the anchors stay behind
	}
	repair.StripAnchors(entry)
	return entry, nil
}

// setFlag sets a flag of a version, which goes behind another entry if it is new.
func setFlag(entry *yaml.Node, name string, value bool, behind string) {
	if is, ok := crd.BoolAt(entry, name); ok && is == value {
		return
	}
	repair.Remove(entry, name)
	at := len(entry.Content)
	for i := 0; i < len(entry.Content); i += 2 {
		if entry.Content[i].Value == behind {
			at = i + 2
		}
	}
	entry.Content = slices.Insert(entry.Content, at, repair.String(name), repair.Bool(value))
}
