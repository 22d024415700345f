package suites

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/suite"
)

// update has a finding mended by what the suite would have to say instead, where that is wanted and the same for all cases.
func (k *Kind) update(told *engine.Finding, r *suite.Result, f *suite.Failure, all []*suite.Result) {
	title := map[suite.Kind]string{suite.NotStored: "write what is stored", suite.WrongCause: "write what rejects it"}[f.Kind]
	if !slices.Contains(k.Update, f.Kind) || r.Suite.OpenShift != nil && f.Kind == suite.NotStored { // whose objects are blocks of text
		return
	}
	value, ok := r.Instead(f)
	if !ok || !suite.Agree(all, f, value) {
		return
	}
	at := f.At
	if key, _ := crd.Lookup(at, "text"); f.Expected != nil && key != nil {
		at = key
	}
	told.Fix = &engine.Fix{Title: title, Safe: true, Document: func(root *yaml.Node) bool {
		n := valueAt(root, at)
		if n == nil || layout.Aliased(root, n) {
			return false
		}
		made := crd.Clone(n)
		layout.Shape(made, value)
		if now, err := layout.Value(made); err != nil || !layout.Same(now, value) { // it is in an alias
			return false
		}
		*n = *made
		return true
	}}
}

// valueAt is the value of the key that another tree of the text has where a node is or, for one that is no key, what is there itself.
func valueAt(root, at *yaml.Node) *yaml.Node {
	for i, n := range root.Content {
		switch {
		case n.Line != at.Line || n.Column != at.Column || n.Kind != yaml.ScalarNode || n.Value != at.Value:
			if found := valueAt(n, at); found != nil {
				return found
			}
		case root.Kind == yaml.MappingNode && i%2 == 0:
			return root.Content[i+1]
		default:
			return n
		}
	}
	return nil
}
