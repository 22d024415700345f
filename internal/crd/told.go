package crd

import (
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// Told is what reports say about a CRD of a document. Shown makes a text of the manifest one that may be shown: of a Helm
// template, it puts the actions back.
func (c *CRD) Told(d *manifest.Document, shown func(string) string) lint.CRD {
	line, _ := d.Begin(c.Node)
	told := lint.CRD{
		File:       d.File.Path,
		Line:       max(line, 1), // a copy that is judged in the place of what cannot be read has none
		Document:   d.Index,
		Name:       shown(c.Name()),
		Group:      shown(StringAt(c.Node, "spec", "group")),
		Kind:       shown(StringAt(c.Node, "spec", "names", "kind")),
		APIVersion: Group + "/" + string(c.Version),
	}
	for _, v := range c.Versions() {
		told.Versions = append(told.Versions, lint.APIVersion{Name: shown(v.Name), Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated})
	}
	return told
}
