package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// enforcedCEL are about rules that the API server refuses.
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
				apiserver.MessageWithLineBreak:   "message has a line break; users see it in one line",
				apiserver.MessageMissing:         "a rule that spans lines needs a message; without one the API server would show the rule",
				apiserver.MessageExpressionBlank: "messageExpression is blank; write a CEL expression that gives a string, or remove it",
			}[r.Row])
		}),
	refusal("cel-reason-unsupported", "reasons of validation rules that the API server does not know",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "reason %s is not FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate",
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
	refusal("cel-internal-error", "schemas that the API server cannot make CEL types of", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "the API server cannot make CEL types of this schema: %s", text.Foreign(strings.TrimPrefix(r.Detail, "internal error: ")))
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
		var hint any = ""
		switch {
		case strings.HasPrefix(path, "self."):
			hint = "; leave out self"
		case !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "["):
			hint = "; it begins with a dot"
		case s != nil && s.FieldPath() != "":
			hint = text.Sprintf(" below %s", text.Path(s.FieldPath()))
		}
		p.Refusef(r.At, "fieldPath %s leads to no field%s", text.Quoted(path), hint)
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
				what = text.Sprintf("%s %s", what, text.Path(at))
			}
		}
	}
	p.Refusef(r.At, "oldSelf cannot be used below %s: old and new values cannot be matched; %s", what, advice)
}
