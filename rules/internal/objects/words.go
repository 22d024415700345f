package objects

import (
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// CauseText says one reason why an object is rejected, with the path in it and without its values, but for what a rule says of them.
func CauseText(c *request.Cause) text.Text {
	name := words.PathName(c.Path)
	switch {
	case suite.ByOf(*c) == suite.UnknownField:
		return text.Sprintf("%s is not declared", name)
	case c.Stage == request.Rule:
		return ruleFault(c)
	case c.Stage == request.List:
		return text.Sprintf("%s equals an item before it", name)
	case c.Stage == request.Scale:
		return text.Sprintf("the scale subresource cannot read %s; write a number there", name)
	case c.Stage == request.Conflict:
		return text.Sprintf("%s: %s", name, c.Detail)
	case c.Stage != request.Schema:
		return text.Sprintf("%s %s", name, HeadFault(c))
	}
	return text.Sprintf("%s %s", name, schemaFault(c))
}

// schemaFault says which keyword of a schema a value breaks.
func schemaFault(c *request.Cause) text.Text {
	switch c.Keyword {
	case "required":
		return text.Sprintf("is required")
	case "type":
		if c.Found == "" {
			return text.Sprintf("must be %s", words.TypeOf(c.Schema))
		}
		return text.Sprintf("must be %s, but is %s", words.TypeOf(c.Schema), words.TypeNamed(c.Found))
	case "enum":
		return text.Sprintf("must be one of %s", words.EnumNames(c.Schema))
	case "format":
		return text.Sprintf("must be of format %s", words.FormatOf(c.Schema))
	}
	return words.ConstraintFault(c)
}

// ruleFault says how a rule fails.
func ruleFault(c *request.Cause) text.Text {
	name := words.PathName(c.Path)
	switch message := strings.TrimSpace(c.Detail); {
	case c.Failure == request.CallCost || c.Failure == request.TotalCost:
		return text.Sprintf("a rule for %s costs more than the API server allows", name)
	case c.Failure != request.NotMet:
		return text.Sprintf("a rule for %s %s", name, words.RuleError(c))
	case message == "" || strings.HasPrefix(message, "failed rule: "):
		return text.Sprintf("%s breaks the rule %s", name, words.RuleText(c))
	default:
		return text.Sprintf("%s: %s", name, text.Reason(message))
	}
}
