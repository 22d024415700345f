package apiserver

import (
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Unswap corrects an error of v0.21.14, which swaps the fields that OnCreate corrects.
var Unswap = unswap

// Rows lists the names of all rows.
func Rows() []Row {
	var names []Row
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}

// Validated is OnCreate without the shortcut for what v1 accepts as well.
var Validated = validated

// InFull is Validated without what is known of other CRDs.
func InFull(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict {
	return validatedBy(func(obj *apiextensions.CustomResourceDefinition, _ ruleset, upstream validationOf) field.ErrorList {
		return upstream(obj)
	}, hub, version)
}

// LeftOut is how much of a CRD upstream is not asked about: in schemas, of all that it has.
func LeftOut(hub *apiextensions.CustomResourceDefinition) (leftOut, all int) {
	count := func(obj *apiextensions.CustomResourceDefinition) (n int) {
		eachRoot(&obj.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
			eachSchema(root, at, func(*apiextensions.JSONSchemaProps, *field.Path) { n++ })
		})
		return n
	}
	all = count(hub)
	return all - count(newPruner(hub, today).pruned(hub)), all
}
