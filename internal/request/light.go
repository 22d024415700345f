package request

import (
	"math"
	"reflect"
	"slices"
	"unicode/utf8"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

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
