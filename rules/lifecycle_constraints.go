package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

// constraintRules are about values that were accepted and are refused.
var constraintRules = []*lint.Rule{
	{
		ID:       "enum-value-removed",
		Summary:  "enum values that are no longer allowed",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Objects that have the value are refused when they are next written. An enum where there was none forbids every
value that it does not list.

**What to do**: keep the value, describe it as deprecated, and let the controller treat it like its successor.

**When to ignore it**: the version is alpha, or the value never worked.

**Source**: ` + changingDocs + `.`,
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "enum" || c.Effect != compare.Tightens {
				return "", lint.Off
			}
			example, proven := refusalOf(c.Node, c.Field)
			if c.Kind == compare.Added {
				return fieldOf(c, "") + " allows only " + someValues(c.New) + " now{in}" + example, proven
			}
			return fieldOf(c, "") + " no longer allows " + someValues(c.Old) + "{in}; objects with it are refused", proven
		}),
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
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "enum" || c.Kind != compare.Added || c.Effect != compare.Loosens {
				return "", lint.Off
			}
			return fieldOf(c, "") + " allows " + someValues(c.New) + " now{in}; older clients may not know it", lint.Info
		}),
	},
	{
		ID:       "constraint-tightened",
		Summary:  "validation that refuses what was accepted",
		Severity: lint.Error,
		NeedsOld: true,
		Doc: `Objects that break the new constraint are refused when they are next written, and so are users' manifests. Since
Kubernetes 1.30 an update may leave a field alone that is invalid already; creating is refused all the same.

For single values crdlift looks for one that the old schema accepts and the new one refuses, with the API server's own
validation: what it finds is in the message. Without one, and where anyOf, oneOf or not make it hard to tell, the
finding is a warning. Wider bounds are not reported.

**What to do**: keep the old constraint in this version, and let the controller report bad values in the status; or put
the new constraint in a new version.

**When to ignore it**: no object with such a value ever worked.

**Source**: ` + changingDocs + `; "Validation ratcheting",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting.`,
		Run: func(p *lint.Pass) {
			inManyFields(judgeConstraint)(p)
			remarks(p, slices.Concat(junctorRemarks(p), schemaRemarks(p)))
		},
	},
	{
		ID:       "validation-rule-added",
		Summary:  "new CEL rules",
		Severity: lint.Warning,
		NeedsOld: true,
		Doc: `Objects that break the rule are refused when they are next written. Whether there are any cannot be told from the
rule. A rule that only compares with oldSelf concerns updates, not what is stored, and is reported as info; a rule
whose text changed counts as new.

**What to do**: make sure that no object can break the rule, or let it pass what is unchanged:
` + "`self == oldSelf || ...`" + ` with ` + "`optionalOldSelf: true`" + `.

**When to ignore it**: what the rule forbids never worked.

**Source**: "Validation rules",
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.`,
		Run: inSchemas(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			if c.Field != "x-kubernetes-validations" || c.Effect < compare.Tightens {
				return "", lint.Off
			}
			rule, _ := c.New.(map[string]any)
			if c.Kind == compare.Changed {
				return fieldOf(c, "") + " has another optionalOldSelf{in} in the rule " + quoted(wording.OneLine(c.Item)).String(), lint.Warning
			}
			if strings.Contains(c.Item, "oldSelf") && rule["optionalOldSelf"] != true {
				return fieldOf(c, "") + " has a new rule about updates{in}: " + quoted(wording.OneLine(c.Item)).String(), lint.Info
			}
			return fieldOf(c, "") + " has a new rule{in}, which may refuse stored objects: " + quoted(wording.OneLine(c.Item)).String(), lint.Warning
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

**What to do**: keep them. A list that must become a map is best introduced under another name, or in a new version.

**When to ignore it**: the list was never given in full by more than one manager, and has no duplicates.

**Source**: "Merge strategy", https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy.`,
		Run: inManyFields(func(p *lint.Pass, c *compare.Change) (string, lint.Severity) {
			what := map[string]string{
				"x-kubernetes-list-type": "a list of type", "x-kubernetes-map-type": "a map of type", "x-kubernetes-list-map-keys": "a list with the keys",
			}[c.Field]
			if what == "" || fmt.Sprint(c.Old) == fmt.Sprint(c.New) {
				return "", lint.Off
			}
			return fieldOf(c, "") + " was " + what + " " + jsonText(c.Old) + " and is " + jsonText(c.New) + "{in}; server-side apply merges it differently", lint.Warning
		}),
	},
}

// refusalOf says how sure it is that a tighter keyword refuses something: an error with an example for the message, or
// a warning where none is found for a single value.
func refusalOf(n *compare.Node, keyword string) (example string, severity lint.Severity) {
	v, found, tried := n.Witness(keyword)
	switch {
	case found:
		if text, ok := v.(string); ok && len(text) > 40 {
			return fmt.Sprintf("; a text of %d characters is refused", len([]rune(text))), lint.Error
		}
		return "; " + jsonText(v) + " is refused", lint.Error
	case tried:
		return "", lint.Warning
	}
	return "; what breaks it is refused", lint.Error
}

// elsewhere are keywords that other rules speak about.
var elsewhere = []string{
	"type", "enum", "required", "default", "x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type",
}

// judgeConstraint looks at changes outside of junctors.
func judgeConstraint(_ *lint.Pass, c *compare.Change) (string, lint.Severity) {
	if c.Effect < compare.Tightens || slices.Contains(elsewhere, c.Field) || c.Field == "schema" {
		return "", lint.Off
	}
	switch c.Field {
	case "nullable":
		if c.Kind == compare.Added {
			return fieldOf(c, "") + " may be null now{in}, but its enum does not list null, which is refused where it was dropped", lint.Warning
		}
		follows, severity := afterNull(c)
		return fieldOf(c, "") + " may not be null any more{in}" + follows, severity
	case "properties":
		return judgeProperty(c)
	case "additionalProperties":
		return fieldOf(c, "") + " has a schema for the values of its fields now{in}; what does not match is refused", lint.Warning
	case "items":
		return fieldOf(c, "") + " has a schema for its items now{in}; what does not match is refused", lint.Warning
	case "x-kubernetes-embedded-resource":
		return fieldOf(c, "") + " is an embedded resource now{in}; without apiVersion, kind and valid metadata it is refused", lint.Error
	}
	example, severity := refusalOf(c.Node, c.Field)
	return fieldOf(c, "") + ": " + c.Field + " " + became(c.Old) + " " + terse(c.New) + "{in}" + example, severity
}

func became(old any) string {
	if old == nil {
		return "is new:"
	}
	return "was " + terse(old) + " and is"
}

// afterNull says what becomes of null where it is not allowed any more: the server drops it from an object before it
// validates, which matters if the field is required. In a list it stays, and is refused.
func afterNull(c *compare.Change) (string, lint.Severity) {
	n := c.Node
	if n.Via == "items" || n.Required() && n.New.Default == nil {
		return "; null is refused", lint.Error
	}
	return "; null is dropped", lint.Warning
}

// judgeProperty looks at a property that is declared where anything was kept.
func judgeProperty(c *compare.Change) (string, lint.Severity) {
	if c.Kind == compare.Removed {
		return fieldOf(c, c.Item) + " is no longer declared{in}, and fields that are not are refused", lint.Error
	}
	if compare.AcceptsAnything(c.New) {
		return "", lint.Off
	}
	severity := lint.Info // CRDs that keep everything declare fields all the time
	if c.Node.KeptHere() {
		severity = lint.Warning
	}
	return fieldOf(c, c.Item) + " has a schema now{in}; values that were kept there and do not match are refused", severity
}

// junctorRemarks say that the junctors of a field became stricter, once for each of the field's.
func junctorRemarks(p *lint.Pass) []remark {
	type place struct {
		version, path, junctor string
	}
	seen := map[place]bool{}
	var all []remark
	for _, c := range comparison(p).Changes {
		if c.Node == nil || !inUse(p, c.Version) || !inJunctor(c) || c.Effect < compare.Tightens {
			continue
		}
		anchor := c.Node.Anchor()
		at := place{c.Version, anchor.Path, changedJunctor(c)}
		if seen[at] || retypedAbove(anchor) {
			continue
		}
		seen[at] = true
		example, severity := refusalOf(anchor, at.junctor)
		if severity == lint.Warning || !anchor.IsScalar() {
			example, severity = "; objects may be refused", lint.Warning
		}
		path := fieldOf(&compare.Change{Node: anchor}, "")
		all = append(all, remark{path + ": " + at.junctor + " " + junctorSummary(c, at.junctor) + "{in}" + example, severity, c})
	}
	return all
}

func retypedAbove(n *compare.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Retyped() {
			return true
		}
	}
	return false
}

// junctorSummary is the first thing that changed in a junctor.
func junctorSummary(c *compare.Change, junctor string) string {
	switch {
	case c.Field == junctor && c.Kind == compare.Added && c.Item == "":
		return "is new"
	case c.Field == junctor && c.Kind == compare.Added:
		return "has another branch"
	case c.Field == junctor && c.Kind == compare.Removed && c.Item != "":
		return "lost a branch"
	case c.Field == junctor:
		return "changed"
	case c.Item != "" && c.Field != "x-kubernetes-validations":
		return "is stricter (" + c.Field + ": " + quoted(c.Item).String() + " " + c.Kind.String() + ")"
	}
	return "is stricter (" + c.Field + " " + c.Kind.String() + ")"
}

// schemaRemarks are about versions that had no schema.
func schemaRemarks(p *lint.Pass) []remark {
	var all []remark
	for _, c := range versionChanges(p, "schema") {
		if c.Effect == compare.Tightens && inUse(p, c.Version) {
			all = append(all, remark{"there is a schema now{in}; objects were not validated before, and those that do not match are refused", lint.Warning, c})
		}
	}
	return all
}

// someValues lists the first values of an enum.
func someValues(v any) string {
	values, _ := v.([]string)
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = wording.Cut(value, 24)
	}
	return names(all).String()
}
