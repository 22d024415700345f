package objects

import (
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// objectCEL are about x-kubernetes-validations.
var objectCEL = []*objectpass.Rule{
	{
		ID:       "object-rule",
		Summary:  "objects that break a validation rule",
		Severity: lint.Error,
		Run: func(p *objectpass.Pass) {
			refusing(func(p *objectpass.Pass, c *request.Cause) { explainObjectRule(p, c, "") })(p)
			for _, w := range p.Outcome().Warnings {
				if w.Kind == request.Ratcheted {
					explainObjectRule(p, w.Cause, "; the server accepts it, since the update does not change it").AtMost(lint.Warning)
				}
			}
		},
	},
	refusal("object-rule-error", "objects for which a validation rule ends in an error", func(p *objectpass.Pass, c *request.Cause) {
		why := text.Sprintf("ends in an error")
		if c.Detail != "" {
			why = text.Sprintf("ends in an error, %s", text.Foreign(c.Detail))
		}
		p.ReportCausef(c, "a rule for %s %s: %s", words.PathName(c.Path), why, ruleText(c))
	}),
	refusal("object-rule-cost", "objects that are too large for the validation rules", func(p *objectpass.Pass, c *request.Cause) {
		if c.Failure == request.TotalCost {
			p.ReportCausef(c, "the rules for %s cost more than the API server allows for an object; others may not have run", words.PathName(c.Path))
			return
		}
		p.ReportCausef(c, "a rule for %s costs more than the API server allows: %s", words.PathName(c.Path), ruleText(c))
	}),
	{
		ID:       "object-rules-not-run",
		Summary:  "objects whose validation rules are not evaluated, as they are refused before",
		Severity: lint.Info,
		Run: refusing(func(p *objectpass.Pass, c *request.Cause) {
			p.Report(c.Path, "validation rules run only when the other errors are fixed; they may refuse the object as well")
		}),
	},
}

// explainObjectRule says what the author of a rule says to those who break it.
func explainObjectRule(p *objectpass.Pass, c *request.Cause, more string) *engine.Finding {
	message := strings.TrimSpace(c.Detail)
	if message == "" || strings.HasPrefix(message, "failed rule: ") {
		return p.ReportCausef(c, "%s breaks the rule %s%s", words.PathName(c.Path), ruleText(c), more)
	}
	return p.ReportCausef(c, "%s: %s%s", words.PathName(c.Path), text.Reason(message), more)
}

// ruleText is the expression of the rule that a cause is about.
func ruleText(c *request.Cause) text.Text {
	if c.Schema == nil || c.Rule < 0 || c.Rule >= len(c.Schema.XValidations) {
		return text.Sprintf("of its schema")
	}
	return text.Foreign(text.OneLine(c.Schema.XValidations[c.Rule].Rule))
}
