package request

import (
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// A screen tells whether a value meets a schema, and nothing else. Upstream makes validators anew for each value, and
// goes through all properties that a schema has; a screen makes its validators once, when a value needs them, and goes
// through the properties that the value has. Most values are valid, so that this is most of what there is to do.
type screen struct {
	schema func() *spec.Schema

	once       sync.Once
	light      light
	alone      func() *validate.SchemaValidator // upstream's for what the schema says about a value apart from what is in it
	properties map[string]*screen
	values     *screen // of further properties; nil when they may be anything
	closed     bool    // there are to be no further properties
	items      *screen // nil when they may be anything
}

func newScreen(schema *spec.Schema) *screen {
	return &screen{schema: func() *spec.Schema { return schema }}
}

func (s *screen) prepare() {
	schema := s.schema()
	s.light = newLight(schema)
	s.alone = sync.OnceValue(func() *validate.SchemaValidator {
		alone := *schema
		alone.Properties, alone.AdditionalProperties, alone.Items = nil, nil, nil
		return validate.NewSchemaValidator(&alone, nil, "", strfmt.Default)
	})
	s.properties = make(map[string]*screen, len(schema.Properties))
	for name := range schema.Properties {
		s.properties[name] = &screen{schema: func() *spec.Schema {
			property := schema.Properties[name]
			return &property
		}}
	}
	if more := schema.AdditionalProperties; more != nil {
		s.closed = !more.Allows
		if more.Schema != nil {
			s.values = newScreen(more.Schema)
		}
	}
	if schema.Items != nil && schema.Items.Schema != nil {
		s.items = newScreen(schema.Items.Schema)
	}
}

// passes reports whether upstream finds no error in the value.
func (s *screen) passes(value any) bool {
	if s == nil {
		return true
	}
	s.once.Do(s.prepare)
	if !s.light.passes(value) && !s.alone().Validate(value).IsValid() {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if _, declared := s.properties[key]; s.closed && !declared || !s.member(key).passes(member) {
				return false
			}
		}
	case []any:
		for _, item := range value {
			if !s.items.passes(item) {
				return false
			}
		}
	}
	return true
}

// member is the screen of a member; nil when it may be anything.
func (s *screen) member(key string) *screen {
	if property, declared := s.properties[key]; declared {
		return property
	}
	return s.values
}
