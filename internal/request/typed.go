package request

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/apply"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// A typing is a walk through a value along its type, as validatingObjectWalker of structured-merge-diff makes it. Upstream leaves
// a map at the first field that is not declared, in the order of its maps; here all are found.
type typing struct {
	types      *schema.Schema
	duplicates bool                       // are allowed
	visit      func(at Path, name string) // each value, with upstream's name of the path
	fault      func(Cause)                // each value that is not of its type
}

// Mistyped are the values of an object which are not of their types, so that a server-side apply of the object is rejected whatever is
// there. Nothing else is read.
func (v *Version) Mistyped(o Object) ([]Cause, error) { return v.mistyped(o, false) }

func (v *Version) mistyped(o Object, duplicates bool) (causes []Cause, err error) {
	err = guard(func() error {
		managers, err := v.server.managers()
		if err != nil {
			return err
		}
		r := &reading{version: v, out: &Outcome{}}
		err = r.mistyped(managers, v.Name, o, Cause{Stage: Typing}, duplicates)
		r.out.sort()
		causes = r.out.Causes
		return err
	})
	return causes, err
}

// mistyped rejects the values of an object that are not of their types in a version. A cause has what all of theirs have.
func (r *reading) mistyped(managers *apply.Managers, version string, o Object, common Cause, duplicates bool) error {
	types, ref, err := managers.Of(version)
	if err != nil {
		return err
	}
	t := typing{types, duplicates, func(Path, string) {}, func(c Cause) {
		c.Stage, c.Live, c.Detail, c.Rule, c.Actual = common.Stage, common.Live, common.Detail, -1, -1
		r.refuse(c)
	}}
	t.walk(ref, o, nil, "")
	return nil
}

func (t *typing) walk(ref schema.TypeRef, v any, at Path, name string) {
	t.visit(at, name)
	atom, _ := t.types.Resolve(ref) // all that there are refer to types that are there
	switch v := v.(type) {
	case nil: // is of every type
	case map[string]any:
		if atom.Map == nil {
			t.mistyped(v, at, name)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			t.member(atom.Map, key, v[key], at.To(Key(key)), name+fieldpath.FieldNameElement(key).String())
		}
	case []any:
		if atom.List == nil {
			t.mistyped(v, at, name)
			return
		}
		t.items(atom.List, v, at, name)
	default:
		if atom.Scalar == nil || !isOf(*atom.Scalar, v) {
			t.mistyped(v, at, name)
		}
	}
}

func (t *typing) member(m *schema.Map, key string, v any, at Path, name string) {
	ref := m.ElementType
	if field, declared := m.FindField(key); declared {
		ref = field.Type
	} else if ref == (schema.TypeRef{}) {
		t.fault(Cause{Keyword: "properties", Path: at, Field: name})
		return
	}
	t.walk(ref, v, at, name)
}

func (t *typing) mistyped(v any, at Path, name string) {
	t.fault(Cause{Keyword: "type", Found: jsonType(v), Path: at, Field: name})
}

// isOf is validateScalar of structured-merge-diff: numbers are of one type.
func isOf(scalar schema.Scalar, v any) bool {
	switch v.(type) {
	case string:
		return scalar == schema.String || scalar == schema.Untyped
	case bool:
		return scalar == schema.Boolean || scalar == schema.Untyped
	}
	return scalar == schema.Numeric || scalar == schema.Untyped
}

// items walks through a list, whose items upstream tells apart by their place, by their value, or by their keys.
func (t *typing) items(l *schema.List, list []any, at Path, name string) {
	seen := fieldpath.MakePathElementSet(len(list))
	for i, item := range list {
		at, element := at.To(Index(i)), fieldpath.IndexElement(i)
		if l.ElementRelationship == schema.Associative {
			made, wrong := t.element(l, item)
			if wrong.Keyword != "" {
				wrong.Path, wrong.Field = at, name
				t.fault(wrong)
				continue // as it has no name, upstream does not look into it
			}
			if element = made; seen.Has(element) && !t.duplicates {
				t.fault(Cause{Keyword: listType, Path: at, Field: name})
			}
			seen.Insert(element)
		}
		t.walk(l.ElementType, item, at, name+element.String())
	}
}

const listType = "x-kubernetes-list-type"

// element is what an item of a set or map is known by; see listItemToPathElement of structured-merge-diff.
func (t *typing) element(l *schema.List, item any) (e fieldpath.PathElement, wrong Cause) {
	object, isObject := item.(map[string]any)
	_, isList := item.([]any)
	switch {
	case item == nil, isObject == (len(l.Keys) == 0), isList:
		return e, Cause{Keyword: listType, Found: jsonType(item)}
	case !isObject:
		return fieldpath.ValueElement(value.NewValueInterface(item)), Cause{}
	}
	keys := value.FieldList{}
	atom, _ := t.types.Resolve(l.ElementType)
	for _, key := range l.Keys {
		v, found := object[key]
		if !found && atom.Map != nil {
			field, _ := atom.Map.FindField(key)
			v, found = field.Default, field.Default != nil
		}
		if found {
			keys = append(keys, value.Field{Name: key, Value: value.NewValueInterface(v)})
		}
	}
	if len(keys) == 0 {
		return e, Cause{Keyword: "x-kubernetes-list-map-keys"}
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, Cause{}
}
