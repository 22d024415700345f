package words

import (
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
)

// TypeNamed is a type of JSON in a message.
func TypeNamed(typ string) string {
	if typ == "null" {
		return typ
	}
	return Article(typ)
}

// TypeOf is the type of a schema's values with its article.
func TypeOf(s *apiextensions.JSONSchemaProps) string {
	switch {
	case s == nil:
		return "of the type that the schema says"
	case s.XIntOrString:
		return "an integer or a string"
	case s.Type == "":
		return "of another type"
	}
	return Article(s.Type)
}

// EnumNames are the values that an enum allows. Null is not one of them, even if it is listed: see Enum of
// k8s.io/kube-openapi/pkg/validation/validate.
func EnumNames(s *apiextensions.JSONSchemaProps) text.Text {
	if s == nil {
		return text.Sprintf("the values that the schema lists")
	}
	var names []string
	for _, value := range s.Enum {
		if value == nil {
			continue
		}
		if word, is := value.(string); is && word != "" {
			names = append(names, word)
		} else if raw, err := json.Marshal(value); err == nil {
			names = append(names, string(raw))
		}
	}
	return text.Names(names)
}

// RuleText is the expression of the rule that a cause is about.
func RuleText(c *request.Cause) text.Text {
	rule := c.ValidationRule().Rule
	if rule == "" {
		return text.Sprintf("of its schema")
	}
	return text.Foreign(text.OneLine(rule))
}

// RuleError says that a rule cannot be evaluated.
func RuleError(c *request.Cause) text.Text {
	if c.Detail == "" {
		return text.Sprintf("fails")
	}
	return text.Sprintf(`fails with "%s"`, text.Foreign(c.Detail))
}
