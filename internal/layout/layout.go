// Package layout moves the fields that v1beta1 and v1 have in different places of a CustomResourceDefinition from one
// place to the other, and has the verbs that change trees. The conversion, the repairs and the fixes of rules use both;
// the writer only sees the resulting trees.
//
// Read node.go, entry.go and alias.go for the verbs, then up.go for the moves to v1 and down.go for those to v1beta1. write.go has
// documents say what an API server makes of them, with as few changes of their lines as possible; shape.go changes the tree. A
// move does nothing and returns that where the other place is taken; the caller reports it, and decides about the
// fields.
package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Field is a field that v1beta1 and v1 have in different places, by its name in either.
type Field struct{ V1beta1, V1 string }

// InSome reports whether a version has the field itself.
func (f Field) InSome(versions *yaml.Node) bool {
	return slices.ContainsFunc(crd.Items(versions), func(item *yaml.Node) bool { return crd.HasValue(item, f.V1) })
}

// These are the fields that v1beta1 has at the top level of spec, and v1 in every version.
var (
	Schema           = Field{"validation", "schema"}
	Subresources     = Field{"subresources", "subresources"}
	Columns          = Field{"additionalPrinterColumns", "additionalPrinterColumns"}
	SelectableFields = Field{"selectableFields", "selectableFields"}
)

// PerVersion are all of them, in the order in which v1 manifests list them.
var PerVersion = []Field{Schema, Subresources, Columns, SelectableFields}

// These are the fields that v1beta1 has in spec.conversion, and v1 below spec.conversion.webhook.
var (
	ClientConfig   = Field{"webhookClientConfig", "clientConfig"}
	ReviewVersions = Field{"conversionReviewVersions", "conversionReviewVersions"}
)

// OfWebhook are both of them.
var OfWebhook = []Field{ClientConfig, ReviewVersions}
