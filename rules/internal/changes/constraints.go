package changes

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// constraintRules are about values that were accepted and are refused.
var constraintRules = []*engine.Rule{
	crds.Check(lint.Error, "enum-value-removed", "enum values that are no longer allowed", func(p *engine.Pass) {
		judgeEach(p, schemaChanges(p), judgeNewEnum)
		eachValue(p, compare.Removed, func(c *compare.Change) func(values []string) *remark {
			field, severity := fieldOf(c, ""), refusalOf(c.Node, "enum").severity
			return func(values []string) *remark {
				return newRemark(severity, "%s: %s removed{in}; objects with such a value are now rejected", field, valuesOfField(values))
			}
		})
	}),
	crds.Check(lint.Info, "enum-value-added", "enum values that are new", func(p *engine.Pass) {
		eachValue(p, compare.Added, func(c *compare.Change) func(values []string) *remark {
			field := fieldOf(c, "")
			return func(values []string) *remark {
				return newRemark(lint.Info, "%s: %s added{in}; older clients may not know %s", field, valuesOfField(values), text.Verb(len(values), "it", "them"))
			}
		})
	}),
	crds.Check(lint.Error, "constraint-tightened", "validation that refuses values that were accepted", func(p *engine.Pass) {
		judgeEach(p, causes(p), judgeOther)
		remarks(p, slices.Concat(boundRemarks(p), conditionRemarks(p), junctorRemarks(p)))
	}),
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

// judgeNewEnum looks at enums where there were none.
func judgeNewEnum(_ *engine.Pass, c *compare.Change) *remark {
	if c.Field != "enum" || c.Effect != compare.Tightens || c.Item != "" {
		return nil
	}
	found := refusalOf(c.Node, c.Field)
	if found.severity == lint.Off {
		return nil
	}
	var values []string
	for _, v := range c.New.([]any) {
		values = append(values, words.JSONOf(v))
	}
	return found.say("%s: enum %s added{in}; %s", fieldOf(c, ""), text.Names(values), found.consequence("other values are")).lasting(c, "")
}

// manyValues are more than anybody accepts one by one: they are told in one finding, at the first of them. Its path stands
// for exactly these values: who accepted them has not accepted others.
const manyValues = 500

// eachValue reports the values that enums got or lost, each in a finding of its own. What there is to say of a field is
// made from values of it, in JSON.
func eachValue(p *engine.Pass, kind compare.Kind, about func(*compare.Change) func(values []string) *remark) {
	values := slices.DeleteFunc(slices.Clone(schemaChanges(p)), func(c *compare.Change) bool {
		return c.Field != "enum" || c.Item == "" || c.Kind != kind || valueOfEnum(c) == nil // null is never accepted by an enum
	})
	var all []*remark
	for _, changes := range crds.Grouped(values, func(c *compare.Change) *compare.Node { return c.Node }) {
		values := make([]string, len(changes))
		for i, c := range changes {
			values[i] = words.JSONOf(valueOfEnum(c))
		}
		of, among := about(changes[0]), digest(values)
		if len(values) > manyValues {
			r := of(values)
			r.old, r.new = valuesOf(changes)
			r.set = setOf(values)
			all = append(all, r.about(changes[0]))
			continue
		}
		for i, c := range changes {
			r := of(values[i : i+1])
			r.of, r.item, r.among = of, values[i], among
			all = append(all, r.about(c))
		}
	}
	remarks(p, all) // without those of severity Off
}

// valueOfEnum is the value of an enum that a change is about.
func valueOfEnum(c *compare.Change) any {
	if c.Kind == compare.Removed {
		return c.Old
	}
	return c.New
}

// valuesOf are the values of enums that changes are about, as those of the old and of the new side.
func valuesOf(changes []*compare.Change) (old, new any) {
	all := make([]any, len(changes))
	for i, c := range changes {
		all[i] = valueOfEnum(c)
	}
	if changes[0].Kind == compare.Removed {
		return all, nil
	}
	return nil, all
}

// valuesOfField says of values of an enum, in JSON, that they are such.
func valuesOfField(values []string) text.Text {
	return text.Sprintf("enum %s %s", text.Verb(len(values), "value", "values"), text.Names(values))
}

// setOf names a set of values in a path, in whatever order they stand.
func setOf(values []string) string {
	return fmt.Sprintf("%d values, %s", len(values), digest(slices.Sorted(slices.Values(values))))
}

// digest is a short text that is the same for the same texts.
func digest(texts []string) string {
	h := fnv.New64a()
	for _, text := range texts {
		io.WriteString(h, text+"\n")
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
