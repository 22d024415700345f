package crd

import "github.com/crdlift/crdlift/internal/manifest"

// Parse lists the CustomResourceDefinitions of a file, in its order. Documents that do not parse have none.
func Parse(src []byte) []*CRD {
	var all []*CRD
	for _, d := range manifest.Parse("", src).Documents {
		if d.Root != nil {
			found, _ := Find(d.Root.YNode())
			all = append(all, found...)
		}
	}
	return all
}
