// Package apply knows what server-side apply needs to know of the custom resources of one CRD: of which type each value is,
// whose it is, and what two of them make together. It is upstream's field manager with what a server of custom resources
// gives it; the order of steps around it, validation among them, is that of internal/request.
//
// types.go has the types, metadata.go those of metadata, and managers.go the field managers. client.go has the patches of clients that
// apply without it.
package apply

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Types are those of the values of custom resources, for each version of a CRD. See buildOpenAPIModelsForApply of
// k8s.io/apiextensions-apiserver/pkg/apiserver: what that takes of controller/openapi/builder is repeated here, as the
// package has all of Kubernetes' own types with it, which nothing else needs.
type Types struct {
	managedfields.TypeConverter
	kind schema.GroupKind
}

// NewTypes makes the types for the schemas of versions, of which a schema may be nil. Keeps is preserveUnknownFields of the CRD. The
// error is one that no CRD has which a server accepts.
func NewTypes(kind schema.GroupKind, schemas map[string]*apiextensions.JSONSchemaProps, keeps bool) (*Types, error) {
	models := map[string]*spec.Schema{metadataModel: ObjectMeta()}
	for version, s := range schemas {
		model := newModel(s)
		model.AddExtension("x-kubernetes-group-version-kind", []any{
			map[string]any{"group": kind.Group, "version": version, "kind": kind.Kind},
		})
		models["version "+version] = model
	}
	converter, err := managedfields.NewTypeConverter(models, keeps)
	return &Types{converter, kind}, err
}

// Of returns the type of the objects of a version, and the schema that has the types which it names. The version must be one of
// those that the types were made for.
func (t *Types) Of(version string) (*smdschema.Schema, smdschema.TypeRef, error) {
	empty := &unstructured.Unstructured{}
	empty.SetGroupVersionKind(t.kind.WithVersion(version))
	typed, err := t.ObjectToTyped(empty)
	if err != nil {
		return nil, smdschema.TypeRef{}, fmt.Errorf("version %s has no type: %w", version, err)
	}
	return typed.Schema(), typed.TypeRef(), nil
}

// newModel is the schema of a version with what all objects have, as buildKubeNative of controller/openapi/builder makes it. Objects
// may hold anything where the schema is not structural.
func newModel(s *apiextensions.JSONSchemaProps) *spec.Schema {
	open := new(spec.Schema).Typed("object", "")
	if s == nil || validation.SchemaHasInvalidTypes(s) {
		return open
	}
	structural, err := structuralschema.NewStructural(s)
	if err != nil || len(structuralschema.ValidateStructural(nil, structural)) > 0 {
		return open
	}
	model := structural.Unfold().ToKubeOpenAPI()
	addNative(model)
	addEmbedded(model)
	return model
}

// addNative declares what every object has.
func addNative(s *spec.Schema) {
	s.SetProperty("apiVersion", *spec.StringProperty())
	s.SetProperty("kind", *spec.StringProperty())
	s.SetProperty("metadata", *spec.RefSchema(metadataModel))
}

// addEmbedded declares in embedded resources what every object has. See addEmbeddedProperties of controller/openapi/builder.
func addEmbedded(s *spec.Schema) {
	if s == nil {
		return
	}
	for name, property := range s.Properties {
		addEmbedded(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		addEmbedded(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		addEmbedded(s.AdditionalProperties.Schema)
	}
	if embedded, _ := s.Extensions.GetBool("x-kubernetes-embedded-resource"); embedded {
		addNative(s)
	}
}
