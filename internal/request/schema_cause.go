package request

import (
	"strings"
	"unicode/utf8"

	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
)

// broken is a cause at the node by a keyword of its schema.
func (n node) broken(keyword string) Cause {
	return Cause{Stage: Schema, Path: n.path, SchemaPath: n.schemaPath, Keyword: keyword, Rule: -1, Actual: -1}
}

// cause is that of an error that the node's schema gives without its junctors.
func (n node) cause(err error) Cause {
	e, ok := err.(*openapierrors.Validation)
	if !ok {
		return n.outOfRange(err)
	}
	cause := n.broken(keywords[int(e.Code())])
	switch e.Code() {
	case openapierrors.RequiredFailCode:
		cause.Path, cause.Missing = n.path.To(Key(strings.TrimPrefix(e.Name, n.name+"."))), true
	case openapierrors.UnallowedPropertyCode:
		key, _ := e.Value.(string)
		cause.Path = n.path.To(Key(key))
	case openapierrors.InvalidTypeCode:
		cause.Found = jsonType(n.value)
		if n.isOfType() {
			cause.Keyword = "format"
		}
	default:
		cause.Actual = Length(n.value)
	}
	return cause
}

// keywords are those that upstream's codes stand for.
var keywords = map[int]string{
	openapierrors.InvalidTypeCode: "type", openapierrors.RequiredFailCode: "required", openapierrors.EnumFailCode: "enum",
	openapierrors.TooLongFailCode: "maxLength", openapierrors.TooShortFailCode: "minLength", openapierrors.PatternFailCode: "pattern",
	openapierrors.MultipleOfFailCode: "multipleOf", openapierrors.MaxFailCode: "maximum", openapierrors.MinFailCode: "minimum",
	openapierrors.UniqueFailCode: "uniqueItems", openapierrors.MaxItemsFailCode: "maxItems", openapierrors.MinItemsFailCode: "minItems",
	openapierrors.TooManyPropertiesCode: "maxProperties", openapierrors.TooFewPropertiesCode: "minProperties",
	openapierrors.UnallowedPropertyCode: "additionalProperties", openapierrors.MultipleOfMustBePositiveCode: "multipleOf",
}

// outOfRange is the cause of a number that its format cannot hold, or of a constraint that is such a number itself. See
// validate.IsValueValidAgainstRange.
func (n node) outOfRange(err error) Cause {
	for prefix, keyword := range map[string]string{"MultipleOf": "multipleOf", "Maximum": "maximum", "Minimum": "minimum"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return n.broken(keyword)
		}
	}
	return n.broken("format")
}

// isOfType reports whether the value is of the schema's type, so that it is the format that does not suit it.
func (n node) isOfType() bool {
	found := jsonType(n.value)
	return n.schema.Format != "" && (n.schema.Type.Contains(found) || found == "integer" && n.schema.Type.Contains("number"))
}

// jsonType is the name of a value's type.
func jsonType(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case int64:
		return "integer"
	case float64:
		if value == float64(int64(value)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// Length is the number of a value's characters, items or members; -1 for others.
func Length(value any) int64 {
	switch value := value.(type) {
	case string:
		return int64(utf8.RuneCountInString(value))
	case []any:
		return int64(len(value))
	case map[string]any:
		return int64(len(value))
	}
	return -1
}
