package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
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

// writeSchemas writes the schemas that files of one v1 CRD each have for their objects into a folder, as
// GROUP-KIND-VERSION.json. Like kubeconform's own script (openapi2jsonschema.py), it forbids what is not declared.
func writeSchemas(files []string, dir string) error {
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var crd v1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(src, &crd); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, version := range crd.Spec.Versions {
			closed(version.Schema.OpenAPIV3Schema)
			schema, err := json.Marshal(version.Schema.OpenAPIV3Schema)
			if err != nil {
				return err
			}
			name := fmt.Sprintf("%s-%s-%s.json", crd.Spec.Group, strings.ToLower(crd.Spec.Names.Kind), version.Name)
			if err := os.WriteFile(filepath.Join(dir, name), schema, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// closed forbids properties that are not declared, wherever a server would drop them.
func closed(s *v1.JSONSchemaProps) {
	if len(s.Properties) > 0 && s.AdditionalProperties == nil && s.XPreserveUnknownFields == nil {
		s.AdditionalProperties = &v1.JSONSchemaPropsOrBool{}
	}
	for name, property := range s.Properties {
		closed(&property)
		s.Properties[name] = property
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		closed(s.AdditionalProperties.Schema)
	}
	if s.Items != nil && s.Items.Schema != nil {
		closed(s.Items.Schema)
	}
}
