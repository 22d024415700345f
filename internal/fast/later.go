package fast

import (
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Settled returns a CRD of v1beta1 without three things that v1 rejects in many: unknown fields are pruned, a CRD without
// schemas has one that keeps everything, and roots have their type. Where a v1 server accepts the copy, one of v1beta1
// accepts the CRD. The copy shares the schemas and is nil where that does not hold, since v1beta1 rejects something that v1
// takes, and where v1 most likely rejects it.
func Settled(hub *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	settled := *hub
	spec := &settled.Spec
	prunes := spec.PreserveUnknownFields != nil && !*spec.PreserveUnknownFields
	if !prunes && spec.Conversion != nil && spec.Conversion.Strategy != apiextensions.NoneConverter || len(spec.SelectableFields) > 0 {
		return nil // v1beta1 wants pruning for a webhook, and does not know the others
	}
	schemas, untyped := 0, 0
	promising := true
	apiserver.EachRoot(spec, func(root *apiextensions.JSONSchemaProps, _ *field.Path) {
		schemas++
		typed := *root
		if typed.Type == "" && typed.Format == "" {
			untyped++
			typed.Type = "object"
			promising = promising && root.XMapType == nil // which v1beta1 wants a type for
		}
		promising = promising && isPromising(&typed, false)
	})
	for _, v := range spec.Versions {
		promising = promising && len(v.SelectableFields) == 0 && (schemas > 0 || v.Schema == nil)
	}
	if !promising || schemas == 0 && prunes || untyped > 0 && apiserver.RequiresStructural(spec) {
		return nil
	}
	pruned, all := false, true
	spec.PreserveUnknownFields = &pruned
	switch {
	case schemas == 0:
		spec.Validation = &apiextensions.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &all},
		}
	case untyped > 0:
		withRootTypes(spec)
	}
	return &settled
}

// withRootTypes gives the roots of schemas their type, in copies.
func withRootTypes(spec *apiextensions.CustomResourceDefinitionSpec) {
	typed := func(v *apiextensions.CustomResourceValidation) *apiextensions.CustomResourceValidation {
		if v == nil || v.OpenAPIV3Schema == nil || v.OpenAPIV3Schema.Type != "" {
			return v
		}
		root := *v.OpenAPIV3Schema
		root.Type = "object"
		return &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &root}
	}
	spec.Validation = typed(spec.Validation)
	spec.Versions = slices.Clone(spec.Versions)
	for i := range spec.Versions {
		spec.Versions[i].Schema = typed(spec.Versions[i].Schema)
	}
}

// isPromising reports whether v1 may accept a schema, and v1beta1 then does: it has a type wherever v1 asks for one, and
// neither defaults, nor rules, nor a mark that is false, nor `additionalProperties: false` in a junctor (see
// forbidClosedJunctors). It makes no garbage, as visitors of properties do.
func isPromising(s *apiextensions.JSONSchemaProps, inJunctor bool) bool {
	marked := s.XPreserveUnknownFields != nil
	if s.Default != nil || len(s.XValidations) > 0 || marked && !*s.XPreserveUnknownFields || !inJunctor && s.Type == "" && !s.XIntOrString && !marked {
		return false
	}
	if more := s.AdditionalProperties; more != nil && (inJunctor && !more.Allows || more.Schema != nil && !isPromising(more.Schema, inJunctor)) {
		return false
	}
	for name := range s.Properties {
		if member := s.Properties[name]; !isPromising(&member, inJunctor) {
			return false
		}
	}
	if s.Items != nil && s.Items.Schema != nil && !isPromising(s.Items.Schema, inJunctor) || s.Not != nil && !isPromising(s.Not, true) {
		return false
	}
	for _, branches := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			if !isPromising(&branches[i], true) {
				return false
			}
		}
	}
	return true
}

// isApproval reports whether an error is about the approval of a protected group, which v1beta1 does not ask for.
func isApproval(err *field.Error) bool {
	row, _ := apiserver.Classify(err)
	return row == apiserver.ApprovalMissing
}
