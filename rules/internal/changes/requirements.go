package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// Requirements are the rules about what a CRD lacks of another one that is needed, which is the earlier version of the comparison. The
// needed
// one has what a program was built for, so that it counts whatever the stability of a version is, and what the other has besides is
// nothing to say, unless the program may read objects that it does not expect.
var Requirements = func() []*engine.Rule {
	all := comparing([]*engine.Rule{
		judging("requirement-missing", "versions, fields and subresources that are needed and missing", lint.Error, needed, judgeMissing),
		judging("requirement-refused", "values that are rejected and needed", lint.Error, needed, judgeRefused),
		judging("requirement-loosened", "values that are accepted and that the CRD of --require rejects", lint.Warning, needed, judgeLoosened),
		judging("requirement-differs", "names, defaults and ways to merge that are not the needed ones", lint.Error, needed, judgeDifferent),
	})
	for _, r := range all {
		r.Requirement = true
	}
	return all
}()

// needed are the differences of versions that clients are served on both sides, and of the CRD as a whole. Of what is told as a whole it
// has one, rather one that rejects something.
func needed(p *engine.Pass) []*compare.Change {
	type key struct{}
	return engine.Memo(p, key{}, func() (all []*compare.Change) {
		type whole struct{ version, path, keyword string }
		seen := map[whole]bool{}
		for _, tight := range []bool{true, false} {
			all = append(all, changesThat(p, func(c *compare.Change) bool {
				old, new := oldVersion(p, c.Version), newVersion(p, c.Version)
				switch {
				case tight != (c.Effect >= compare.Tightens):
					return false
				case c.Version == "" || c.Field == "versions" || c.Field == "served":
					return true
				case old == nil || new == nil || !old.Served || !new.Served, retypedAbove(c.Node) && !(c.Field == "type" && c.Node.Retyped()):
					return false
				case c.Node == nil || c.Effect == compare.Neutral:
					return true
				}
				n, keyword, asWhole := toldOf(c)
				at := whole{c.Version, n.Path, keyword}
				again := asWhole && seen[at]
				seen[at] = true
				return !again
			})...)
		}
		return all
	})
}

// accepted is what becomes of a value that the CRD of --require rejects.
const accepted = "accepted"

// ofCondition is told in place of its keywords.
const ofCondition = "the validation of metav1.Condition"

// toldOf is the node and the keyword of it that a change is told of, which tightens or loosens something. A junctor and the validation of
// metav1.Condition are told as a whole.
func toldOf(c *compare.Change) (n *compare.Node, keyword string, whole bool) {
	tightens := c
	if c.Effect == compare.Loosens {
		tightens = c.Reversed()
	}
	if n := condition(tightens.Node); n != nil && !c.Loses {
		return n, ofCondition, true
	}
	if junctor := changedJunctor(c); junctor != "" {
		return tightens.Node.Anchor(), junctor, true
	}
	return tightens.Node, c.Field, false
}

func judgeMissing(p *engine.Pass, c *compare.Change) *remark {
	name, isSubresource := strings.CutPrefix(c.Field, "subresources.")
	name = strings.TrimSuffix(name, ".specReplicasPath")
	switch {
	case c.Field == "versions" && c.Kind == compare.Removed && oldVersion(p, c.Item).Served:
		return newRemark(lint.Error, "%s is missing, but the CRD of --require serves it; clients that use it get 404; add it", c.Item)
	case c.Field == "served" && c.Old == true:
		return newRemark(lint.Error, "the CRD of --require serves %s, which is not served here; clients that use it get 404; serve it", c.Version)
	case isSubresource && c.Kind == compare.Removed && (name == "status" || name == "scale"):
		return newRemark(lint.Error, "the %s subresource is missing{in}, but the CRD of --require has it; clients that use it get 404; add it", name)
	case c.Field == "selectableFields" && c.Kind == compare.Removed:
		return newRemark(lint.Error, "the selectable field %s is missing{in}, but the CRD of --require has it; clients that select by it get 400; add it", text.Quoted(c.Item))
	case !c.Loses:
		return nil
	case c.Node == nil:
		return newRemark(lint.Error, "%s is missing{in}, but the CRD of --require has it; fields that it keeps are dropped; add it", strings.TrimPrefix(c.Field, "spec."))
	case c.Field == "properties":
		return newRemark(lint.Error, "%s is missing{in}, but the CRD of --require has it; its values are dropped; declare it", fieldOf(c, c.Item))
	}
	return newRemark(lint.Error, "%s: %s is missing{in}, but the CRD of --require has it; fields that it keeps are dropped; add it", fieldOf(c, ""), c.Field)
}

func judgeRefused(p *engine.Pass, c *compare.Change) *remark {
	if c.Effect < compare.Tightens || c.Loses || mergeKeywords[c.Field] != "" {
		return nil
	}
	if c.Node == nil {
		return newRemark(lint.Warning, "there is a schema{in}, and the CRD of --require has none; objects that do not match it are rejected; loosen it")
	}
	n, keyword, whole := toldOf(c)
	switch {
	case whole:
	case c.Field == "enum" && c.Item != "":
		return refusalOf(c.Node, "enum").say("%s: the enum value %s is missing{in}, but the CRD of --require has it; objects with it are rejected; add it", fieldOf(c, ""), valueIn(c.Old))
	case c.Field == "required":
		return newRemark(lint.Error, "%s is required{in}, but optional in the CRD of --require; objects without it are rejected; make it optional", fieldOf(c, c.Item))
	case c.Field == "default":
		return newRemark(lint.Error, "%s is required{in}, but has the default %s in the CRD of --require; objects without it are rejected; add the default", fieldOf(c, ""), valueIn(c.Old))
	case c.Field == "nullable" && c.Kind == compare.Removed:
		r := judgeNullable(c)
		r.format = strings.NewReplacer("is no longer nullable{in}", "is not nullable{in}, but nullable in the CRD of --require", "now ", "").Replace(r.format)
		return r
	case c.Field == "nullable":
		return newRemark(lint.Warning, "%s is nullable{in}, but has an enum; null is rejected, but must be dropped; remove nullable", fieldOf(c, ""))
	case c.Field == "properties" && !compare.AcceptsAnything(c.New):
		return newRemark(lint.Warning, "%s has a schema{in}, but the CRD of --require accepts any value; values that do not match are rejected; loosen it", fieldOf(c, c.Item))
	case c.Field == "x-kubernetes-validations":
		return newRemark(lint.Warning, "%s: the rule %s{in} is not in the CRD of --require; objects that break it are rejected; remove it", fieldOf(c, ""), text.Quoted(text.OneLine(c.Item)))
	}
	return outOfBounds(c, n, keyword, "rejected")
}

func judgeLoosened(p *engine.Pass, c *compare.Change) *remark {
	if c.Effect != compare.Loosens && (c.Effect != compare.Either || judgeRefused(p, c) != nil) || c.Loses || mergeKeywords[c.Field] != "" {
		return nil
	}
	if c.Node == nil {
		return newRemark(lint.Warning, "a schema is missing{in}, but the CRD of --require has it; any object is accepted; add it")
	}
	n, keyword, whole := toldOf(c.Reversed())
	switch {
	case whole:
	case c.Field == "nullable":
		return newRemark(lint.Warning, "%s is nullable{in}, but not in the CRD of --require; null is accepted; remove nullable", fieldOf(c, ""))
	case c.Field == "type" && c.Node.Parent == nil, c.Kind == compare.Added && c.Field != "enum":
		return nil // what was dropped is kept
	case c.Field == "enum" && c.Item != "":
		return newRemark(lint.Warning, "%s: enum value %s is accepted{in}, but not in the CRD of --require; remove it, or have the program expect it", fieldOf(c, ""), valueIn(c.New))
	case c.Field == "required":
		if is, declared := c.Node.New.Properties[c.Item]; !declared || is.Default != nil {
			return nil // it is missing, which is told; or it is never left out
		}
		return newRemark(lint.Warning, "%s is optional{in}, but required in the CRD of --require; objects without it are accepted; require it", fieldOf(c, c.Item))
	case c.Field == "properties":
		if compare.AcceptsAnything(c.Old) || !c.Node.Keeps() && c.Node.New.AdditionalProperties == nil {
			return nil
		}
		return newRemark(lint.Warning, "%s: a schema is missing{in}, but the CRD of --require has it; any value is accepted; add it", fieldOf(c, c.Item))
	case c.Field == "x-kubernetes-validations":
		was, _ := c.Old.(map[string]any)
		rule := fmt.Sprint(was["rule"])
		if readsMissing(c.Node, rule) {
			return nil
		}
		return newRemark(lint.Warning, "%s: the rule %s is missing{in}, but the CRD of --require has it; objects that break it are accepted; add it", fieldOf(c, ""),
			text.Quoted(text.OneLine(rule)))
	}
	r := outOfBounds(c, n, keyword, accepted)
	if r != nil {
		r.severity = min(r.severity, lint.Warning)
	}
	return r
}

// readsMissing reports whether a rule of a node reads a field that is missing, which is told: no object has one.
func readsMissing(n *compare.Node, rule string) bool {
	paths := strings.FieldsFunc(rule, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(paths, func(path string) bool {
		name, isOwn := strings.CutPrefix(path, "self.")
		name, _, _ = strings.Cut(name, ".")
		_, was := n.Old.Properties[name]
		_, is := n.New.Properties[name]
		return isOwn && was && !is
	})
}

// wholeKeywords are those whose values are too long to be told.
var wholeKeywords = []string{"additionalProperties", "items", "$ref", "patternProperties", "dependencies", "additionalItems"}

// outOfBounds is what to say of a keyword of a node that rejects something on its new side only, which is that of the CRD of --require where
// it says what is accepted; nil where it rejects nothing.
func outOfBounds(c *compare.Change, n *compare.Node, keyword, becomes string) *remark {
	found := refusalOf(n, keyword)
	if found.severity == lint.Off {
		return nil
	}
	was, is, inWords := c.Limits()
	whole := keyword != c.Field || inJunctor(c) || slices.Contains(wholeKeywords, keyword)
	if whole && !found.Found && keyword != ofCondition { // nobody knows
		found.severity = min(found.severity, lint.Warning)
	}
	tightens := c
	if becomes == accepted {
		tightens = c.Reversed()
	}
	field, then := fieldOf(&compare.Change{Node: n}, ""), beyond(found, []*compare.Change{tightens}, becomes)
	var r *remark
	switch {
	case whole:
		r = found.say("%s: %s{in} differs from the CRD of --require; %s; write the same", field, keyword, found.consequence("some values are", becomes))
	case inWords:
		r = found.say("%s must be %s{in}, but %s in the CRD of --require; %s; write the same limit", field, cmp.Or(is, "any number"), cmp.Or(was, "any number"), then)
	case keyword == "type":
		r = found.say("%s: type %s{in}, but %s in the CRD of --require; %s; write the same type", field, c.New, c.Old, then)
	default:
		todo := "write the same " + keyword
		if c.Old == nil {
			todo = "remove " + keyword
		}
		r = found.say("%s: %s %s{in}, but %s in the CRD of --require; %s; %s", field, keyword, valueIn(c.New), valueIn(c.Old), then, todo)
	}
	r.field = n.Path
	return r
}

// judgeDifferent looks at what neither rejects nor drops a value.
func judgeDifferent(p *engine.Pass, c *compare.Change) *remark {
	scale, isScale := strings.CutPrefix(c.Field, "subresources.scale.")
	back := c.Reversed()
	fromKubernetes := c.FromKubernetes() || back.FromKubernetes()
	switch {
	case slices.Contains([]string{"spec.scope", "spec.names.kind", "spec.names.listKind", "spec.names.plural"}, c.Field):
		return newRemark(lint.Error, "%s is %s, but %s in the CRD of --require; write %[1]s: %[4]s", strings.TrimPrefix(c.Field, "spec."), valueIn(c.New), valueIn(c.Old), text.Value(c.Old))
	case c.Field == "subresources.status" && c.Kind == compare.Added:
		return newRemark(lint.Error, "there is a status subresource{in}, and the CRD of --require has none; a status written with the object is dropped; remove it")
	case isScale && c.Kind != compare.Added && scales(oldVersion(p, c.Version)) && scales(newVersion(p, c.Version)):
		return newRemark(lint.Error, "%s of the scale subresource is %s{in}, but %s in the CRD of --require; write the same", scale, valueIn(c.New), valueIn(c.Old))
	case c.Node == nil || c.Effect >= compare.Tightens && c.Field == "default" || fromKubernetes:
	case c.Field == "default" && c.Kind == compare.Added:
		return newRemark(lint.Info, "%s: default %s{in}, but none in the CRD of --require; objects that leave the field out get it; remove the default", fieldOf(c, ""), valueIn(c.New))
	case c.Field == "default" && c.Kind == compare.Removed:
		return newRemark(lint.Warning, "%s: the default %s is missing{in}, but the CRD of --require has it; objects that leave the field out lack it; add the default", fieldOf(c, ""), valueIn(c.Old))
	case c.Field == "default":
		before, now := text.Apart(words.JSONOf(c.Old), words.JSONOf(c.New))
		return newRemark(lint.Warning, "%s: default %s{in}, but %s in the CRD of --require; write the same default", fieldOf(c, ""), now, before)
	case mergeKeywords[c.Field] != "" && fmt.Sprint(c.Old) != fmt.Sprint(c.New):
		severity := lint.Warning
		if c.MergesAsInPod() || back.MergesAsInPod() {
			severity = lint.Info
		}
		return newRemark(severity, "%s: %s %s{in}, but %s in the CRD of --require; "+mergedAs(c)+"; use the same", fieldOf(c, ""), mergeKeywords[c.Field], wordOf(c.New), wordOf(c.Old))
	}
	return nil
}

// valueIn is a value of a keyword as a sentence has it.
func valueIn(v any) text.Text {
	if v == nil || v == "" {
		return text.Sprintf("none")
	}
	return words.ValueOf(v)
}
