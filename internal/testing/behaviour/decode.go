package behaviour

import (
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// Decode reads the CRDs of one file as the API server does, defaulted in their own API version: the internal type and, for
// each, the API version it was written in. Documents that are not CRDs are passed over.
func Decode(file []byte) (crds []*apiextensions.CustomResourceDefinition, versions []string, err error) {
	for _, c := range crd.Parse(file) {
		decoded, err := c.Decode()
		if err != nil {
			return crds, versions, err
		}
		crds = append(crds, decoded.Hub)
		versions = append(versions, crd.Group+"/"+string(c.Version))
	}
	return crds, versions, nil
}
