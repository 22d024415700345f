package rules

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

const celDocs = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules"

var _ = topic("cel", "Validation rules (CEL)", slices.Concat(enforcedCEL, celPractices)...)

// enforcedCEL are about rules that the API server refuses.
var enforcedCEL = []*engine.Rule{
	{
		ID:       "cel-rule-required",
		Summary:  "x-kubernetes-validations entries without a rule",
		Severity: lint.Error,
		Doc: `An entry of x-kubernetes-validations is nothing without its expression.

**What to do**: write the CEL expression into ` + "`rule`" + `, or remove the entry.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver; ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refuse(r.At, "this validation has no rule; write a CEL expression, such as self.min <= self.max")
		}),
	},
	{
		ID:       "cel-message-invalid",
		Summary:  "messages of validation rules that are blank, span lines or are missing where they are needed",
		Severity: lint.Error,
		Doc: `The message is what users see in one line of an error. Without it the API server shows the rule, which it cannot do for a
rule that spans lines.

**What to do**: write a message of one line that says what the value must be; or remove ` + "`message`" + ` or ` + "`messageExpression`" + ` where it is blank.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver; ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refuse(r.At, map[string]string{
				"E200": "message is blank; say what the value must be, or remove it",
				"E201": "message has a line break; users see it in one line",
				"E202": "a rule that spans lines needs a message; without one the API server would show the rule",
				"E203": "messageExpression is blank; write a CEL expression that gives a string, or remove it",
			}[r.Row])
		}),
	},
	{
		ID:       "cel-reason-unsupported",
		Summary:  "reasons of validation rules that the API server does not know",
		Severity: lint.Error,
		Doc: `The reason of a rule becomes the machine-readable cause in the error that clients get, and there are four of them.

**What to do**: choose FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate; without a reason
it is FieldValueInvalid.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver; ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "reason %s is not FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate",
				quoted(crd.StringAt(r.At.Node))).
				Fix = respelling(r, []string{r.At.Path}, "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
		}),
	},
	{
		ID:       "cel-field-path-invalid",
		Summary:  "fieldPaths of validation rules that lead to no field",
		Severity: lint.Error,
		Doc: `fieldPath says which field below the schema a failed rule is about. It is a path relative to that schema, such as
` + "`.spec.replicas`" + `; a key of a map or a name with dots stands in brackets and quotes, ` + "`.labels['app']`" + `, and items of lists cannot be named.

**What to do**: name a field that the schema declares, beginning with a dot.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidFieldPath of k8s.io/apiextensions-apiserver (pkg/apiserver/schema/cel); ` + celDocs,
		Run: enforced(explainFieldPath),
	},
	{
		ID:       "cel-compile-error",
		Summary:  "validation rules that do not compile",
		Severity: lint.Error,
		Doc: `Rules are compiled and type-checked against the schema that they stand in when the CustomResourceDefinition is created. Only
fields that the schema declares can be used, and only functions that the API server's CEL libraries have.

**What to do**: correct the expression at the reported column. A field is reached from ` + "`self`" + `, which is the value of the
schema that holds the rule; names that are not identifiers are escaped (` + "`self.x__dash__y`" + `).

**When to ignore it**: never; the manifest cannot be applied. Servers older than crdlift's may know less still.

**Source**: Compile of k8s.io/apiextensions-apiserver (pkg/apiserver/schema/cel); ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) { explainCompileError(p, r, "the rule") }),
	},
	{
		ID:       "cel-message-expression-error",
		Summary:  "messageExpressions that do not compile",
		Severity: lint.Error,
		Doc: `A messageExpression is a CEL expression like the rule itself and must give a string.

**What to do**: correct the expression at the reported column, or write a plain ` + "`message`" + `.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: Compile of k8s.io/apiextensions-apiserver (pkg/apiserver/schema/cel); ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) { explainCompileError(p, r, "messageExpression") }),
	},
	{
		ID:       "cel-cost-exceeded",
		Summary:  "validation rules that may cost more than the API server allows",
		Severity: lint.Error,
		Doc: `Before a rule ever runs, the API server estimates what it may cost at worst: how large lists, maps and strings can get, times
how often the rule is evaluated. What has no bound counts as large as a request may be. A rule may cost 10 million
units, all rules of a version 100 million.

**What to do**: give the lists, maps and strings that the rule goes through maxItems, maxProperties and maxLength, also
those above it; a nested ` + "`all()`" + ` multiplies them. Or simplify the rule. The text that ` + "`string()`" + ` makes of a number has no bound,
and minimum and maximum give it none: a messageExpression that puts it together with another text, such as
` + "`'at most ' + string(self.max)`" + `, is refused. Write ` + "`message`" + ` instead.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: getExpressionCost and StaticEstimatedCostLimit of k8s.io/apiextensions-apiserver; kubernetes#124234; ` +
			"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#resource-use-by-validation-functions",
		Run: enforced(explainCost),
	},
	{
		ID:       "cel-oldself-uncorrelatable",
		Summary:  "rules with oldSelf where old and new values cannot be matched",
		Severity: lint.Error,
		Doc: `A rule with oldSelf compares a value with what it was before. In a list that is not of type map nothing says which item was
which, and an atomic map is replaced as a whole.

**What to do**: give the list ` + "`x-kubernetes-list-type: map`" + ` with keys, or move the rule up to the list itself, where oldSelf is the old list.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: withForbidOldSelfValidations in ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver; ` + celDocs,
		Run: enforced(explainUncorrelatable),
	},
	{
		ID:       "cel-optional-oldself-unused",
		Summary:  "optionalOldSelf on rules that do not use oldSelf",
		Severity: lint.Error,
		Doc: `optionalOldSelf makes a rule with oldSelf run on create as well. On other rules the API server refuses it, true or false.

**What to do**: remove optionalOldSelf, or use oldSelf in the rule.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver; ` + celDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "optionalOldSelf is set, but the rule does not use oldSelf; remove it")
			path := r.At.Path
			f.Fix = &engine.Fix{Title: "remove optionalOldSelf", Safe: true, Apply: func(c *crd.CRD) bool {
				steps := crd.Steps(path)
				entry, complete := c.Resolve(steps[:len(steps)-1])
				return complete && len(repair.Remove(crd.Deref(entry.Node), "optionalOldSelf")) > 0
			}}
		}),
	},
	{
		ID:       "cel-internal-error",
		Summary:  "schemas that the API server cannot make CEL types of",
		Severity: lint.Error,
		Doc: `The API server could not build the types that rules are checked against. No manifest is known that leads there.

**What to do**: simplify the schema around the rule.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: CELSchemaContext.TypeInfo of k8s.io/apiextensions-apiserver.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "the API server cannot make CEL types of this schema: %s", text.Foreign(strings.TrimPrefix(r.Detail, "internal error: ")))
		}),
	},
}

func explainFieldPath(p *engine.Pass, r engine.Refusal) {
	path := crd.StringAt(r.At.Node)
	switch {
	case strings.TrimSpace(path) == "":
		if r.Row == "E205" {
			p.Refuse(r.At, "fieldPath is blank; name a field below this schema, such as .replicas, or remove it")
		}
	case strings.ContainsAny(path, "\r\n"):
		if r.Row == "E206" {
			p.Refuse(r.At, "fieldPath has a line break; write a path in one line, such as .replicas")
		}
	default:
		s, _ := p.CRD.LocateSchema(r.Field)
		var hint any = ""
		switch {
		case strings.HasPrefix(path, "self."):
			hint = "; leave out self"
		case !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "["):
			hint = "; it begins with a dot"
		case s != nil && s.FieldPath() != "":
			hint = text.Sprintf(" below %s", short(s.FieldPath()))
		}
		p.Refusef(r.At, "fieldPath %s leads to no field%s", quoted(path), hint)
	}
}

func explainUncorrelatable(p *engine.Pass, r engine.Refusal) {
	what, advice := text.Sprintf("a list"), "give it x-kubernetes-list-type: map"
	if _, path, ok := strings.Cut(r.Detail, "within "); ok {
		if s, _ := p.CRD.LocateSchema(path); s != nil {
			if s.Type() == "object" {
				what, advice = text.Sprintf("the atomic map"), "make it granular"
			} else {
				what = text.Sprintf("the list")
			}
			if at := s.FieldPath(); at != "" {
				what = text.Sprintf("%s %s", what, short(at))
			}
		}
	}
	p.Refusef(r.At, "oldSelf cannot be used below %s: old and new values cannot be matched; %s", what, advice)
}
