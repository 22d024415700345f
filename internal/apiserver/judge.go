// Package apiserver predicts an API server's answer when a CustomResourceDefinition is created: for v1 by
// upstream's own validation, for v1beta1 by the rules of Kubernetes 1.21, the last release that served it.
//
// Verdicts speak of upstream's internal type; crd.CRD.Locate finds the node that the user wrote. It does not cover
// checks outside of validation: admission, name conflicts, limits of the request's size. It takes no shortcut: those are in
// package fast, which gives the same answers.
//
// Read judge.go first: the verdict on a create; update.go has that on an update, and v1beta1.go the rules of 1.21. rows.go names
// the errors, with the rule for each, in the terms of rule.go. foresee.go asks again after the errors are corrected, which
// mend.go does.
package apiserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"
)

// A Verdict is the response to a create request. The request is accepted when there is neither an error nor a panic.
type Verdict struct {
	Errors field.ErrorList // at paths of the internal type
	Panic  string          // what upstream's validation panicked with; the server answers 500
}

// Accepted reports whether the object would be created.
func (v Verdict) Accepted() bool { return len(v.Errors) == 0 && v.Panic == "" }

// OnCreate validates a decoded CRD as the server of its API version would on create. The object is not changed.
func OnCreate(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict {
	return judge(hub, func() field.ErrorList {
		if version == crd.V1beta1 {
			obj := hub.DeepCopy()
			prepareForCreate(obj)
			return validateV1beta1(obj)
		}
		obj := copyForValidation(hub)
		prepareForCreate(obj)
		return validation.ValidateCustomResourceDefinition(context.Background(), obj)
	})
}

// judge makes a verdict of upstream's validation of an object.
func judge(hub *apiextensions.CustomResourceDefinition, validate func() field.ErrorList) (verdict Verdict) {
	defer func() {
		// some inputs crash upstream: a selectableFields path through `additionalProperties: true`, for one
		if p := recover(); p != nil {
			verdict.Panic = fmt.Sprint(p)
		}
	}()
	errs := validate()
	for _, err := range errs {
		unswap(err)
	}
	return Verdict{Errors: steady(errs, hub)}
}

// copyForValidation copies what validation changes: hardly ever more than prepareForCreate does. Only the metadata of an
// embedded resource is brought into shape (objectmeta.Coerce), where a default holds one. To copy all takes 8% of lint's time.
func copyForValidation(hub *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	embedded := func(s *apiextensions.JSONSchemaProps) bool { return s.XEmbeddedResource }
	if validation.HasSchemaWith(&hub.Spec, func(root *apiextensions.JSONSchemaProps) bool {
		return root.Default != nil || validation.SchemaHas(root, embedded)
	}) {
		return hub.DeepCopy()
	}
	obj := *hub
	return &obj
}

// prepareForCreate does what the strategy's PrepareForCreate and rest.BeforeCreate do to the fields that validation
// looks at.
func prepareForCreate(obj *apiextensions.CustomResourceDefinition) {
	obj.Status = apiextensions.CustomResourceDefinitionStatus{}
	obj.Generation = 1
	obj.Namespace = ""
	obj.DeletionTimestamp, obj.DeletionGracePeriodSeconds = nil, nil
	if storage, err := apiextensions.GetCRDStorageVersion(obj); err == nil {
		obj.Status.StoredVersions = []string{storage}
	}
}

// unswap corrects the path of an error about a webhook's service. validateCustomResourceConversion passes name and
// namespace in the wrong order to ValidateWebhookService, in 0.21 and 0.37, so that each is reported as the other.
func unswap(err *field.Error) {
	const service = "spec.conversion.webhookClientConfig.service."
	switch name, _ := strings.CutPrefix(err.Field, service); name {
	case "name":
		err.Field = service + "namespace"
	case "namespace":
		err.Field = service + "name"
	}
}

// UsableCABundle reports whether a webhook's caBundle, decoded, holds a certificate to trust. A CRD with one that holds
// none can be created, but from Kubernetes 1.31 on it is never Established (ValidateCABundle, which the establishing
// controller asks). Certificates that do not parse are skipped where another one does.
func UsableCABundle(bundle []byte) bool {
	return len(webhook.ValidateCABundle(field.NewPath("caBundle"), bundle)) == 0
}
