package kustomize

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
)

// IsChanged reports whether one of the CRDs is not built as it is written.
func (f *File) IsChanged() bool {
	return slices.ContainsFunc(f.crds, func(c *crd.CRD) bool {
		base, _ := f.sources.cutOf(c, f.Path)
		return base == nil || !equal(base.crd.Node, c.Node)
	})
}

// Changes reports whether the CRD of a name in the file is built with something else than it has at a path.
func (f *File) Changes(name, path string) bool {
	steps := crd.Steps(path)
	for i, c := range f.crds {
		if base, _ := f.sources.cutOf(c, f.Path); base != nil && base.crd.Name() == name {
			if !differAt(base.crd, c, steps) {
				return false
			}
			whole, _ := f.sources.of(c, f.Path) // what was moved has another placeholder
			return differAt(whole.crd, f.crd(i), steps)
		}
	}
	return false
}

// differAt reports whether two CRDs have something else at the end of steps, or where these stop.
func differAt(a, b *crd.CRD, steps []string) bool {
	was, complete := a.Resolve(steps)
	now, still := b.Resolve(steps)
	return complete != still || was.Path != now.Path || !equal(was.Node, now.Node)
}

// ChangesAny reports whether a CRD of the file is built with something else than it has at a path.
func (f *File) ChangesAny(path string) bool {
	return slices.ContainsFunc(f.crds, func(c *crd.CRD) bool { return f.Changes(c.Name(), path) })
}

// equal reports whether two trees have the same values. A JSON patch sorts the keys of all mappings.
func equal(a, b *yaml.Node) bool {
	a, b = crd.Deref(a), crd.Deref(b)
	switch {
	case a == nil || b == nil:
		return a == b
	case !same(a, b) || a.Tag != b.Tag && a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content):
		return false
	case a.Kind != yaml.MappingNode:
		return slices.EqualFunc(a.Content, b.Content, equal)
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		value := b.Content[i+1]
		if key := a.Content[i].Value; key != b.Content[i].Value {
			_, value = crd.Lookup(b, key)
		}
		if !equal(a.Content[i+1], value) {
			return false
		}
	}
	return true
}
