package apiserver

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// EachRoot visits the schemas of a CRD, the common one and those of its versions.
func EachRoot(spec *apiextensions.CustomResourceDefinitionSpec, visit func(root *apiextensions.JSONSchemaProps, at *field.Path)) {
	do := func(v *apiextensions.CustomResourceValidation, at *field.Path) {
		if v != nil && v.OpenAPIV3Schema != nil {
			visit(v.OpenAPIV3Schema, at.Child("openAPIV3Schema"))
		}
	}
	path := field.NewPath("spec")
	do(spec.Validation, path.Child("validation"))
	for i := range spec.Versions {
		do(spec.Versions[i].Schema, path.Child("versions").Index(i).Child("schema"))
	}
}

// EachSchema visits a schema and then those below it that ValidateCustomResourceDefinitionOpenAPISchema goes into,
// which leaves out patternProperties and additionalItems. The visitor may change them.
func EachSchema(s *apiextensions.JSONSchemaProps, at *field.Path, visit func(s *apiextensions.JSONSchemaProps, at *field.Path)) {
	if s == nil {
		return
	}
	visit(s, at)
	if s.AdditionalProperties != nil {
		EachSchema(s.AdditionalProperties.Schema, at.Child("additionalProperties"), visit)
	}
	eachMember(s.Properties, at.Child("properties"), visit)
	eachMember(s.Definitions, at.Child("definitions"), visit)
	EachSchema(s.Not, at.Child("not"), visit)
	eachElement(s.AllOf, at.Child("allOf"), visit)
	eachElement(s.OneOf, at.Child("oneOf"), visit)
	eachElement(s.AnyOf, at.Child("anyOf"), visit)
	if s.Items != nil {
		EachSchema(s.Items.Schema, at.Child("items"), visit)
		eachElement(s.Items.JSONSchemas, at.Child("items"), visit)
	}
	for name, d := range s.Dependencies {
		EachSchema(d.Schema, at.Child("dependencies").Key(name), visit)
	}
}

func eachMember(m map[string]apiextensions.JSONSchemaProps, at *field.Path, visit func(s *apiextensions.JSONSchemaProps, at *field.Path)) {
	for name, s := range m {
		EachSchema(&s, at.Key(name), visit)
		m[name] = s
	}
}

func eachElement(list []apiextensions.JSONSchemaProps, at *field.Path, visit func(s *apiextensions.JSONSchemaProps, at *field.Path)) {
	for i := range list {
		EachSchema(&list[i], at.Index(i), visit)
	}
}

// EachJunctor visits the branches of a schema's own anyOf, allOf, oneOf and not.
func EachJunctor(s *apiextensions.JSONSchemaProps, visit func(branch *apiextensions.JSONSchemaProps)) {
	for _, list := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			visit(&list[i])
		}
	}
	if s.Not != nil {
		visit(s.Not)
	}
}
