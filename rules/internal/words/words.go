// Package words has words of messages that rules of several kinds share: about fields, values and the constraints of schemas.
package words

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// FieldName is what a schema describes, in a message: the field as users of the custom resource know it. Long paths lose
// their beginning.
func FieldName(s *crd.Schema) text.Text {
	if s == nil {
		return text.Sprintf("the schema")
	}
	path := s.FieldPath()
	if path == "" {
		return text.Sprintf("the root")
	}
	return text.Path(path)
}

const (
	WantLabel = "use at most 63 lower-case letters, digits and -, beginning with a letter"

	WantKindLabel = "use at most 63 letters, digits and -, beginning with a letter"
)

// Article puts the indefinite article in front of a type.
func Article(typ string) string {
	if strings.ContainsRune("aeiou", rune(typ[0])) {
		return "an " + typ
	}
	return "a " + typ
}

// AndMore says how many errors about the same default are not reported.
func AndMore(n int) string {
	if n == 0 {
		return ""
	}
	return " (and " + text.Count(n, "more error") + ")"
}

// AtInner is a way into a default in a message.
func AtInner(inner string) text.Text {
	if inner == "" {
		return text.Text{}
	}
	return text.Sprintf(" at %s", text.Path(inner))
}

// PathName is a path in a message.
func PathName(at request.Path) text.Text {
	if len(at) == 0 {
		return text.Sprintf("the object")
	}
	return text.Path(at.String())
}

func FormatOf(s *apiextensions.JSONSchemaProps) string {
	if s == nil {
		return "the schema"
	}
	return s.Format
}

// ConstraintFault says what is wrong with a value that breaks a constraint.
func ConstraintFault(c *request.Cause) text.Text {
	if c.Schema == nil {
		return text.Sprintf("breaks %s of its schema", c.Keyword)
	}
	s := c.Schema
	switch c.Keyword {
	case "minLength", "maxLength":
		return tooMuch(c, s.MinLength, s.MaxLength, "character")
	case "minItems", "maxItems":
		return tooMuch(c, s.MinItems, s.MaxItems, "item")
	case "minProperties", "maxProperties":
		return tooMuch(c, s.MinProperties, s.MaxProperties, "field")
	case "pattern":
		return text.Sprintf("must match %s", text.Value(s.Pattern))
	case "maximum":
		return text.Sprintf("must be %s %s", bound(s.ExclusiveMaximum, "less than", "at most"), number(s.Maximum))
	case "minimum":
		return text.Sprintf("must be %s %s", bound(s.ExclusiveMinimum, "more than", "at least"), number(s.Minimum))
	case "multipleOf":
		return text.Sprintf("must be a multiple of %s", number(s.MultipleOf))
	case "anyOf":
		return alternatives(s.AnyOf, "at least one")
	case "oneOf":
		return alternatives(s.OneOf, "exactly one")
	case "not":
		return text.Sprintf("is what the schema excludes with not")
	}
	return text.Sprintf("breaks %s of its schema", c.Keyword)
}

// tooMuch says how many parts a value may have, and how many it has.
func tooMuch(c *request.Cause, limit, maximum *int64, noun string) text.Text {
	most := "least"
	if strings.HasPrefix(c.Keyword, "max") {
		limit, most = maximum, "most"
	}
	if limit == nil {
		return text.Sprintf("breaks %s of its schema", c.Keyword)
	}
	if c.Actual < 0 {
		return text.Sprintf("must have at %s %s", most, text.Count(int(*limit), noun))
	}
	return text.Sprintf("has %s, and must have at %s %d", text.Count(int(c.Actual), noun), most, *limit)
}

func bound(exclusive bool, without, with string) string {
	if exclusive {
		return without
	}
	return with
}

func number(n *float64) string {
	if n == nil {
		return "the bound of its schema"
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// alternatives says of how many schemas a value must fit. Many only name the fields that an object needs.
func alternatives(all []apiextensions.JSONSchemaProps, wanted string) text.Text {
	var fields []string
	for _, s := range all {
		if len(s.Required) != 1 {
			return text.Sprintf("must fit %s of the %d alternatives of its schema", wanted, len(all))
		}
		fields = append(fields, s.Required[0])
	}
	return text.Sprintf("must have %s of %s", wanted, text.Names(fields))
}

// JSONOf is a value as JSON, with numbers as a person writes them.
func JSONOf(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	var raw strings.Builder
	out := json.NewEncoder(&raw)
	out.SetEscapeHTML(false) // nobody writes \u003c for <
	if err := out.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(raw.String(), "\n")
}

// ValueOf is a value in a message, as the manifest has it.
func ValueOf(v any) text.Text {
	switch v := v.(type) {
	case nil:
		return text.Sprintf("none")
	case string:
		return text.Quoted(v)
	}
	return text.Value(JSONOf(v))
}
