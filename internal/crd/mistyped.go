package crd

import (
	"maps"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/runtime"
	fieldpath "k8s.io/apimachinery/pkg/util/validation/field"
)

// embedded is what objectmeta looks at of an embedded resource without what is in it.
var embedded = &structuralschema.Structural{Extensions: structuralschema.Extensions{XEmbeddedResource: true}}

// Mistyped is the error of objectmeta.Coerce about a value that it refuses: of several the first by the names on the way.
// Upstream returns the first in the order of its maps. The value is not changed.
func Mistyped(at *fieldpath.Path, value any, s *structuralschema.Structural) *fieldpath.Error {
	if s == nil {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if s.XEmbeddedResource {
				alone := map[string]any{key: runtime.DeepCopyJSONValue(value[key])}
				if err := objectmeta.Coerce(at, alone, embedded, false, false); err != nil {
					return err
				}
			}
			below, schema := at.Child(key), (*structuralschema.Structural)(nil)
			if property, declared := s.Properties[key]; declared {
				schema = &property
			} else if s.AdditionalProperties != nil {
				below, schema = at.Key(key), s.AdditionalProperties.Structural
			}
			if err := Mistyped(below, value[key], schema); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := Mistyped(at.Index(i), item, s.Items); err != nil {
				return err
			}
		}
	}
	return nil
}
