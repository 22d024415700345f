package suite

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
)

// keepReached takes the rules out of a version of a CRD for which an object has no value, even by defaults.
func keepReached(hub *apiextensions.CustomResourceDefinition, version string, o request.Object) error {
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err == nil && validation != nil {
		reach(validation.OpenAPIV3Schema, []any{o})
	}
	return err
}

// reach takes the rules out of a schema and those in it that has none of the values.
func reach(s *apiextensions.JSONSchemaProps, values []any) {
	if s == nil {
		return
	}
	if len(values) == 0 {
		s.XValidations = nil
	}
	for name, p := range s.Properties {
		reach(&p, membersOf(values, p.Default, func(key string) bool { return key == name }))
		s.Properties[name] = p
	}
	if more := s.AdditionalProperties; more != nil && more.Schema != nil {
		reach(more.Schema, membersOf(values, more.Schema.Default, func(string) bool { return true }))
	}
	if s.Items == nil {
		return
	}
	var items []any
	for _, value := range values {
		list, _ := value.([]any)
		items = append(items, list...)
	}
	reach(s.Items.Schema, items)
}

// membersOf are the members of objects, and the default that may be in the place of one.
func membersOf(values []any, standard *apiextensions.JSON, is func(key string) bool) (all []any) {
	for _, value := range values {
		object, isObject := value.(map[string]any)
		for key, member := range object {
			if is(key) {
				all = append(all, member)
			}
		}
		if isObject && standard != nil {
			all = append(all, *standard)
		}
	}
	return all
}
