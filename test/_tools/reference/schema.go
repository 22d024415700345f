package main

import (
	"encoding/json"
	"errors"
	"fmt"
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

// writeSchemas writes JSON schemas into a folder for programs that go by those, as GROUP-KIND-VERSION.json: of
// CustomResourceDefinition, and of the objects of the v1 CRDs in the files of another folder, one each. Like kubeconform's own
// script (openapi2jsonschema.py), the latter forbid what is not declared.
func writeSchemas(dir, crds string) error {
	all := openapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef(definitions + name) })
	err := errors.Join(os.MkdirAll(dir, 0o755),
		write(dir, "apiextensions.k8s.io-customresourcedefinition-v1", whole(v1.CustomResourceDefinition{}.OpenAPIModelName(), all)),
		write(dir, "apiextensions.k8s.io-customresourcedefinition-v1beta1", whole(v1beta1.CustomResourceDefinition{}.OpenAPIModelName(), all)))
	files, _ := filepath.Glob(filepath.Join(crds, "*.yaml")) // the pattern is right
	for _, path := range files {
		src, unread := os.ReadFile(path)
		var crd v1.CustomResourceDefinition
		if err := errors.Join(err, unread, yaml.UnmarshalStrict(src, &crd)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, version := range crd.Spec.Versions {
			closed(version.Schema.OpenAPIV3Schema)
			name := fmt.Sprintf("%s-%s-%s", crd.Spec.Group, strings.ToLower(crd.Spec.Names.Kind), version.Name)
			err = errors.Join(err, write(dir, name, version.Schema.OpenAPIV3Schema))
		}
	}
	return err
}

func write(dir, name string, schema any) error {
	text, err := json.Marshal(schema)
	return errors.Join(err, os.WriteFile(filepath.Join(dir, name+".json"), text, 0o644))
}

const definitions = "#/definitions/"

// whole is a definition of OpenAPI as one JSON schema.
func whole(root string, all map[string]common.OpenAPIDefinition) any {
	needed := map[string]spec.Schema{}
	need(root, all, needed)
	return map[string]any{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": definitions + root, "definitions": needed}
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
