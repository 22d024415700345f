package main

import (
	"encoding/json"
	"fmt"
	"io"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// writeSchema writes upstream's OpenAPI of CustomResourceDefinition as one JSON schema, for programs that go by those.
func writeSchema(w io.Writer, version string) error {
	root := map[string]string{
		"v1": v1.CustomResourceDefinition{}.OpenAPIModelName(), "v1beta1": v1beta1.CustomResourceDefinition{}.OpenAPIModelName(),
	}[version]
	if root == "" {
		return fmt.Errorf("there is no CustomResourceDefinition of version %q", version)
	}
	const below = "#/definitions/"
	all := openapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef(below + name) })
	needed := map[string]spec.Schema{}
	need(root, all, needed)
	return json.NewEncoder(w).Encode(map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "$ref": below + root, "definitions": needed,
	})
}

// need takes over a definition and those that it depends on.
func need(name string, all map[string]common.OpenAPIDefinition, needed map[string]spec.Schema) {
	if _, done := needed[name]; done {
		return
	}
	needed[name] = all[name].Schema
	for _, other := range all[name].Dependencies {
		need(other, all, needed)
	}
}
