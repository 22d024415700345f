package crd

import (
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// DecodeSchema reads one schema as the API server holds it, without the CRD around it. Both API versions write schemas
// the same way.
func DecodeSchema(n *yaml.Node) (out *apiextensions.JSONSchemaProps, err error) {
	defer crashed(&err)
	if out = new(apiextensions.JSONSchemaProps); n != nil && decodeNodes(n, out) {
		return out, nil
	}
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	var in v1.JSONSchemaProps
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &in); err != nil {
		return nil, err
	}
	out = new(apiextensions.JSONSchemaProps)
	return out, scheme.Convert(&in, out, nil)
}
