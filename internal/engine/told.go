package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// told is what reports say about the CRD, whether there are findings or not.
func (p *Pass) told() lint.CRD {
	told := p.CRD.Told(p.document, p.shown)
	if rendered(p.CRD, p.document) {
		told.Versions = nil
	}
	if old := p.old; old != nil && old.Document != nil && !rendered(old.CRD, old.Document) {
		told.Before = old.CRD.Told(old.Document, (&subject{document: old.Document}).shown).Versions
	}
	return told
}

// rendered reports whether the actions of a template decide which versions there are, or what becomes of one.
func rendered(c *crd.CRD, d *manifest.Document) bool {
	if d.File.Mask == nil {
		return false
	}
	opaque, list := d.Opaque(), crd.Get(c.Node, "spec", "versions")
	if opaque.Adds(list) || opaque.Prints(list) {
		return true
	}
	return slices.ContainsFunc(c.Versions(), func(v crd.APIVersion) bool {
		return opaque.Prints(v.At.Node) || slices.ContainsFunc([]string{"name", "served", "storage", "deprecated"}, func(key string) bool {
			return opaque.Prints(crd.Get(v.At.Node, key))
		})
	})
}
