package crds

import (
	"regexp"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// enforcedCEL are about rules that the API server rejects.
var enforcedCEL = []*engine.Rule{
	{
		ID:       "cel-rule-missing",
		Was:      []string{"cel-rule-required"},
		Summary:  "x-kubernetes-validations entries without a rule",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refuse(r.At, "this validation has no rule; write a CEL expression, such as self.min <= self.max")
		}),
	},
	refusal("cel-message-invalid", "messages of validation rules that are blank, span lines or are missing where they are needed",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refuse(r.At, map[apiserver.Row]string{
				apiserver.MessageBlank:           "message is blank; say what the value must be, or remove it",
				apiserver.MessageWithLineBreak:   "message has a line break, but users see it in one line; remove the break",
				apiserver.MessageMissing:         "a rule of several lines needs a message; write one",
				apiserver.MessageExpressionBlank: "messageExpression is blank; write a CEL expression that returns a string, or remove it",
			}[r.Row])
		}),
	refusal("cel-reason-unsupported", "reasons of validation rules that the API server does not know",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "reason %s is unknown; write FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate",
				text.Quoted(crd.StringAt(r.At.Node))).
				Fix = respelling(r, []string{r.At.Path}, "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
		}),
	refusal("cel-field-path-invalid", "fieldPaths of validation rules that lead to no field", explainFieldPath),
	refusal("cel-compile-error", "validation rules that do not compile",
		func(p *engine.Pass, r engine.Refusal) { explainCompileError(p, r, "the rule") }),
	refusal("cel-message-expression-error", "messageExpressions that do not compile",
		func(p *engine.Pass, r engine.Refusal) { explainCompileError(p, r, "messageExpression") }),
	refusal("cel-cost-exceeded", "validation rules that may cost more than the API server allows", explainCost),
	refusal("cel-oldself-uncorrelatable", "rules with oldSelf where old and new values cannot be matched", explainUncorrelatable),
	refusal("cel-optional-oldself-unused", "optionalOldSelf on rules that do not use oldSelf", func(p *engine.Pass, r engine.Refusal) {
		p.Refuse(r.At, "optionalOldSelf is set, but the rule does not use oldSelf; remove it").
			Fix = removeAt("remove optionalOldSelf", true, r.At.Path)
	}),
	refusal("cel-internal-error", "schemas that the API server cannot build CEL types from", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "the API server cannot build CEL types from this schema (%s); simplify the schema or remove its rules", text.Foreign(strings.TrimPrefix(r.Detail, "internal error: ")))
	}),
}

func explainFieldPath(p *engine.Pass, r engine.Refusal) {
	path := crd.StringAt(r.At.Node)
	switch {
	case strings.TrimSpace(path) == "":
		if r.Row == apiserver.FieldPathBlank {
			p.Refuse(r.At, "fieldPath is blank; name a field below this schema, such as .replicas, or remove it")
		}
	case strings.ContainsAny(path, "\r\n"):
		if r.Row == apiserver.FieldPathWithLineBreak {
			p.Refuse(r.At, "fieldPath has a line break; write a path in one line, such as .replicas")
		}
	default:
		s, _ := p.CRD.LocateSchema(r.Field)
		var hint any = "; name a field of the schema"
		switch {
		case strings.HasPrefix(path, "self."):
			hint = "; leave out self"
		case !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "["):
			hint = "; begin it with a dot"
		case s != nil && s.FieldPath() != "":
			hint = text.Sprintf("; name a field below %s", text.Path(s.FieldPath()))
		}
		p.Refusef(r.At, "fieldPath %s leads to no field%s", text.Quoted(path), hint)
	}
}

func explainUncorrelatable(p *engine.Pass, r engine.Refusal) {
	what, advice := text.Sprintf("a list"), "write x-kubernetes-list-type: map and x-kubernetes-list-map-keys"
	if _, path, ok := strings.Cut(r.Detail, "within "); ok {
		if s, _ := p.CRD.LocateSchema(path); s != nil {
			if s.Type() == "object" {
				what, advice = text.Sprintf("the atomic map"), "write x-kubernetes-map-type: granular"
			} else {
				what = text.Sprintf("the list")
			}
			if at := s.FieldPath(); at != "" {
				what = text.Sprintf("%s %s", what, text.Path(at))
			}
		}
	}
	p.Refusef(r.At, "oldSelf cannot be used below %s, whose values are not matched on updates; %s", what, advice)
}

var (
	celReceiver  = text.Pattern(`^(.*)\.\((.*)\)$`)
	celArguments = text.Pattern(`^\((.*)\)$`)
)

// celTypeFaults are complaints about types in words, without the compiler's notation for them.
var celTypeFaults = []struct {
	complaint func() *regexp.Regexp
	fault     func(m []string) text.Text
}{
	{text.Pattern(`^found no matching overload for '([^']*)' applied to '(.*)'`), func(m []string) text.Text { return celCallFault(m[1], m[2]) }},
	{text.Pattern(`^expected type '(.*)' but found '(.*)'`), func(m []string) text.Text {
		return text.Sprintf("this must be %s, but is %s", celType(m[1]), celType(m[2]))
	}},
	{text.Pattern(`^type '(.*)' does not support field selection`), func(m []string) text.Text {
		return text.Sprintf("%s has no fields", celType(m[1]))
	}},
	{text.Pattern(`^expression of type '(.*)' cannot be range of a comprehension`), func(m []string) text.Text {
		return text.Sprintf("only lists and maps have items, but this is %s", celType(m[1]))
	}},
}

// celCallFault says that a function or an operator does not go with what it is given. The compiler calls operators by
// names such as `_>_` and `@in`, and writes (argument, ...) for what is given, with `receiver.` in front of a method's.
func celCallFault(name, given string) text.Text {
	if m := celReceiver().FindStringSubmatch(given); m != nil {
		if arguments := celList(m[2]); len(arguments) > 0 {
			return text.Sprintf("%s() cannot be called on %s with %s", text.Value(name), celType(m[1]), celTypes(arguments))
		}
		return text.Sprintf("%s() cannot be called on %s", text.Value(name), celType(m[1]))
	}
	m := celArguments().FindStringSubmatch(given)
	if m == nil {
		return text.Sprintf("%s does not accept %s", text.Quoted(name), text.Foreign(given))
	}
	types := celList(m[1])
	operator := strings.Trim(name, "@_")
	switch {
	case len(types) == 0:
		return text.Sprintf("%s() cannot be called without an argument", text.Value(name))
	case operator == name:
		return text.Sprintf("%s() cannot be called with %s", text.Value(name), celTypes(types))
	case operator == "?_:" && len(types) == 3 && types[0] != "bool":
		return text.Sprintf("the condition before ? must be a boolean, but is %s", celType(types[0]))
	case operator == "?_:" && len(types) == 3:
		return text.Sprintf("both sides of : must be of one type, but are %s", celTypes(types[1:]))
	case operator == "[_]" && len(types) == 2:
		return text.Sprintf("%s cannot be indexed by %s", celType(types[0]), celType(types[1]))
	}
	return text.Sprintf("%s cannot be applied to %s", operator, celTypes(types))
}

// celList splits what is written between brackets at the commas that stand outside of any others.
func celList(text string) (all []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			all = append(all, text[start:i])
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		all = append(all, rest)
	}
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// celNouns are types of the language as a sentence has them: one, and several.
var celNouns = map[string][2]string{
	"bool":      {"a boolean", "booleans"},
	"bytes":     {"bytes", "bytes"},
	"double":    {"a number", "numbers"},
	"duration":  {"a duration", "durations"},
	"dyn":       {"a value of any type", "values of any type"},
	"int":       {"an integer", "integers"},
	"null":      {"null", "nulls"},
	"string":    {"a string", "strings"},
	"timestamp": {"a time", "times"},
	"uint":      {"an unsigned integer", "unsigned integers"},
	"net.IP":    {"an IP address", "IP addresses"},
	"net.CIDR":  {"a CIDR", "CIDRs"},

	"kubernetes.Quantity": {"a quantity", "quantities"},
	"kubernetes.URL":      {"a URL", "URLs"},
}

func celType(name string) text.Text {
	one, _ := celNoun(name)
	return text.Foreign(one)
}

// celTypes are types in words, one after the other.
func celTypes(names []string) text.Text {
	if len(names) == 2 && names[0] != names[1] {
		one, several := celNoun(names[0])
		if other, _ := celNoun(names[1]); one == other { // objects of two schemas
			return text.Foreign("different kinds of " + several)
		}
	}
	return text.Foreign(text.And(Mapped(names, func(name string) string {
		one, _ := celNoun(name)
		return one
	})))
}

// celNoun is a type in words: one of it, and several.
func celNoun(name string) (one, several string) {
	if noun, known := celNouns[name]; known {
		return noun[0], noun[1]
	}
	if inside, is := strings.CutPrefix(name, "list("); is {
		_, items := celNoun(strings.TrimSuffix(inside, ")"))
		return "a list of " + items, "lists of " + items
	}
	if inside, is := strings.CutPrefix(name, "map("); is {
		if types := celList(strings.TrimSuffix(inside, ")")); len(types) == 2 {
			_, values := celNoun(types[1])
			return "a map of " + values, "maps of " + values
		}
	}
	if name == "self" || strings.HasPrefix(name, "self.") { // the type of what stands there in the schema
		return "an object", "objects"
	}
	return "a value of type " + name, "values of type " + name
}
