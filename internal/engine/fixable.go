package engine

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A fixable is a document to fix. What its findings are about is found before the first fix, and again in every tree.
type fixable struct {
	root    *yaml.Node
	crds    []*crd.CRD
	objects []*objects.Object
}

// settle makes what fixes have put off.
func (d *fixable) settle() {
	if d != nil {
		for _, o := range d.objects {
			o.Settle()
		}
	}
}

// fix makes the fix of a finding, but for what settle makes, and reports whether it does anything.
func (d *fixable) fix(f *Finding) bool {
	if f.Fix.Object != nil {
		if d.objects == nil {
			d.objects, _ = objects.Find(d.root)
		}
		return f.Fix.Object(d.objects[f.Index])
	}
	if d.crds == nil {
		d.crds, _ = crd.Find(d.root)
		for _, c := range d.crds {
			c.Changing()
		}
	}
	return f.Fix.Apply(d.crds[f.Index])
}
