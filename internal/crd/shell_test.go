package crd_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestShell replaces the mappings of CRDs, as a conversion does, and looks whether the copy notices.
func TestShell(t *testing.T) {
	t.Parallel()
	const one = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}"
	for _, text := range []string{
		one,
		"kind: List\nitems: [" + one + ", " + one + "]",
		"kind: List\nx: {y: {z: &crds [" + one + "]}}\nitems: *crds",
	} {
		root := manifest.Parse("", []byte(text)).Documents[0].Root.YNode()
		copied := crd.Shell(root)
		want, _ := crd.Find(root)
		for _, c := range want {
			*c.Node = yaml.Node{Kind: yaml.MappingNode}
		}
		got, _ := crd.Find(copied)
		if len(got) == 0 || len(got) != len(want) {
			t.Errorf("%d of %d CRDs are left in the copy of\n%s", len(got), len(want), text)
		}
	}
}
