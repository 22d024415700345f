package changes

import (
	"slices"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// judgeOther looks at changes outside of junctors that constrain more than the value of one field.
func judgeOther(p *engine.Pass, c *compare.Change) *remark {
	if c.Effect < compare.Tightens {
		return nil
	}
	switch c.Field {
	case "schema": // of a version
		if inUse(p, c.Version) {
			return newRemark(lint.Warning, "a schema was added{in}; objects were not validated before, and those that do not match it are now rejected")
		}
	case "nullable":
		return judgeNullable(c)
	case "properties":
		return judgeProperty(c)
	case "additionalProperties":
		return newRemark(lint.Warning, "%s: schema of the values added{in}; values that do not match it are now rejected", fieldOf(c, ""))
	case "items":
		return newRemark(lint.Warning, "%s: schema of the items added{in}; items that do not match it are now rejected", fieldOf(c, ""))
	case "x-kubernetes-embedded-resource":
		return newRemark(lint.Error, "%s is now an embedded resource{in}; without a valid apiVersion and kind it is rejected", fieldOf(c, "")).
			lasting(c, "")
	case "$ref", "patternProperties", "dependencies", "additionalItems":
		return newRemark(lint.Error, "%s: %s changed{in}; objects that break it are now rejected", fieldOf(c, ""), c.Field)
	}
	return nil
}

// judgeNullable says what becomes of null where it is not allowed any more: the server drops it from an object before it
// validates, which matters if the field is required. In a list it stays, and is refused.
func judgeNullable(c *compare.Change) *remark {
	n := c.Node
	switch {
	case c.Kind == compare.Added:
		return newRemark(lint.Warning, "%s is now nullable{in}, but has an enum, so null is now rejected rather than dropped", fieldOf(c, ""))
	case n.Via == "items" || n.Required() && n.New.Default == nil:
		return newRemark(lint.Error, "%s is no longer nullable{in}; null is now rejected", fieldOf(c, ""))
	}
	return newRemark(lint.Warning, "%s is no longer nullable{in}; null is now dropped", fieldOf(c, ""))
}

// judgeProperty looks at a property that is declared where anything was kept.
func judgeProperty(c *compare.Change) *remark {
	if c.Kind == compare.Removed {
		return newRemark(lint.Error, "%s was removed{in} where unknown fields are rejected; objects that have it are now rejected", fieldOf(c, c.Item))
	}
	if compare.AcceptsAnything(c.New) {
		return nil
	}
	severity := lint.Info // CRDs that keep everything declare fields all the time
	if c.Node.KeptHere() {
		severity = lint.Warning
	}
	return newRemark(severity, "%s now has a schema{in}; values kept there so far that do not match it are rejected", fieldOf(c, c.Item))
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
		if found.severity == lint.Warning || !anchor.IsScalar() {
			found.severity = lint.Warning
		}
		what := found.consequence("")
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
		refused := text.Sprintf("conditions that break it are now rejected")
		if len(required) > 0 {
			refused = text.Sprintf("conditions without %s are now rejected, among others", text.Names(required))
		}
		r := newRemark(lint.Error, "%s: validation of metav1.Condition added{in}; %s", text.Path(n.Path), refused)
		r.field = n.Path
		all = append(all, r.about(c))
	}
	return all
}
