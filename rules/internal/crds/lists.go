package crds

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

var Lists = []*engine.Rule{
	Following([]string{"schema-junctor-forbidden-field"}, inSchema("schema-map-type-invalid",
		"x-kubernetes-map-type with an unknown value, or on a type other than object",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
			mergeKeyword(p, r, s, apiserver.MapTypeUnknown, mapTypeKey, "object", "granular", "atomic")
		})),
	Following([]string{"schema-junctor-forbidden-field"}, inSchema("schema-list-type-invalid",
		"x-kubernetes-list-type with an unknown value, or on a type other than array",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
			mergeKeyword(p, r, s, apiserver.ListTypeUnknown, ListTypeKey, "array", "atomic", "set", "map")
		})),
	Following([]string{"schema-junctor-forbidden-field"},
		inSchema("schema-list-map-keys", "x-kubernetes-list-map-keys that do not identify items",
			listMapKeys)),
	inSchema("schema-list-map-key-optional", "fields that identify an item of a list, but may be missing or null", optionalKey),
	inSchema("schema-list-set-items", "sets whose items are not atomic", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		keyword, orMap := mapTypeKey, ", or map with "+MapKeysKey
		if r.Row == apiserver.SetOfListsNotAtomic {
			keyword, orMap = ListTypeKey, ""
		}
		list := s.Parent // whatever the items are made, the set is one that appliers and CEL do not support
		p.Refusef(s.KeyOf(keyword), "%s is a set of %ss that are not atomic; write x-kubernetes-list-type: atomic%s", words.FieldName(list), s.Type(), orMap).
			Fix = editing("write x-kubernetes-list-type: atomic", false, copies(p, r, list.Path), func(s *crd.Schema) bool {
			layout.Set(s.Node, ListTypeKey, layout.String("atomic"))
			return true
		})
	}),
	{
		ID: "schema-set-of-objects", Was: []string{"schema-list-set-object-items"}, Summary: "sets of objects or of lists", Severity: lint.Warning,
		Run: func(p *engine.Pass) { eachSchema(p, func(s *crd.Schema) { setOfObjects(p, s) }) },
	},
	convention("schema-list-type-missing", "lists without x-kubernetes-list-type", func(p *engine.Pass) {
		if !prunes(p) {
			return // the extension would ask for a structural schema
		}
		missing := eachTogether(p, func(s *crd.Schema) bool {
			return s.Type() == "array" && s.Get(ListTypeKey) == nil && !s.InJunctor() && !ownedAbove(s)
		}, "%s has no x-kubernetes-list-type, so server-side apply replaces the whole list; write atomic to keep that, or set or map to merge")
		for _, f := range missing {
			f.Remedy = []lint.Change{origin.ToChoose(f.At.Path, ListTypeKey)}
		}
	}),
	InAll(Check(lint.Warning, "schema-conditions-list-map", "status.conditions of metav1.Conditions that is not a list map keyed by type",
		func(p *engine.Pass) {
			if !prunes(p) {
				return // the extension would ask for a structural schema
			}
			for _, root := range roots(p) {
				status := root.Property("status")
				if status == nil {
					continue
				}
				list := status.Property("conditions")
				if list != nil && list.Type() == "array" && list.Get(ListTypeKey) == nil && list.Get(MapKeysKey) == nil && isCondition(list.Items()) {
					conditionsWithoutKey(p, list)
				}
			}
		})),
}

// mergeKeyword reports a map type or list type of the wrong value, or on a schema of the wrong type.
func mergeKeyword(p *engine.Pass, r engine.Refusal, s *crd.Schema, wrongValue apiserver.Row, keyword, typ string, values ...string) {
	switch {
	case r.Row != wrongValue && ofNoType(p, s):
	case r.Row == wrongValue:
		p.Refusef(s.At(keyword), "%s has the unknown %s %s; write %s", words.FieldName(s), keyword, text.Quoted(r.BadValue), text.Or(values)).
			Fix = respellingKeyword(p, r, s, keyword, values...)
	case s.Type() == "":
		p.Refusef(s.KeyOf(keyword), "%s has %s but no type; write type: %s", words.FieldName(s), keyword, typ)
	default:
		p.Refusef(s.KeyOf(keyword), "%s has %s, which is for type %s, not %s; remove it", words.FieldName(s), keyword, typ, text.Value(s.Type()))
	}
}

// listMapKeys explains errors about what identifies the items of a list.
func listMapKeys(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
	switch r.Row {
	case apiserver.MapKeysOfOtherListType:
		if refusedAt(p, "schema-list-type-invalid", r.Field) {
			return // there is no such type
		}
		if s.Get(ListTypeKey) == nil {
			p.Refusef(s.KeyOf(MapKeysKey), "%s has %s, which requires %s: map; add it", words.FieldName(s), MapKeysKey, ListTypeKey)
		} else {
			p.Refusef(s.At(ListTypeKey), "%s has %s, which requires %s: map, not %s; write map", words.FieldName(s), MapKeysKey, ListTypeKey, text.Quoted(r.BadValue))
		}
	case apiserver.MapKeysMissing:
		p.Refusef(s.At(ListTypeKey), "%s is a list map; name the fields that identify an item in %s", words.FieldName(s), MapKeysKey)
	case apiserver.MapItemsMissing:
		p.Refusef(s.At(ListTypeKey), "%s is a list map without items; describe the objects in it", words.FieldName(s))
	case apiserver.MapItemsArray:
		p.Refusef(s.KeyOf("items"), "%s is a list map, but has a list of schemas for its items; write one schema", words.FieldName(s))
	case apiserver.MapItemsOfOtherType:
		typ := "have no type"
		if s.Type() != "" {
			typ = "have type " + s.Type()
		}
		p.Refusef(s.At("type"), "%s is a list map, but its items %s; write type: object", words.FieldName(s.Parent), typ)
	case apiserver.MapKeyNotScalar:
		p.Refusef(s.At("type"), "%s is in %s, so it must be a scalar, not %s; use another field", words.FieldName(s), MapKeysKey, words.Article(s.Type()))
	default: // the server gives the list, and says so once for each entry
		if alike(p, r) == 1 {
			wrongKeys(p, r, s)
		}
	}
}

// wrongKeys reports the entries of x-kubernetes-list-map-keys that are no property of the items, or stand there twice.
func wrongKeys(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
	list := s.At(MapKeysKey)
	seen := map[string]bool{}
	for i, n := range crd.Deref(list.Node).Content {
		at := crd.Place{Node: n, Path: crd.Item(list.Path, i)}
		key := crd.StringAt(n)
		switch items := s.Items(); {
		case r.Row == apiserver.MapKeyUndeclared && (items == nil || items.Property(key) == nil):
			p.Refusef(at, "%s is in %s, but the items of %s have no such property; declare it or correct the name", text.Quoted(key), MapKeysKey, words.FieldName(s))
		case r.Row == apiserver.MapKeyDuplicate && seen[key]:
			p.Refusef(at, "%s is in %s of %s twice; remove one", text.Quoted(key), MapKeysKey, words.FieldName(s))
		}
		seen[key] = true
	}
}

// setOfObjects reports a set whose items are atomic objects or lists. Others are rejected, which schema-list-set-items tells. The typed
// schema of server-side apply takes scalars alone as items of a set (listItemToPathElement of structured-merge-diff).
func setOfObjects(p *engine.Pass, s *crd.Schema) {
	items := s.Items()
	if s.Text(ListTypeKey) != "set" || items == nil {
		return
	}
	typ, instead := items.Type(), "make the list atomic, or a list map"
	switch {
	case typ == "object" && items.Text(mapTypeKey) == "atomic":
	case typ == "array" && slices.Contains([]string{"", "atomic"}, items.Text(ListTypeKey)):
		typ, instead = "list", "make the outer list atomic"
	default:
		return
	}
	p.Reportf(s.At(ListTypeKey), "%s is a set of %ss: server-side apply rejects all its items, and CEL does not support it; %s",
		words.FieldName(s), typ, instead).Remedy = []lint.Change{origin.ToChoose(s.Path, ListTypeKey)}
}

// optionalKey explains errors about keys of a list map that may be missing, and items that may be null.
func optionalKey(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
	if r.Row != apiserver.MapKeyOptional {
		message := text.Sprintf("%s identifies an item of a list and cannot be nullable; remove nullable", words.FieldName(s))
		if s.Via == "items" {
			message = text.Sprintf("the items of %s cannot be nullable in a list of type set or map; remove nullable", words.FieldName(s.Parent))
		}
		p.Refusef(s.KeyOf("nullable"), "%s", message).Fix = removing("nullable", false, copies(p, r, s.Path))
		return
	}
	todo := "require it, or give it a default"
	if p.CRD.Version == crd.V1beta1 || p.Config.Convert.To == policy.V1beta1 {
		todo = "require it, since v1beta1 has no defaults"
	}
	f := p.Refusef(s.Place, "%s identifies an item of a list, but is optional; %s", words.FieldName(s), todo)
	if items := s.Parent; items != nil {
		name := s.Name
		f.Fix = editing("require "+name, false, copies(p, r, items.Path), func(items *crd.Schema) bool {
			_, added := layout.Require(items.Node, name)
			return len(added) > 0
		})
	}
}

// conditionFields are what a metav1.Condition cannot lack, with whether they are bounded.
var conditionFields = map[string]bool{"lastTransitionTime": false, "message": true, "reason": true, "status": false, "type": true}

// isCondition reports whether items have the shape of metav1.Condition. Conditions that a project declares itself have its
// fields, but hardly its bounds.
func isCondition(items *crd.Schema) bool {
	if items == nil || items.Flag("nullable") {
		return false
	}
	for name, bounded := range conditionFields {
		field := items.Property(name)
		if field == nil || !items.Required(name) || field.Flag("nullable") || bounded && field.Get("maxLength") == nil {
			return false
		}
	}
	return true
}

// conditionsWithoutKey reports a list of conditions that is no map.
func conditionsWithoutKey(p *engine.Pass, list *crd.Schema) {
	f := p.Report(list.Place, "server-side apply replaces status.conditions as a whole; write "+ListTypeKey+": map and "+MapKeysKey+": [type]")
	path := list.Path
	f.Fix = editing("make it a list map keyed by type", false, []string{path}, func(s *crd.Schema) bool {
		layout.Set(s.Node, MapKeysKey, layout.List(layout.String("type")))
		layout.Set(s.Node, ListTypeKey, layout.String("map"))
		return true
	})
}

// ownedAbove reports whether a schema stands inside of what server-side apply takes as one value.
func ownedAbove(s *crd.Schema) bool {
	return s.Parent.Within(func(up *crd.Schema) bool {
		return up.Type() == "array" && crd.StringAt(up.Node, ListTypeKey) != "map" || crd.StringAt(up.Node, mapTypeKey) == "atomic"
	})
}
