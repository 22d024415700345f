package cli

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// borrowed are the edits that append versions of the old CRD. Both have to be v1, where a version has all that is its own.
func (c plannedCRD) borrowed(f *manifest.File, release int) (edits []rewrite.Edit) {
	is := c.in(f)
	if is.Version != crd.V1 || c.old.CRD.Version != crd.V1 {
		return nil
	}
	for _, state := range c.versions(release) {
		from := entryOf(c.old.CRD, state.Name)
		if from == nil || entryOf(is, state.Name) != nil {
			continue
		}
		if edit, ok := rewrite.Append(f.Documents[c.document], crd.Get(is.Node, "spec", "versions"), c.old.Document, from); ok {
			edits = append(edits, edit)
		}
	}
	return edits
}

// carried reports whether the versions of a file with borrowed ones equal those in the files that they come from.
func (c plannedCRD) carried(f, with *manifest.File, release int) bool {
	if with.Documents[c.document].Err != nil {
		return false
	}
	was, is := c.in(f), c.in(with)
	for _, state := range c.versions(release) {
		from, to := entryOf(was, state.Name), entryOf(is, state.Name)
		if from == nil {
			from = entryOf(c.old.CRD, state.Name)
		}
		if to == nil {
			continue // setVersions makes it
		}
		wanted, err := yaml11.ToJSON(from)
		got, also := yaml11.ToJSON(to)
		if err != nil || also != nil || !bytes.Equal(wanted, got) {
			return false
		}
	}
	return true
}

// setVersions sets spec.versions of a CRD to a plan's states for a release. A version that the CRD does not have any
// more is copied from the old CRD.
func setVersions(c *crd.CRD, states []plan.State, old *crd.CRD) error {
	list := crd.Get(c.Node, "spec", "versions")
	if list == nil || list.Kind != yaml.SequenceNode {
		return fmt.Errorf("it has no spec.versions; 'crdlift convert' writes one")
	}
	for _, state := range states {
		entry := entryOf(c, state.Name)
		if entry == nil {
			var err error
			if entry, err = takenOver(c, old, state.Name); err != nil {
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
		layout.Remove(entry, "deprecated")
		layout.Remove(entry, "deprecationWarning") // which goes with deprecated only
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

// takenOver is a version of the old CRD, made anew for the new one. Both have to be v1, where a version has all that is its
// own.
func takenOver(c, old *crd.CRD, name string) (*yaml.Node, error) {
	from := entryOf(old, name)
	if from == nil || old.Version != crd.V1 || c.Version != crd.V1 {
		return nil, fmt.Errorf("version %s has to stay for now, and can be copied only between v1 manifests; convert both with 'crdlift convert' first", name)
	}
	if _, err := yaml11.ToJSON(from); err != nil {
		return nil, fmt.Errorf("version %s has to stay for now, and cannot be copied: %w", name, err)
	}
	entry := crd.Clone(from)
	if layout.Expandable(entry) {
		layout.ExpandAliases(entry) // the anchors stay in the old CRD
	}
	layout.StripAnchors(entry)
	layout.Forget(entry)
	return entry, nil
}

// setFlag sets a flag of a version, which goes after another entry if it is new.
func setFlag(entry *yaml.Node, name string, value bool, behind string) {
	if is, ok := crd.BoolAt(entry, name); ok && is == value {
		return
	}
	if !layout.InsertAfter(entry, name, layout.Bool(value), behind) {
		layout.Set(entry, name, layout.Bool(value))
	}
}
