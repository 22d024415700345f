package request

import structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

// trimmedSchemas are parts of a structural schema, each with all that one of upstream's functions needs of it. Upstream copies the
// schema of each value that it visits, and most schemas have nothing to say to most of its functions.
type trimmedSchemas struct {
	defaults *structuralschema.Structural // for defaulting.Default
	embedded *structuralschema.Structural // for objectmeta.Coerce and objectmeta.Validate
	lists    *structuralschema.Structural // for listtype.ValidateListSetsAndMaps
}

func trim(s *structuralschema.Structural) trimmedSchemas {
	return trimmedSchemas{
		defaults: only(s, func(s *structuralschema.Structural) bool { return s.Default.Object != nil }),
		embedded: only(s, func(s *structuralschema.Structural) bool { return s.XEmbeddedResource }),
		lists:    only(s, func(s *structuralschema.Structural) bool { return s.XListType != nil }),
	}
}

// only is a schema without the schemas of values that do not count, and have no values in them that do; nil where nothing is
// left.
func only(s *structuralschema.Structural, counts func(*structuralschema.Structural) bool) *structuralschema.Structural {
	if s == nil {
		return nil
	}
	less := *s
	less.Items, less.Properties, less.AdditionalProperties = only(s.Items, counts), nil, nil
	if s.AdditionalProperties != nil {
		if values := only(s.AdditionalProperties.Structural, counts); values != nil {
			less.AdditionalProperties = &structuralschema.StructuralOrBool{Structural: values}
		}
	}
	for name, property := range s.Properties {
		below := only(&property, counts)
		if below == nil && less.AdditionalProperties != nil {
			below = &structuralschema.Structural{} // else it would be one of the additional properties
		}
		if below != nil {
			if less.Properties == nil {
				less.Properties = map[string]structuralschema.Structural{}
			}
			less.Properties[name] = *below
		}
	}
	if less.Items == nil && less.Properties == nil && less.AdditionalProperties == nil && !counts(s) {
		return nil
	}
	return &less
}

// hasNull reports whether a value is null, or has one in it.
func hasNull(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		for _, member := range value {
			if hasNull(member) {
				return true
			}
		}
	case []any:
		for _, item := range value {
			if hasNull(item) {
				return true
			}
		}
	}
	return false
}
