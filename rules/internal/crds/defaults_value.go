package crds

import (
	"regexp"

	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A valueWording says in our words what kube-openapi's validation says about a value.
type valueWording struct {
	upstream *regexp.Regexp
	ours     string // with $1 for what upstream mentions
}

// valueWordings are tried in order. The texts are those of k8s.io/kube-openapi/pkg/validation/errors.
var valueWordings = []valueWording{
	{regexp.MustCompile(`should match '`), "does not match the pattern of its schema"},
	{regexp.MustCompile(`should be at least (\d+) chars long`), "is shorter than minLength: $1"},
	{regexp.MustCompile(`should be at most (\d+) chars long`), "is longer than maxLength: $1"},
	{regexp.MustCompile(`should be greater than or equal to (.+)`), "is below minimum: $1"},
	{regexp.MustCompile(`should be greater than (.+)`), "is not above minimum: $1, which is exclusive"},
	{regexp.MustCompile(`should be less than or equal to (.+)`), "is above maximum: $1"},
	{regexp.MustCompile(`should be less than (.+)`), "is not below maximum: $1, which is exclusive"},
	{regexp.MustCompile(`should be a multiple of (.+)`), "is not a multiple of $1 (multipleOf)"},
	{regexp.MustCompile(`should have at least (\d+) items`), "has less than minItems: $1"},
	{regexp.MustCompile(`should have at most (\d+) items`), "has more than maxItems: $1"},
	{regexp.MustCompile(`should have at least (\d+) properties`), "has less than minProperties: $1"},
	{regexp.MustCompile(`should have at most (\d+) properties`), "has more than maxProperties: $1"},
	{regexp.MustCompile(`shouldn't contain duplicates`), "repeats an item, in a list whose items must differ"},
	{regexp.MustCompile(`\(oneOf\).*Found none`), "fits none of the alternatives of oneOf"},
	{regexp.MustCompile(`\(oneOf\)`), "must fit exactly one of the alternatives of oneOf"},
	{regexp.MustCompile(`\(anyOf\)`), "fits none of the alternatives of anyOf"},
	{regexp.MustCompile(`\(allOf\)`), "does not fit all schemas of allOf"},
	{regexp.MustCompile(`\(not\)`), "fits the schema below not, which it must not"},
	{regexp.MustCompile(`^Checked value must be of type \w+ with format (\w+)`), "is out of the range of format: $1"},
	{regexp.MustCompile(`^Checked value must be of type \w+ \(default format\)`), "is out of the range of 64-bit integers"},
	{regexp.MustCompile(`forbidden`), "has a property that is forbidden there"},
	{regexp.MustCompile(`must be of type ([\w\-\[\], ]+?)(?:,? because: .*|: .*)?$`), "is not a valid $1"},
}

var (
	typeFault       = regexp.MustCompile(`must be of type ([\w\-\[\], ]+?)(?:: "(.*)")?$`)
	byteLimit       = regexp.MustCompile(`more than (\d+) byte`)
	countLimit      = regexp.MustCompile(`at most (\d+) item`)
	supportedValues = regexp.MustCompile(`^supported values: (.*)$`)
)

// valueFault says what is wrong with a value, as kubeOpenAPIResultToFieldErrors reports it: "is a string, but must be
// integer".
func valueFault(err *field.Error) text.Text {
	detail := err.Detail
	switch err.Type {
	case field.ErrorTypeTypeInvalid:
		if m := typeFault.FindStringSubmatch(detail); m != nil && jsonTypes[m[2]] {
			return text.Sprintf("is of type %s, but must be of type %s", m[2], m[1])
		}
	case field.ErrorTypeNotSupported:
		if m := supportedValues.FindStringSubmatch(detail); m != nil {
			return text.Sprintf("is %s, which is not in enum: %s", shownValue(err.BadValue), text.Foreign(m[1]))
		}
	case field.ErrorTypeTooLong:
		if m := byteLimit.FindStringSubmatch(detail); m != nil {
			return text.Sprintf("is longer than maxLength: %s", m[1])
		}
	case field.ErrorTypeTooMany:
		if m := countLimit.FindStringSubmatch(detail); m != nil {
			return text.Sprintf("has more entries than allowed: %s", m[1])
		}
	}
	for _, w := range valueWordings {
		if m := w.upstream.FindStringSubmatchIndex(detail); m != nil {
			return text.Foreign(string(w.upstream.ExpandString(nil, w.ours, detail, m)))
		}
	}
	return text.Sprintf("does not fit its schema: %s", text.Foreign(detail))
}

// jsonTypes are what values are called; an error about a format has the value itself in their place.
var jsonTypes = map[string]bool{"string": true, "integer": true, "number": true, "boolean": true, "array": true, "object": true, "null": true}

// shownValue is a value of a default in a message.
func shownValue(v any) text.Text {
	switch v := v.(type) {
	case string:
		return text.Quoted(v)
	case nil:
		return text.Value("null")
	case map[string]any:
		return text.Value("an object")
	case []any:
		return text.Value("a list")
	}
	return text.Value(v)
}

var (
	jsonFault   = regexp.MustCompile(`json: cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)`)
	regexHints  = regexp.MustCompile(` ?\((?:e\.g\.|regex)[^()]*(?:\([^()]*\)[^()]*)*\)?.*`)
	leadingPath = regexp.MustCompile(`^\[?(?:<nil>: )?(\S+): (?:Invalid value|Required value|Forbidden): (?:"[^"]*": |\w+: )?`)
)

// MetadataFault is what apimachinery says about metadata, without values and regular expressions.
func MetadataFault(detail string) text.Text {
	if m := jsonFault.FindStringSubmatch(detail); m != nil {
		return text.Sprintf("%s cannot be a %s", m[2], m[1])
	}
	detail = leadingPath.ReplaceAllString(detail, "$1: ")
	return text.Foreign(regexHints.ReplaceAllString(detail, ""))
}
