package request

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"unicode/utf8"

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

// A light is what a schema says about a value apart from what is in it, where that is little enough to be checked without
// upstream's validators, which take time to make and to run. It only knows values that meet it for sure.
type light struct {
	*spec.Schema
	known bool // the schema says nothing else
}

func newLight(s *spec.Schema) light {
	rest := s.SchemaProps
	rest.ID, rest.Description, rest.Title, rest.Default, rest.Nullable = "", "", "", nil, false
	rest.Properties, rest.AdditionalProperties, rest.Items = nil, nil, nil
	rest.Type, rest.Required, rest.Enum = nil, nil, nil
	rest.MinLength, rest.MaxLength, rest.Minimum, rest.Maximum = nil, nil, nil, nil
	if slices.Contains([]string{"int32", "int64"}, rest.Format) {
		rest.Format = ""
	}
	return light{s, len(s.Type) == 1 && reflect.ValueOf(rest).IsZero() && isSmall(s.Minimum) && isSmall(s.Maximum)}
}

// isSmall reports whether a limit can be a number of each format: upstream finds an error in every value where it cannot.
func isSmall(limit *float64) bool {
	return limit == nil || *limit >= math.MinInt32 && *limit <= math.MaxInt32
}

// passes reports whether the value meets the schema. If not, it is not known whether it does.
func (l light) passes(value any) bool {
	if !l.known {
		return false
	}
	s := l.Schema
	switch value := value.(type) {
	case map[string]any:
		missing := func(key string) bool {
			_, found := value[key]
			return !found
		}
		return s.Type[0] == "object" && s.Enum == nil && !slices.ContainsFunc(s.Required, missing)
	case []any:
		return s.Type[0] == "array" && s.Enum == nil
	case string:
		return s.Type[0] == "string" && s.Format == "" && (s.Enum == nil || slices.Contains(s.Enum, any(value))) &&
			(s.MaxLength == nil || int64(len(value)) <= *s.MaxLength) &&
			(s.MinLength == nil || int64(utf8.RuneCountInString(value)) >= *s.MinLength)
	case bool:
		return s.Type[0] == "boolean" && s.Format == "" && s.Enum == nil
	case int64:
		return s.Type[0] == "integer" && s.Enum == nil && value >= math.MinInt32 && value <= math.MaxInt32 &&
			(s.Minimum == nil || float64(value) > *s.Minimum) && (s.Maximum == nil || float64(value) < *s.Maximum)
	}
	return false
}
