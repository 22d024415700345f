package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// mergeRules are about how several writers share lists, which the API server leaves to the author.
var mergeRules = []*engine.Rule{
	{
		ID:       "schema-list-set-object-items",
		Summary:  "sets of objects or of lists",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			eachSchema(p, hasListType, func(s scannedSchema) {
				items := s.Items()
				if items == nil || crd.StringAt(s.Node, ListTypeKey) != "set" {
					return
				}
				typ := items.Type()
				atomic := typ == "object" && crd.StringAt(items.Node, mapTypeKey) == "atomic" ||
					typ == "array" && slices.Contains([]string{"", "atomic"}, crd.StringAt(items.Node, ListTypeKey))
				if atomic { // else it is refused, which schema-list-set-items tells
					p.Reportf(s.At(ListTypeKey), "%s is a set of %ss, which server-side apply and CEL do not support; make it a list map or atomic", words.FieldName(s.Schema), typ)
				}
			})
		},
	},
	convention("schema-list-type-missing", "lists without x-kubernetes-list-type", func(p *engine.Pass) {
		if !prunes(p) {
			return // the extension would ask for a structural schema
		}
		missing := eachTogether(p, func(s scannedSchema) bool {
			return s.typ == "array" && s.Get(ListTypeKey) == nil && !s.InJunctor() && !ownedAbove(s.Schema)
		}, "%s has no x-kubernetes-list-type and is atomic; write atomic, set or map")
		for _, f := range missing {
			f.Remedy = []lint.Change{origin.ToChoose(f.At.Path, ListTypeKey)}
		}
	}),
	{
		ID:       "schema-conditions-list-map",
		Summary:  "status.conditions of metav1.Conditions that is not a list map keyed by type",
		Severity: lint.Warning,
		Preset:   lint.All,
		Run: func(p *engine.Pass) {
			if !prunes(p) {
				return // the extension would ask for a structural schema
			}
			for _, r := range scannedRoots(p) {
				status := r.root.Property("status")
				if status == nil {
					continue
				}
				list := status.Property("conditions")
				if list != nil && list.Type() == "array" && list.Get(ListTypeKey) == nil && list.Get(MapKeysKey) == nil && isCondition(list.Items()) {
					conditionsWithoutKey(p, list)
				}
			}
		},
	},
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
	f := p.Report(list.Place, "status.conditions is not a list map keyed by type: server-side apply replaces it as a whole; write "+ListTypeKey+": map")
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
