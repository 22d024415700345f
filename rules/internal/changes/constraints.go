package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// constraintRules are about values that were accepted and are refused.
var constraintRules = []*engine.Rule{
	{
		ID:       "enum-value-removed",
		Summary:  "enum values that are no longer allowed",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			judgeEach(p, schemaChanges(p), judgeNewEnum)
			eachValue(p, compare.Removed, func(c *compare.Change) func(values []string) *remark {
				field, severity := fieldOf(c, ""), refusalOf(c.Node, "enum").severity
				return func(values []string) *remark {
					return newRemark(severity, "%s: %s removed{in}; objects with such a value are now rejected", field, valuesOfField(values))
				}
			})
		},
	},
	{
		ID:       "enum-value-added",
		Summary:  "enum values that are new",
		Severity: lint.Info,
		Run: func(p *engine.Pass) {
			eachValue(p, compare.Added, func(c *compare.Change) func(values []string) *remark {
				field := fieldOf(c, "")
				return func(values []string) *remark {
					return newRemark(lint.Info, "%s: %s added{in}; older clients may not know %s", field, valuesOfField(values), text.Verb(len(values), "it", "them"))
				}
			})
		},
	},
	{
		ID:       "constraint-tightened",
		Summary:  "validation that refuses values that were accepted",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			judgeEach(p, causes(p), judgeOther)
			remarks(p, slices.Concat(boundRemarks(p), conditionRemarks(p), junctorRemarks(p)))
		},
	},
	judging("validation-rule-added", "new CEL rules", lint.Error, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "x-kubernetes-validations" || c.Effect < compare.Tightens {
				return nil
			}
			rule, _ := c.New.(map[string]any)
			text := text.Quoted(text.OneLine(c.Item))
			onUpdates := strings.Contains(c.Item, "oldSelf")
			if c.Kind == compare.Changed {
				return newRemark(lint.Warning, "%s: optionalOldSelf changed{in} in the rule %s", fieldOf(c, ""), text)
			}
			switch optional := rule["optionalOldSelf"] == true; {
			case onUpdates && !optional:
				return newRemark(lint.Info, "%s: rule about updates added{in}: %s", fieldOf(c, ""), text)
			case !onUpdates:
				if r := lastingRule(p, c, text); r != nil {
					return r
				}
			}
			return newRemark(lint.Warning, "%s: rule added{in} that stored objects may break: %s", fieldOf(c, ""), text)
		}),
	judging("list-type-changed", "lists and maps that merge in another way", lint.Warning, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			what := map[string]string{
				"x-kubernetes-list-type": "list type", "x-kubernetes-map-type": "map type", "x-kubernetes-list-map-keys": "list map keys",
			}[c.Field]
			if what == "" || fmt.Sprint(c.Old) == fmt.Sprint(c.New) || c.FromKubernetes() {
				return nil
			}
			severity := lint.Warning
			if c.MergesAsInPod() {
				severity = lint.Info
			}
			return newRemark(severity, "%s: %s changed from %s to %s{in}; server-side apply merges it differently", fieldOf(c, ""), what, wordOf(c.Old), wordOf(c.New))
		}),
}
