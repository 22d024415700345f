package rules

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
		NeedsOld: true,
		Doc: `Objects that have the value are refused when they are next written. An enum where there was none forbids every
value that it does not list, unless the bounds of an integer let through no other, which is found out for up to a
thousand. Each value is a finding of its own: whoever accepts that one goes has not accepted that
another does. More than 500 of one field are one finding, whose path stands for these values and no others.

**What to do**: keep the value, describe it as deprecated, and let the controller treat it like its successor.

**When to ignore it**: the version is alpha, or the value never worked.

**Source**: ` + changingDocs + `.`,
		Run: func(p *engine.Pass) {
			inSchemas(judgeNewEnum)(p)
			eachValue(p, compare.Removed, func(c *compare.Change) func(values []string) *remark {
				field, severity := fieldOf(c, ""), refuses(c.Node, "enum").severity
				return func(values []string) *remark {
					return say(severity, "%s: %s removed{in}; objects with such a value are now rejected", field, valuesOfField(values))
				}
			})
		},
	},
	{
		ID:       "enum-value-added",
		Summary:  "enum values that are new",
		Severity: lint.Info,
		NeedsOld: true,
		Doc: `The API server does not mind, but clients that were written for the old values may not know what to do with
another one: a switch without a default, a generated enum type.

**What to do**: say in the field's description from the start that values may be added.

**When to ignore it**: clients only write the field.

**Source**: ` + changingDocs + `.`,
		Run: func(p *engine.Pass) {
			eachValue(p, compare.Added, func(c *compare.Change) func(values []string) *remark {
				field := fieldOf(c, "")
				return func(values []string) *remark {
					return say(lint.Info, "%s: %s added{in}; older clients may not know %s", field, valuesOfField(values), text.Verb(len(values), "it", "them"))
				}
			})
		},
	},
	{
		ID:       "constraint-tightened",
		Summary:  "validation that refuses what was accepted",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Objects that break the new constraint are refused when they are next written, and so are users' manifests. Since
Kubernetes 1.30 an update may leave a field alone that is invalid already; creating is refused all the same.

For single values crdlift looks for one that the old schema accepts and the new one refuses, with the API server's own
validation: the smallest that it finds is in the message. Without one, and where anyOf, oneOf or not make it hard to
tell, the finding is a warning. When only texts with line breaks or control characters are refused, it is an info. Wider
bounds, and bounds that every value of the old enum keeps, are not reported. All constraints of a field are one finding, and
so are those of a condition that becomes a metav1.Condition.

**What to do**: keep the old constraint in this version, and let the controller report bad values in the status; or put
the new constraint in a new version.

**When to ignore it**: no object with such a value ever worked.

**Source**: ` + changingDocs + `; "Validation ratcheting",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting.`,
		Run: func(p *engine.Pass) {
			inSchemas(judgeOther)(p)
			remarks(p, slices.Concat(boundRemarks(p), conditionRemarks(p), junctorRemarks(p), schemaRemarks(p)))
		},
	},
	{
		ID:       "validation-rule-added",
		Summary:  "new CEL rules",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `Objects that break the rule are refused when they are next written. Whether there are any cannot be told from the
rule. A rule that only compares with oldSelf concerns updates, not what is stored, and is reported as info. A rule that
changed counts as new, unless only its white space, parentheses that make no difference or comments did.

**What to do**: make sure that no object can break the rule, or let it pass what is unchanged:
` + "`self == oldSelf || ...`" + ` with ` + "`optionalOldSelf: true`" + `.

**When to ignore it**: what the rule forbids never worked.

**Source**: "Validation rules",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.`,
		Run: inSchemas(func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "x-kubernetes-validations" || c.Effect < compare.Tightens {
				return nil
			}
			rule, _ := c.New.(map[string]any)
			text := quoted(text.OneLine(c.Item))
			if c.Kind == compare.Changed {
				return say(lint.Warning, "%s: optionalOldSelf changed{in} in the rule %s", fieldOf(c, ""), text)
			}
			if strings.Contains(c.Item, "oldSelf") && rule["optionalOldSelf"] != true {
				return say(lint.Info, "%s: rule about updates added{in}: %s", fieldOf(c, ""), text)
			}
			return say(lint.Warning, "%s: rule added{in} that stored objects may break: %s", fieldOf(c, ""), text)
		}),
	},
	{
		ID:       "list-type-changed",
		Summary:  "lists and maps that merge in another way",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type say what server-side apply takes for one
value. When they change, the ownership that is recorded in managed fields no longer fits: the next apply may duplicate,
drop or take over entries. A list that becomes a set or a map also refuses equal items, or items with equal keys, which
stored objects may have.

What a newer k8s.io/api brings along is known: selectors and references that become atomic are not reported, and lists of
a pod or a container that merge by Kubernetes' own keys are an info.

**What to do**: keep them. A list that must become a map is best introduced under another name, or in a new version.

**When to ignore it**: the list was never given in full by more than one manager, and has no duplicates.

**Source**: "Merge strategy", https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy.`,
		Run: inSchemas(func(p *engine.Pass, c *compare.Change) *remark {
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
			return say(severity, "%s: %s changed from %s to %s{in}; server-side apply merges it differently", fieldOf(c, ""), what, wordOf(c.Old), wordOf(c.New))
		}),
	},
}
