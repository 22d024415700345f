package crds

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// listRules are what the API server asks of lists and maps.
var listRules = []*engine.Rule{
	{
		ID:       "schema-map-type-invalid",
		Follows:  []string{"schema-junctor-forbidden-field"},
		Summary:  "x-kubernetes-map-type with another value, or on a type other than object",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			mergeKeyword(p, r, s, apiserver.MapTypeUnknown, mapTypeKey, "object", "granular", "atomic")
		}),
	},
	{
		ID:       "schema-list-type-invalid",
		Follows:  []string{"schema-junctor-forbidden-field"},
		Summary:  "x-kubernetes-list-type with another value, or on a type other than array",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			mergeKeyword(p, r, s, apiserver.ListTypeUnknown, ListTypeKey, "array", "atomic", "set", "map")
		}),
	},
	{
		ID:       "schema-list-map-keys",
		Follows:  []string{"schema-junctor-forbidden-field"},
		Summary:  "x-kubernetes-list-map-keys that do not identify items",
		Severity: lint.Error,
		Run:      enforced(listMapKeys),
	},
	refusal("schema-list-map-key-optional", "fields that identify an item of a list, but may be missing or null", optionalKey),
	refusal("schema-list-set-items", "sets whose items are not atomic", func(p *engine.Pass, r engine.Refusal) {
		s, _ := schemaOf(p, r)
		keyword := mapTypeKey
		if r.Row == apiserver.SetOfListsNotAtomic {
			keyword = ListTypeKey
		}
		list := s.Parent // whatever the items are made, the set is one that appliers and CEL do not support
		p.Refusef(s.KeyOf(keyword), "%s is a set of %ss that are not atomic; make the list itself atomic with x-kubernetes-list-type: atomic, or a list map", words.FieldName(list), s.Type()).
			Fix = editing("write x-kubernetes-list-type: atomic", false, copies(p, r, list.Path), func(s *crd.Schema) bool {
			layout.Set(s.Node, ListTypeKey, layout.String("atomic"))
			return true
		})
	}),
}

// mergeKeyword reports a map type or list type of the wrong value, or on a schema of the wrong type.
func mergeKeyword(p *engine.Pass, r engine.Refusal, s *crd.Schema, wrongValue apiserver.Row, keyword, typ string, values ...string) {
	switch {
	case r.Row != wrongValue && ofNoType(p, s):
	case r.Row == wrongValue:
		p.Refusef(s.At(keyword), "%s has %s %s; it is %s", words.FieldName(s), keyword, text.Quoted(r.BadValue), text.Or(values)).
			Fix = respellingKeyword(p, r, s, keyword, values...)
	case s.Type() == "":
		p.Refusef(s.KeyOf(keyword), "%s has %s but no type; write type: %s", words.FieldName(s), keyword, typ)
	default:
		p.Refusef(s.KeyOf(keyword), "%s has %s, which is for type %s, not %s", words.FieldName(s), keyword, typ, text.Value(s.Type()))
	}
}

// listMapKeys explains errors about what identifies the items of a list.
func listMapKeys(p *engine.Pass, r engine.Refusal) {
	s, _ := schemaOf(p, r)
	switch r.Row {
	case apiserver.MapKeysOfOtherListType:
		if refusedAt(p, "schema-list-type-invalid", r.Field) {
			return // there is no such type
		}
		if s.Get(ListTypeKey) == nil {
			p.Refusef(s.KeyOf(MapKeysKey), "%s has %s, which requires %s: map; add it", words.FieldName(s), MapKeysKey, ListTypeKey)
		} else {
			p.Refusef(s.At(ListTypeKey), "%s has %s, which requires %s: map, not %s", words.FieldName(s), MapKeysKey, ListTypeKey, text.Quoted(r.BadValue))
		}
	case apiserver.MapKeysMissing:
		p.Refusef(s.At(ListTypeKey), "%s is a list map; name the fields that identify an item in %s", words.FieldName(s), MapKeysKey)
	case apiserver.MapItemsMissing:
		p.Refusef(s.At(ListTypeKey), "%s is a list map without items; describe the objects in it", words.FieldName(s))
	case apiserver.MapItemsArray:
		p.Refusef(s.KeyOf("items"), "%s is a list map, whose items have one schema, not a list of schemas", words.FieldName(s))
	case apiserver.MapItemsOfOtherType:
		typ := "have no type"
		if s.Type() != "" {
			typ = "have type " + s.Type()
		}
		p.Refusef(s.At("type"), "%s is a list map, whose items are objects, but they %s", words.FieldName(s.Parent), typ)
	case apiserver.MapKeyNotScalar:
		p.Refusef(s.At("type"), "%s is in %s, so it must be a scalar, not %s", words.FieldName(s), MapKeysKey, words.Article(s.Type()))
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
			p.Refusef(at, "%s is in %s, but the items of %s have no such property", text.Quoted(key), MapKeysKey, words.FieldName(s))
		case r.Row == apiserver.MapKeyDuplicate && seen[key]:
			p.Refusef(at, "%s is in %s of %s twice; remove one", text.Quoted(key), MapKeysKey, words.FieldName(s))
		}
		seen[key] = true
	}
}

// optionalKey explains errors about keys of a list map that may be missing, and items that may be null.
func optionalKey(p *engine.Pass, r engine.Refusal) {
	s, _ := schemaOf(p, r)
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
	f := p.Refusef(s.Place, "%s identifies an item of a list; %s", words.FieldName(s), todo)
	if items := s.Parent; items != nil {
		name := s.Name
		f.Fix = editing("require "+name, false, copies(p, r, items.Path), func(items *crd.Schema) bool {
			_, added := layout.Require(items.Node, name)
			return len(added) > 0
		})
	}
}
