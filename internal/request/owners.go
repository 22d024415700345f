package request

import (
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/crdlift/crdlift/internal/apply"
)

// VersionOf is the version that an object is of; nil where the CRD does not have it.
func (s *Server) VersionOf(o Object) *Version {
	apiVersion, _ := o["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Group != s.kind.Group {
		return nil
	}
	return s.versions[gv.Version]
}

// IsApplier reports whether an entry of managedFields is that of somebody who applies the object as a whole.
func IsApplier(e metav1.ManagedFieldsEntry) bool {
	return e.Operation == metav1.ManagedFieldsOperationApply && e.Subresource == main
}

// ManagersOf are the entries of an object's managedFields.
func ManagersOf(o Object) []metav1.ManagedFieldsEntry {
	return (&unstructured.Unstructured{Object: o}).GetManagedFields()
}

// LastApplied is what client-side apply wrote last, in JSON; "" where it did not write the object.
func LastApplied(o Object) string {
	return (&unstructured.Unstructured{Object: o}).GetAnnotations()[apply.LastApplied]
}

// AppliesOtherwise reports whether a server-side apply of an object that is not there may come to something else than its create, of
// which the outcome is given. Where nothing is dropped and nothing rejected, it does so only without a name, for labels and annotations that
// are null, for items that apply cannot tell apart, and for values that are taken for their format's sake.
func (v *Version) AppliesOtherwise(o Object, created *Outcome) bool {
	meta, _ := o["metadata"].(map[string]any)
	return len(created.Causes) > 0 || v.opaque() || meta["name"] == nil || meta["ownerReferences"] != nil || meta["finalizers"] != nil ||
		len(nullTexts(o)) > 0 || takenByFormat(v.Structural(), o) || slices.ContainsFunc(created.Changes, func(c Change) bool { return c.Kind != Defaulted })
}

// takenByFormat reports whether a list in a value is where a schema wants a text, and is taken all the same as that has a format, as
// typeValidator.Validate of kube-openapi has it; or a number, where a schema of an old CRD has a type besides
// x-kubernetes-int-or-string. To apply either is rejected.
func takenByFormat(s *structuralschema.Structural, value any) bool {
	if s == nil {
		return false
	}
	switch value := value.(type) {
	case int64, float64:
		return s.Type == "string" && s.XIntOrString
	case string:
		return s.Type == "integer" && s.XIntOrString
	case []any:
		return s.Type == "string" && s.ValueValidation != nil && s.ValueValidation.Format != "" || slices.ContainsFunc(value, func(item any) bool { return takenByFormat(s.Items, item) })
	case map[string]any:
		for key, member := range value {
			below, found := s.Properties[key]
			if !found && s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
				below, found = *s.AdditionalProperties.Structural, true
			}
			if found && takenByFormat(&below, member) {
				return true
			}
		}
	}
	return false
}

// opaqueItemsIn reports whether a set or a map list of a schema may have items that are stored, but that server-side apply cannot tell
// apart: objects and lists in a set, and nulls.
func opaqueItemsIn(s *apiextensions.JSONSchemaProps) bool {
	items := func() *apiextensions.JSONSchemaProps {
		if s.Items == nil || s.Items.Schema == nil {
			return &apiextensions.JSONSchemaProps{}
		}
		return s.Items.Schema
	}()
	if s.XListType != nil && *s.XListType != "atomic" && (items.Nullable || *s.XListType == "set" && (items.Type == "object" || items.Type == "array")) {
		return true
	}
	for _, p := range s.Properties {
		if opaqueItemsIn(&p) {
			return true
		}
	}
	return s.Items != nil && opaqueItemsIn(items) || s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && opaqueItemsIn(s.AdditionalProperties.Schema)
}

// ApplierOf is who applies a manifest, as managedFields of what is there have it: the only one that applies the object or, of several
// and of none, the one that manages most fields of the manifest; "" where nobody manages any.
func (v *Version) ApplierOf(manifest, live Object) (name string) {
	entries := ManagersOf(live)
	if appliers := slices.DeleteFunc(slices.Clone(entries), func(e metav1.ManagedFieldsEntry) bool { return !IsApplier(e) }); len(appliers) == 1 {
		return appliers[0].Manager
	} else if len(appliers) > 1 {
		entries = appliers
	}
	most := 0
	fields := v.fields(manifest)
	for _, e := range entries {
		if n := fields.Intersection(fieldsOf(e)).Size(); e.Subresource == main && n > most {
			name, most = e.Manager, n
		}
	}
	return name
}

// Kept are the fields that a manager once applied and its manifest does not have any more, but the object has that came of it, since
// somebody else manages them as well, and what once was one value and has more in it than in the manifest. Fields that client-side apply wrote last count as the manager's.
func (v *Version) Kept(manifest, live, became Object, manager string) (all []Path) {
	once := fieldpath.NewSet()
	for _, e := range ManagersOf(live) {
		if IsApplier(e) && e.Manager == manager {
			once = once.Union(fieldsOf(e))
		}
	}
	var last Object
	if text := LastApplied(live); utiljson.Unmarshal([]byte(text), &last) == nil && last != nil {
		once = once.Union(v.fields(last))
	}
	once.Difference(v.fields(manifest)).Leaves().Iterate(func(p fieldpath.Path) {
		at, there := pathIn(p, became)
		is, has := at.In(manifest)
		if became, _ := at.In(became); there && (!has || size(became) > size(is)) && len(at) > 0 && at[0].Key == "spec" {
			all = append(all, at)
		}
	})
	slices.SortFunc(all, Path.Compare)
	return all
}

// Reordered are the lists, identified by keys or values, whose items a manifest puts in another order, though somebody else who applies
// the object has items of them, too: each apply of one of the two changes the order again.
func (v *Version) Reordered(live, became Object, manager string) (all []Path) {
	others := fieldpath.NewSet()
	for _, e := range ManagersOf(live) {
		if IsApplier(e) && e.Manager != manager {
			others = others.Union(fieldsOf(e))
		}
	}
	seen := map[string]int{}
	others.Iterate(func(p fieldpath.Path) {
		last := p[len(p)-1]
		at, there := pathIn(p[:len(p)-1], became)
		if last.FieldName != nil || !there {
			return
		}
		if seen[at.String()]++; seen[at.String()] == 2 && isReordered(at, live, became) {
			all = append(all, at)
		}
	})
	slices.SortFunc(all, Path.Compare)
	return all
}

// isReordered reports whether a list has the same items in another order.
func isReordered(at Path, live, became Object) bool {
	x, _ := at.In(live)
	y, _ := at.In(became)
	was, _ := x.([]any)
	is, _ := y.([]any)
	if len(was) != len(is) || reflect.DeepEqual(was, is) {
		return false
	}
	return !slices.ContainsFunc(is, func(item any) bool {
		return !slices.ContainsFunc(was, func(other any) bool { return reflect.DeepEqual(item, other) })
	})
}

// size is the number of items of a list, and of members of a map.
func size(value any) int {
	switch value := value.(type) {
	case map[string]any:
		return len(value)
	case []any:
		return len(value)
	}
	return 0
}

// fields are those of an object of the version; none where it is not of its type.
func (v *Version) fields(o Object) *fieldpath.Set {
	if managers, err := v.server.managers(); err == nil && o != nil {
		if typed, err := managers.ObjectToTyped(&unstructured.Unstructured{Object: o}); err == nil {
			if set, err := typed.ToFieldSet(); err == nil {
				return set
			}
		}
	}
	return fieldpath.NewSet()
}

// fieldsOf are those that an entry names.
func fieldsOf(e metav1.ManagedFieldsEntry) *fieldpath.Set {
	set := fieldpath.NewSet()
	if e.FieldsV1 != nil {
		_ = set.FromJSON(e.FieldsV1.GetRawReader()) // what cannot be read names nothing
	}
	return set
}

// pathIn is where a path of a field manager leads to in an object.
func pathIn(p fieldpath.Path, o Object) (at Path, there bool) {
	var v any = o
	for _, step := range p {
		switch list, _ := v.([]any); {
		case step.FieldName != nil:
			at = at.To(Key(*step.FieldName))
		case step.Index != nil:
			at = at.To(Index(*step.Index))
		default:
			i := slices.IndexFunc(list, func(item any) bool { return isItem(step, item) })
			if i < 0 {
				return at, false
			}
			at = at.To(Index(i))
		}
		if v, there = at[len(at)-1:].In(v); !there {
			return at, false
		}
	}
	return at, true
}

// isItem reports whether an element of a path, a value or keys, is that of an item.
func isItem(e fieldpath.PathElement, item any) bool {
	if e.Value != nil {
		return value.Equals(*e.Value, value.NewValueInterface(item))
	}
	object, _ := item.(map[string]any)
	return e.Key != nil && !slices.ContainsFunc(*e.Key, func(f value.Field) bool { return !value.Equals(f.Value, value.NewValueInterface(object[f.Name])) })
}
