package crds

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestTextFormats wants no format to be offered that the API server ignores as well.
func TestTextFormats(t *testing.T) {
	t.Parallel()
	offered := textFormats
	for _, format := range formatMeant {
		offered = append(offered[:len(offered):len(offered)], format)
	}
	for _, format := range offered {
		asked := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}, Format: format}}
		if ignored := validation.GetUnrecognizedFormats(asked, newest); len(ignored) > 0 {
			t.Errorf("the server ignores %s, too", format)
		}
	}
}
