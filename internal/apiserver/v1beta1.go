package apiserver

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateV1beta1 finds the errors that ValidateCustomResourceDefinition of v0.21.14 finds in a request through
// v1beta1, by means of today's validation of an update, which tolerates errors of the stored object. Against an object
// that has everything that v1beta1 accepted on create, its tolerance is that of v1beta1. What remains different is made
// equal by hand, before (fields and schemas) and after (defaults). The object is changed.
func validateV1beta1(obj *apiextensions.CustomResourceDefinition) field.ErrorList {
	forgetNewerFields(obj)
	structural := RequiresStructural(&obj.Spec)
	EachRoot(&obj.Spec, func(root *apiextensions.JSONSchemaProps, _ *field.Path) {
		hideFromStructural(root)
		if structural {
			forbidClosedJunctors(root)
		}
	})

	errs := validateMetadata(obj)
	refused := refuseDefaults(&obj.Spec)
	obj.ResourceVersion = "1" // an update without one is rejected
	for _, err := range validation.ValidateCustomResourceDefinitionUpdate(context.Background(), obj, tolerated(obj)) {
		if strings.HasPrefix(err.Field, "metadata") || becauseOfDefaults(err, structural, refused) {
			continue
		}
		if name := rowOf(err).name; name == DefaultOfMetadata || name == DefaultOfMetadataValues {
			delete(refused, err.Field) // it is forbidden there for another reason already
		}
		errs = append(errs, err)
	}
	for _, path := range slices.Sorted(maps.Keys(refused)) {
		errs = append(errs, refused[path])
	}
	return errs
}

// validateMetadata validates the metadata as a create does. An update validates less.
func validateMetadata(obj *apiextensions.CustomResourceDefinition) field.ErrorList {
	return apivalidation.ValidateObjectMeta(&obj.ObjectMeta, false, func(name string, prefix bool) []string {
		msgs := apivalidation.NameIsDNSSubdomain(name, prefix)
		if name != obj.Spec.Names.Plural+"."+obj.Spec.Group {
			msgs = append(msgs, `must be spec.names.plural+"."+spec.group`)
		}
		return msgs
	}, field.NewPath("metadata"))
}

// tolerated is an object that has been stored with everything that v1beta1 lets through: a version without schema,
// preserveUnknownFields: true, an unknown type, a schema that is not structural. Metadata is the new object's, which
// spares it the approval of protected groups. See validationOptions in ValidateCustomResourceDefinitionUpdate.
func tolerated(obj *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	preserve := true
	old := &apiextensions.CustomResourceDefinition{ObjectMeta: obj.ObjectMeta}
	old.Spec.Group, old.Spec.Names, old.Spec.Scope = obj.Spec.Group, obj.Spec.Names, obj.Spec.Scope
	old.Spec.PreserveUnknownFields = &preserve
	old.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{
		{Name: "without-schema"},
		{Name: "not-structural", Schema: &apiextensions.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "unknown"},
		}},
	}
	old.Status.StoredVersions = obj.Status.StoredVersions
	return old
}

// RequiresStructural reports whether validateCustomResourceDefinitionSpec of 1.21 asks for structural schemas: where unknown
// fields are pruned, or any schema has an extension of Kubernetes (specHasKubernetesExtensions; x-kubernetes-map-type
// is not among them). Defaults do too, but not where they are rejected.
func RequiresStructural(spec *apiextensions.CustomResourceDefinitionSpec) bool {
	if spec.PreserveUnknownFields == nil || !*spec.PreserveUnknownFields {
		return true
	}
	return validation.HasSchemaWith(spec, func(root *apiextensions.JSONSchemaProps) bool {
		return validation.SchemaHas(root, func(s *apiextensions.JSONSchemaProps) bool {
			return s.XEmbeddedResource || s.XPreserveUnknownFields != nil || s.XIntOrString ||
				len(s.XListMapKeys) > 0 || s.XListType != nil
		})
	})
}

// refuseDefaults reports defaults at their paths, as specStandardValidatorV3.validate does with allowDefaults off: on
// create through v1beta1. Today's validation always allows them.
func refuseDefaults(spec *apiextensions.CustomResourceDefinitionSpec) map[string]*field.Error {
	refused := map[string]*field.Error{}
	EachRoot(spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
		EachSchema(root, at, func(s *apiextensions.JSONSchemaProps, at *field.Path) {
			if s.Default != nil {
				err := field.Forbidden(at.Child("default"), "must not be set "+
					"(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)")
				refused[err.Field] = err
			}
		})
	})
	return refused
}

// becauseOfDefaults reports whether an error is there only since today's validation allows defaults: it then asks for
// pruning and for structural schemas, in which it looks at the values of defaults, and does not see that a schema is
// rejected already, beside which NewStructural's errors are not reported.
func becauseOfDefaults(err *field.Error, structural bool, refused map[string]*field.Error) bool {
	r := rowOf(err)
	switch {
	case r.name == DefaultWithoutPruning:
		return true
	case !structural:
		return r.name.isUnsupported() || r.section == inStructure || r.section == inJunctors || r.section == inDefaults
	case r.name.isUnsupported():
		for path := range refused {
			if strings.HasPrefix(path, err.Field+".") {
				return true
			}
		}
	}
	return false
}

// forgetNewerFields drops what 1.21 had no field for. Decoding dropped it there.
func forgetNewerFields(obj *apiextensions.CustomResourceDefinition) {
	for i := range obj.ManagedFields {
		obj.ManagedFields[i].Subresource = ""
	}
	obj.Spec.SelectableFields = nil
	for i := range obj.Spec.Versions {
		obj.Spec.Versions[i].SelectableFields = nil
	}
	EachRoot(&obj.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
		EachSchema(root, at, func(s *apiextensions.JSONSchemaProps, _ *field.Path) { s.XValidations = nil })
	})
}

// hideFromStructural takes what NewStructural of 0.21 did not keep from schemas that are compared with what they have to be:
// from the root's metadata, and from the alternatives of an integer or string (see validateStructuralInvariants, which knows
// these by their types, whatever the schema around them is). It goes to the schema around them, where it still tells two
// schemas apart and nothing else looks at it.
func hideFromStructural(root *apiextensions.JSONSchemaProps) {
	EachSchema(root, nil, func(s *apiextensions.JSONSchemaProps, _ *field.Path) {
		for i := range s.AnyOf { // isIntOrStringAnyOfPattern
			hideIn(s, &s.AnyOf[i])
		}
		if len(s.AllOf) > 0 { // isIntOrStringAllOfPattern
			for i := range s.AllOf[0].AnyOf {
				hideIn(s, &s.AllOf[0].AnyOf[i])
			}
		}
	})
	if metadata, ok := root.Properties["metadata"]; ok {
		hideIn(root, &metadata)
		root.Properties["metadata"] = metadata
	}
}

// hideIn moves the example and the documentation of a schema into the example of another one.
func hideIn(around, s *apiextensions.JSONSchemaProps) {
	if s.Example == nil && s.ExternalDocs == nil {
		return
	}
	value := func(v *apiextensions.JSON) any {
		if v == nil {
			return nil
		}
		return *v
	}
	var docs any
	if d := s.ExternalDocs; d != nil {
		docs = []any{d.Description, d.URL}
	}
	var example apiextensions.JSON = []any{value(around.Example), value(s.Example), docs} // JSON, so that it can be copied
	around.Example, s.Example, s.ExternalDocs = &example, nil, nil
}

// forbidClosedJunctors turns `additionalProperties: false` in anyOf, allOf, oneOf and not into an equivalent that
// structural schemas may not have there. In 0.21 they could not have false either; NewStructural takes it for absent
// since (newNestedValueValidation).
func forbidClosedJunctors(root *apiextensions.JSONSchemaProps) {
	nothing := &apiextensions.JSONSchemaProps{Not: &apiextensions.JSONSchemaProps{}}
	EachSchema(root, nil, func(s *apiextensions.JSONSchemaProps, _ *field.Path) {
		EachJunctor(s, func(branch *apiextensions.JSONSchemaProps) {
			EachSchema(branch, nil, func(s *apiextensions.JSONSchemaProps, _ *field.Path) {
				if a := s.AdditionalProperties; a != nil && !a.Allows {
					s.AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: nothing}
				}
			})
		})
	})
}
