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
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// constraintRules are about values that were accepted and are rejected.
var constraintRules = []*engine.Rule{
	crds.Check(lint.Error, "enum-value-removed", "enum values that are no longer allowed", func(p *engine.Pass) {
		judgeEach(p, schemaChanges(p), judgeNewEnum)
		eachValue(p, compare.Removed, func(c *compare.Change) func(values []string) *remark {
			field, severity := fieldOf(c, ""), refusalOf(c.Node, "enum").severity
			return func(values []string) *remark {
				return newRemark(severity, "%s: %s removed{in}; objects with such a value are now rejected", field, valuesOfField(values)).advise(findThem)
			}
		})
	}),
	crds.Check(lint.Info, "enum-value-added", "enum values that are new", func(p *engine.Pass) {
		eachValue(p, compare.Added, func(c *compare.Change) func(values []string) *remark {
			field := fieldOf(c, "")
			return func(values []string) *remark {
				return newRemark(lint.Info, "%s: %s added{in}; older clients may not know %s; update them first", field, valuesOfField(values), text.Verb(len(values), "it", "them"))
			}
		})
	}),
	crds.Check(lint.Error, "constraint-tightened", "validation that rejects values that were accepted", func(p *engine.Pass) {
		judgeEach(p, causes(p), judgeOther)
		remarks(p, slices.Concat(boundRemarks(p), conditionRemarks(p), junctorRemarks(p)))
	}),
	judging("validation-rule-added", "new CEL rules", lint.Error, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "x-kubernetes-validations" || c.Kind == compare.Removed {
				return nil
			}
			rule, _ := c.New.(map[string]any)
			said, verb := text.Quoted(text.OneLine(c.Item)), "added"
			onUpdates := strings.Contains(c.Item, "oldSelf")
			if was, _ := c.Old.(map[string]any); c.Kind == compare.Changed {
				switch {
				case (was["optionalOldSelf"] == true) != (rule["optionalOldSelf"] == true):
					return newRemark(lint.Warning, "%s: optionalOldSelf changed{in}, and with it whether creations are checked; check that manifests pass the rule %s", fieldOf(c, ""), said)
				case c.Effect == compare.Neutral:
					return nil
				}
				said, verb = text.Sprintf("from %s to %s", text.Quoted(text.OneLine(fmt.Sprint(was["rule"]))), said), "changed"
			}
			if c.Effect < compare.Tightens {
				return newRemark(lint.Info, "%s: rule loosened{in}, %s; nothing to do, as what passed before still passes", fieldOf(c, ""), said)
			}
			switch optional := rule["optionalOldSelf"] == true; {
			case onUpdates && !optional:
				return newRemark(lint.Info, "%s: rule about updates %s{in}: %s; check that clients keep to the rule", fieldOf(c, ""), verb, said)
			case !onUpdates:
				if r := lastingRule(p, c, verb, said); r != nil {
					return r
				}
			}
			return newRemark(lint.Warning, "%s: rule %s{in} that stored objects may break: %s", fieldOf(c, ""), verb, said).advise(findThem)
		}),
	judging("list-type-changed", "lists and maps that merge in another way", lint.Warning, schemaChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			what := mergeKeywords[c.Field]
			if what == "" || fmt.Sprint(c.Old) == fmt.Sprint(c.New) || c.FromKubernetes() {
				return nil
			}
			severity := lint.Warning
			if c.MergesAsInPod() {
				severity = lint.Info
			}
			return newRemark(severity, "%s: %s changed from %s to %s{in}; "+mergedAs(c), fieldOf(c, ""), what, wordOf(c.Old), wordOf(c.New)).
				advise("keep the " + what)
		}),
}

// mergeKeywords are about how lists and maps merge, with what messages call them.
var mergeKeywords = map[string]string{
	"x-kubernetes-list-type": "list type", "x-kubernetes-map-type": "map type", "x-kubernetes-list-map-keys": "list map keys",
}

// mergedAs says what the next server-side apply makes of a list or map that is merged in another way. Who applied an atomic one owns
// none of its parts, and so removes none; who owns a part of what is atomic now owns all of it, with everybody else.
func mergedAs(c *compare.Change) string {
	parts := "items"
	if c.Field == "x-kubernetes-map-type" {
		parts = "fields"
	}
	switch {
	case c.Old == "atomic":
		return "after server-side apply, " + parts + " that manifests leave out stay"
	case c.New == "atomic":
		return "field managers of its " + parts + " conflict in server-side apply"
	}
	return "server-side apply merges it differently"
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
	values := crds.Mapped(c.New.([]any), words.JSONOf)
	return found.say("%s: enum %s added{in}; %s", fieldOf(c, ""), text.Names(values), found.consequence("other values are", nowRefused)).lasting(c, "")
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
	for _, changes := range ordered.Grouped(values, func(c *compare.Change) *compare.Node { return c.Node }) {
		values := crds.Mapped(changes, func(c *compare.Change) string { return words.JSONOf(valueOfEnum(c)) })
		of, among := about(changes[0]), digest(values)
		if len(values) > manyValues {
			r := of(values)
			r.old, r.new = valuesOf(changes)
			r.set = fmt.Sprintf("%d values, %s", len(values), digest(slices.Sorted(slices.Values(values)))) // in whatever order they stand
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
	all := crds.Mapped(changes, valueOfEnum)
	if changes[0].Kind == compare.Removed {
		return all, nil
	}
	return nil, all
}

// valuesOfField says of values of an enum, in JSON, that they are such.
func valuesOfField(values []string) text.Text {
	return text.Sprintf("enum %s %s", text.Verb(len(values), "value", "values"), text.Names(values))
}

// digest is a short text that is the same for the same texts.
func digest(texts []string) string {
	h := fnv.New64a()
	for _, text := range texts {
		io.WriteString(h, text+"\n")
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// judgeOther looks at changes outside of junctors that constrain more than the value of one field.
func judgeOther(p *engine.Pass, c *compare.Change) *remark {
	if c.Effect < compare.Tightens {
		return nil
	}
	switch c.Field {
	case "schema": // of a version
		if inUse(p, c.Version) {
			return newRemark(lint.Warning, "a schema was added{in}; objects were not validated before, and those that do not match it are now rejected").advise(findThem)
		}
	case "nullable":
		return judgeNullable(c)
	case "properties":
		return judgeProperty(c)
	case "additionalProperties":
		return newRemark(lint.Warning, "%s: schema of the values added{in}; values that do not match it are now rejected", fieldOf(c, "")).advise(findThem)
	case "items":
		return newRemark(lint.Warning, "%s: schema of the items added{in}; items that do not match it are now rejected", fieldOf(c, "")).advise(findThem)
	case "x-kubernetes-embedded-resource":
		return newRemark(lint.Error, "%s is now an embedded resource{in}; without a valid apiVersion and kind it is rejected", fieldOf(c, "")).
			lasting(c, "")
	case "$ref", "patternProperties", "dependencies", "additionalItems":
		return newRemark(lint.Error, "%s: %s changed{in}; objects that break it are now rejected", fieldOf(c, ""), c.Field).advise(findThem)
	}
	return nil
}

// judgeNullable says what becomes of null where it is not allowed any more: the server drops it from an object before it
// validates, which matters if the field is required. In a list it stays, and is rejected.
func judgeNullable(c *compare.Change) *remark {
	n := c.Node
	switch {
	case c.Kind == compare.Added:
		return newRemark(lint.Warning, "%s is now nullable{in}, but has an enum, so null is now rejected instead of dropped", fieldOf(c, "")).advise("remove nullable")
	case n.Via == "items" || n.Required() && n.New.Default == nil:
		return newRemark(lint.Error, "%s is no longer nullable{in}; null is now rejected", fieldOf(c, "")).advise(findThem)
	}
	return newRemark(lint.Warning, "%s is no longer nullable{in}; null is now dropped", fieldOf(c, "")).advise("leave the field out instead")
}

// judgeProperty looks at a property that is declared where anything was kept.
func judgeProperty(c *compare.Change) *remark {
	if c.Kind == compare.Removed {
		return newRemark(lint.Error, "%s was removed{in} where unknown fields are rejected; objects that have it are now rejected", fieldOf(c, c.Item)).advise(findThem)
	}
	if compare.AcceptsAnything(c.New) {
		return nil
	}
	severity := lint.Info // CRDs that keep everything declare fields all the time
	if c.Node.KeptHere() {
		severity = lint.Warning
	}
	return newRemark(severity, "%s now has a schema{in}; values kept there so far that do not match it are rejected", fieldOf(c, c.Item)).advise(findThem)
}

// junctorRemarks say that the junctors of a field became stricter, once for each of the field's.
func junctorRemarks(p *engine.Pass) []*remark {
	type place struct {
		version, path, junctor string
	}
	seen := map[place]bool{}
	var all []*remark
	for _, c := range comparison(p).Changes {
		if c.Node == nil || !inUse(p, c.Version) || !inJunctor(c) || c.Effect < compare.Tightens {
			continue
		}
		anchor := c.Node.Anchor()
		at := place{c.Version, anchor.Path, changedJunctor(c)}
		if seen[at] || retypedAbove(anchor) || condition(anchor) != nil {
			continue
		}
		seen[at] = true
		found := refusalOf(anchor, at.junctor)
		if found.severity == lint.Off {
			continue
		}
		if !anchor.IsScalar() {
			found.severity = lint.Warning
		}
		what := found.consequence("", nowRefused)
		if !found.Found {
			what = text.Sprintf("objects may now be rejected")
		}
		r := found.say("%s: %s %s{in}; %s", fieldOf(&compare.Change{Node: anchor}, ""), at.junctor, junctorSummary(c, at.junctor), what).lasting(c, "")
		r.field = anchor.Path
		all = append(all, r.about(c))
	}
	return all
}

// junctorSummary is the first thing that changed in a junctor.
func junctorSummary(c *compare.Change, junctor string) text.Text {
	switch {
	case c.Field == junctor && c.Kind == compare.Added && c.Item == "":
		return text.Sprintf("added")
	case c.Field == junctor && c.Kind == compare.Added:
		return text.Sprintf("has one more branch")
	case c.Field == junctor && c.Kind == compare.Removed && c.Item != "":
		return text.Sprintf("lost a branch")
	case c.Field == junctor:
		return text.Sprintf("changed")
	case c.Item != "" && c.Field != "x-kubernetes-validations":
		return text.Sprintf("became stricter (%s: %s %s)", c.Field, text.Quoted(c.Item), c.Kind)
	}
	return text.Sprintf("became stricter (%s %s)", c.Field, c.Kind)
}

// conditionRemarks say that conditions got the validation of metav1.Condition, once for each list of them.
func conditionRemarks(p *engine.Pass) []*remark {
	seen := map[*compare.Node]bool{}
	var all []*remark
	for _, c := range comparison(p).Changes {
		if c.Node == nil || !inUse(p, c.Version) || c.Effect < compare.Tightens || c.Loses {
			continue
		}
		n := condition(c.Node)
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		var required []string
		for _, name := range n.New.Required {
			if !slices.Contains(n.Old.Required, name) {
				required = append(required, name)
			}
		}
		slices.Sort(required)
		refused := text.Sprintf("those that break it are rejected")
		if len(required) > 0 {
			refused = text.Sprintf("those without %s are rejected", text.Names(required))
		}
		r := newRemark(lint.Error, "%s: validated as metav1.Condition{in}; %s", text.Path(n.Path), refused).advise(findThem)
		r.field = n.Path
		all = append(all, r.about(c))
	}
	return all
}
