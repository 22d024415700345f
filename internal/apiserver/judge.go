// Package apiserver says what an API server would answer when a CustomResourceDefinition is created: for v1 by
// upstream's own validation, for v1beta1 by the rules of Kubernetes 1.21, the last release that served it.
//
// Verdicts speak of upstream's internal type; crd.CRD.Locate finds the node that the user wrote.
package apiserver

import (
	"context"
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Verdict is the answer to a create request. The request is accepted when there is neither an error nor a panic.
type Verdict struct {
	Errors field.ErrorList // at paths of the internal type
	Panic  string          // what upstream's validation panicked with; the server answers 500
}

// Accepted says whether the object would be created.
func (v Verdict) Accepted() bool { return len(v.Errors) == 0 && v.Panic == "" }

// OnCreate judges a decoded CRD as the server of its API version would on create. The object is not changed.
func OnCreate(hub *apiextensions.CustomResourceDefinition, version crd.Version) (verdict Verdict) {
	defer func() {
		// some inputs crash upstream: a selectableFields path through `additionalProperties: true`, for one
		if p := recover(); p != nil {
			verdict.Panic = fmt.Sprint(p)
		}
	}()
	obj := hub.DeepCopy()
	prepareForCreate(obj)
	if version == crd.V1beta1 {
		return Verdict{Errors: validateV1beta1(obj)}
	}
	return Verdict{Errors: validation.ValidateCustomResourceDefinition(context.Background(), obj)}
}

// prepareForCreate does what the strategy's PrepareForCreate and rest.BeforeCreate do to the fields that validation
// looks at.
func prepareForCreate(obj *apiextensions.CustomResourceDefinition) {
	obj.Status = apiextensions.CustomResourceDefinitionStatus{}
	obj.Generation = 1
	obj.Namespace = ""
	for _, v := range obj.Spec.Versions {
		if v.Storage {
			obj.Status.StoredVersions = []string{v.Name}
			break
		}
	}
}

// validateV1beta1 asks upstream's update validation, which tolerates what the stored object already has: against an
// object that has all that 1.21 let through on create by v1beta1 (a version without schema, unknown types, a schema
// that is not structural, preserveUnknownFields: true), the tolerance is that of v1beta1. What v1beta1 refuses beyond
// that is added.
func validateV1beta1(obj *apiextensions.CustomResourceDefinition) field.ErrorList {
	forgetNewerFields(obj)
	errs := apivalidation.ValidateObjectMeta(&obj.ObjectMeta, false, func(name string, prefix bool) []string {
		msgs := apivalidation.NameIsDNSSubdomain(name, prefix)
		if name != obj.Spec.Names.Plural+"."+obj.Spec.Group {
			msgs = append(msgs, `must be spec.names.plural+"."+spec.group`)
		}
		return msgs
	}, field.NewPath("metadata"))
	errs = append(errs, defaultsRefused(obj)...)

	obj.ObjectMeta.ResourceVersion = "1" // an update without one is refused
	old := tolerated(obj)
	for _, err := range validation.ValidateCustomResourceDefinitionUpdate(context.Background(), obj, old) {
		if len(err.Field) < len("metadata") || err.Field[:len("metadata")] != "metadata" {
			errs = append(errs, err)
		}
	}
	return errs
}

// tolerated is an object that has been stored with everything that v1beta1 lets through.
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

// defaultsRefused reports defaults as 1.21 does on create by v1beta1 (validateCustomResourceDefinitionOpenAPISchema
// with allowDefaults off).
func defaultsRefused(obj *apiextensions.CustomResourceDefinition) field.ErrorList {
	var errs field.ErrorList
	visit := func(validation *apiextensions.CustomResourceValidation, path *field.Path) {
		if validation != nil && hasDefault(validation.OpenAPIV3Schema) {
			errs = append(errs, field.Forbidden(path.Child("openAPIV3Schema", "default"),
				"must not be set (cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)"))
		}
	}
	spec := field.NewPath("spec")
	visit(obj.Spec.Validation, spec.Child("validation"))
	for i, v := range obj.Spec.Versions {
		visit(v.Schema, spec.Child("versions").Index(i).Child("schema"))
	}
	return errs
}

func hasDefault(s *apiextensions.JSONSchemaProps) bool {
	return validation.SchemaHas(s, func(s *apiextensions.JSONSchemaProps) bool { return s.Default != nil })
}

// forgetNewerFields drops what 1.21 had no field for. Decoding dropped it there.
func forgetNewerFields(obj *apiextensions.CustomResourceDefinition) {
	obj.Spec.SelectableFields = nil
	forget := func(validation *apiextensions.CustomResourceValidation) {
		if validation != nil {
			forgetRules(validation.OpenAPIV3Schema)
		}
	}
	forget(obj.Spec.Validation)
	for i := range obj.Spec.Versions {
		obj.Spec.Versions[i].SelectableFields = nil
		forget(obj.Spec.Versions[i].Schema)
	}
}

func forgetRules(s *apiextensions.JSONSchemaProps) {
	if s == nil {
		return
	}
	s.XValidations = nil
	for _, m := range []map[string]apiextensions.JSONSchemaProps{s.Properties, s.PatternProperties, s.Definitions} {
		for k, v := range m {
			forgetRules(&v)
			m[k] = v
		}
	}
	for _, list := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			forgetRules(&list[i])
		}
	}
	forgetRules(s.Not)
	if s.Items != nil {
		forgetRules(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		forgetRules(s.AdditionalProperties.Schema)
	}
}
