package request

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ruleCause is the cause of a rule's error.
func ruleCause(n ruledValue, i int, rule apiextensionsv1.ValidationRule, err *field.Error, left int64) Cause {
	cause := Cause{
		Stage: Rule, Type: err.Type, Field: err.Field, Path: n.path, SchemaPath: n.schemaPath,
		Keyword: "x-kubernetes-validations", Rule: i, Actual: -1, upstream: err,
	}
	cause.Failure, cause.Detail = failure(rule, err.Detail, left)
	if cause.Failure != NotMet {
		return cause
	}
	cause.Path = n.path.To(fieldPath(rule.FieldPath)...)
	_, found := cause.Path[len(n.path):].In(n.value)
	cause.Missing = !found
	switch {
	case err.Detail != "" && err.Detail != authored(rule):
		cause.Detail, cause.Composed = err.Detail, true
	default: // of a Duplicate upstream drops the message
		cause.Detail = authored(rule)
	}
	return cause
}

// failure is how a rule fails, by the words of validateExpressions, and which words may be told: those of an error at run
// time have values in them.
func failure(rule apiextensionsv1.ValidationRule, detail string, left int64) (Failure, string) {
	switch {
	case left < 0 && strings.Contains(detail, "call cost exceeds limit"):
		return CallCost, ""
	case left < 0 && strings.Contains(detail, "running out of cost budget"):
		return TotalCost, ""
	case strings.HasPrefix(detail, "rule compile error: "), strings.HasPrefix(detail, "rule compiler initialization error: "):
		return Uncompiled, ""
	case left < 0, strings.HasSuffix(detail, " evaluating rule: "+told(rule)), strings.HasSuffix(detail, " for rule: "+told(rule)):
		detail = strings.TrimPrefix(detail, "'") // of "no such overload"
		for _, known := range runTimeErrors {
			if strings.HasPrefix(detail, known) {
				return RunTime, known
			}
		}
		return RunTime, ""
	}
	return NotMet, ""
}

// runTimeErrors are how CEL's most usual errors begin.
var runTimeErrors = []string{"no such key", "index out of bounds", "integer overflow", "unsigned integer overflow", "division by zero", "modulus by zero", "no such overload",
	"min called on empty list", "max called on empty list"}

// authored is the message of a rule that has no messageExpression. See ruleMessageOrDefault.
func authored(rule apiextensionsv1.ValidationRule) string {
	if rule.Message == "" {
		return "failed rule: " + strings.TrimSpace(rule.Rule)
	}
	return strings.TrimSpace(rule.Message)
}

// told is what errors at run time say of a rule. See ruleErrorString.
func told(rule apiextensionsv1.ValidationRule) string {
	if rule.Message != "" {
		return strings.TrimSpace(rule.Message)
	}
	return strings.TrimSpace(rule.Rule)
}

// fieldPath are the steps of a rule's fieldPath, which the server has accepted: ".a.b['c.d']". See cel.ValidFieldPath.
func fieldPath(text string) (steps []Step) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "['"); ok {
			end := strings.Index(rest, "']")
			for end > 0 && rest[end-1] == '\\' {
				end += 1 + strings.Index(rest[end+1:], "']")
			}
			steps = append(steps, Key(unescape(rest[:end])))
			text = rest[end+2:]
			continue
		}
		text = strings.TrimPrefix(text, ".")
		end := strings.IndexAny(text, ".[")
		if end < 0 {
			end = len(text)
		}
		steps = append(steps, Key(text[:end]))
		text = text[end:]
	}
	return steps
}

var unescaper = strings.NewReplacer(`\a`, "\a", `\b`, "\b", `\f`, "\f", `\n`, "\n", `\r`, "\r", `\t`, "\t", `\v`, "\v", `\'`, "'", `\\`, `\`)

func unescape(text string) string { return unescaper.Replace(text) }
