package webhooks

import (
	"maps"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// shelves are those of items, by the items' names.
func shelves(items any) map[any]any {
	found := map[any]any{}
	all, _ := items.([]any)
	for _, item := range all {
		if item, ok := item.(map[string]any); ok && item["shelf"] != nil {
			found[item["name"]] = item["shelf"]
		}
	}
	return found
}

// shelve has each item on its shelf, and all others on none.
func shelve(items any, on map[any]any) {
	all, _ := items.([]any)
	for _, item := range all {
		item, ok := item.(map[string]any)
		if !ok {
			continue
		}
		if shelf, found := on[item["name"]]; found {
			item["shelf"] = shelf
		} else {
			delete(item, "shelf")
		}
	}
}

// stashShelves keeps in an annotation on which shelves items are.
func stashShelves(object map[string]any, items any) {
	on := map[string]any{}
	for name, shelf := range shelves(items) {
		if name, ok := name.(string); ok {
			on[name] = shelf
		}
	}
	if shelve(items, nil); len(on) > 0 {
		text, _ := utiljson.Marshal(on) // it comes from JSON
		member(member(object, "metadata"), "annotations")[shelfAnnotation] = string(text)
	}
}

func unstashShelves(object map[string]any, items any) {
	annotations := of(of(object, "metadata"), "annotations")
	text, _ := annotations[shelfAnnotation].(string)
	var on map[string]any
	if utiljson.Unmarshal([]byte(text), &on) != nil {
		return
	}
	delete(annotations, shelfAnnotation)
	byName := map[any]any{}
	for name, shelf := range on {
		byName[name] = shelf
	}
	shelve(items, byName)
}

// unshelve is stashShelves for types.
func unshelve(annotations map[string]string, items []parcelItem) map[string]string {
	on := map[string]string{}
	for i, item := range items {
		if item.Shelf != "" {
			on[item.Name], items[i].Shelf = item.Shelf, ""
		}
	}
	if len(on) > 0 {
		text, _ := utiljson.Marshal(on) // texts
		annotations[shelfAnnotation] = string(text)
	}
	return annotations
}

func reshelve(annotations map[string]string, items []parcelItem) map[string]string {
	var on map[string]string
	if utiljson.Unmarshal([]byte(annotations[shelfAnnotation]), &on) == nil {
		delete(annotations, shelfAnnotation)
	}
	for i, item := range items {
		items[i].Shelf = on[item.Name]
	}
	return annotations
}

// keeps is a mistake with what a webhook keeps of the spec of one version in an annotation of the other.
func keeps(name string, way func(func(*Conversion)) func(*Conversion), wayBack func(func(*Conversion)) func(*Conversion), restore func(kept, spec map[string]any)) Mistake {
	annotation := "parcels.example.com/kept"
	keep := way(func(c *Conversion) {
		text, _ := utiljson.Marshal(of(c.In, "spec")) // it comes from JSON
		member(metadata(c), "annotations")[annotation] = string(text)
	})
	use := wayBack(func(c *Conversion) {
		annotations := of(metadata(c), "annotations")
		text, _ := annotations[annotation].(string)
		var kept map[string]any
		if delete(annotations, annotation); utiljson.Unmarshal([]byte(text), &kept) == nil && c.Out["spec"] != nil {
			restore(kept, specOf(c))
		}
	})
	return Mistake{Fault{Name: name, Object: func(c *Conversion) { keep(c); use(c) }}, "webhook-edit-lost"}
}

// fillIn restores fields that are not there any more.
func fillIn(fields ...string) func(kept, spec map[string]any) {
	return func(kept, spec map[string]any) {
		if slices.ContainsFunc(fields, func(field string) bool { return spec[field] != nil }) {
			return
		}
		for _, field := range fields {
			if value, found := kept[field]; found {
				spec[field] = value
			}
		}
	}
}

// keeping are mistakes with annotations that have what the other version lacks.
var keeping = []Mistake{
	keeps("removed-number-is-back", there, back, fillIn("weight")),
	keeps("removed-word-is-back", there, back, fillIn("legs")),
	keeps("removed-object-is-back", there, back, fillIn("address", "recipient")),
	keeps("removed-entry-is-back", there, back, func(kept, spec map[string]any) {
		if spec["selector"] != nil {
			all := maps.Clone(of(kept, "selector"))
			maps.Copy(all, of(spec, "selector"))
			spec["selector"] = all
		}
	}),
	keeps("removed-item-is-back", there, back, func(kept, spec map[string]any) {
		items, _ := spec["items"].([]any)
		all, _ := kept["items"].([]any)
		for _, item := range all {
			named := func(other any) bool { return compareTexts(item, other, "name") == 0 }
			if len(items) > 0 && !slices.ContainsFunc(items, named) {
				items = append(items, item)
			}
		}
		if len(items) > 0 {
			spec["items"] = items
		}
	}),
	keeps("shelves-by-place", there, back, func(kept, spec map[string]any) {
		items, _ := spec["items"].([]any)
		all, _ := kept["items"].([]any)
		for i, item := range items {
			if item, ok := item.(map[string]any); ok && i < len(all) {
				delete(item, "shelf")
				if before, ok := all[i].(map[string]any); ok && before["shelf"] != nil {
					item["shelf"] = before["shelf"]
				}
			}
		}
	}),
	keeps("shelves-if-as-many", there, back, func(kept, spec map[string]any) {
		items, _ := spec["items"].([]any)
		if all, _ := kept["items"].([]any); len(items) != len(all) {
			shelve(items, nil)
		}
	}),
	keeps("copy-of-v2-wins", back, there, func(kept, spec map[string]any) {
		if delete(spec, "stops"); kept["stops"] != nil {
			spec["stops"] = kept["stops"]
		}
	}),
	keeps("copy-of-v2-fills-in", back, there, fillIn("until")),
	{Fault{Name: "annotation-left", Object: back(func(c *Conversion) {
		if text, found := of(of(c.In, "metadata"), "annotations")[codeAnnotation]; found {
			member(metadata(c), "annotations")[codeAnnotation] = text
		}
	})}, "webhook-edit-lost"},
	{Fault{Name: "annotation-grows", Object: func(c *Conversion) {
		const name = "parcels.example.com/history"
		history, _ := of(metadata(c), "annotations")[name].(string)
		member(metadata(c), "annotations")[name] = history + c.To + ","
	}}, "webhook-not-idempotent"},
}
