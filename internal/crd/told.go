package crd

import "github.com/crdlift/crdlift/lint"

// Told is what reports say about a CRD, without its place. Shown makes a text of the manifest one that may be shown: of a
// Helm template, it puts the actions back.
func (c *CRD) Told(shown func(string) string) lint.CRD {
	told := lint.CRD{
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
