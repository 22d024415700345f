package crd

import (
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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

// parseJSON is the tree of JSON; a null where it does not parse.
func parseJSON(raw []byte) *yaml.Node {
	for _, d := range manifest.Parse("", raw).Documents {
		if d.Root != nil {
			return d.Root.YNode()
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
}
