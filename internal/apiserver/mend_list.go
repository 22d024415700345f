package apiserver

import (
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// mendList corrects the type of a list or map, or its keys.
func (m *mender) mendList(s *apiextensions.JSONSchemaProps, path string, err *field.Error) {
	atomic := "atomic"
	switch rowOf(err).name {
	case MapTypeOfOtherType, MapTypeUnknown:
		m.groupAgain(s, path)
	case ListTypeOfOtherType:
		if s.Type == "" {
			m.giveType(s, path)
			return
		}
		m.ungroup(s, path)
	case ListTypeUnknown:
		if s.XListType == nil {
			return // another error took it away
		}
		if lower := strings.ToLower(*s.XListType); slices.Contains([]string{"atomic", "set", "map"}, lower) {
			s.XListType = &lower
			return
		}
		m.ungroup(s, path)
	case SetOfListsNotAtomic:
		s.XListType = &atomic // it is an item; what holds it is a set
	case SetOfObjectsNotAtomic:
		s.XMapType = &atomic
	case MapItemsMissing, MapItemsArray:
		m.takeUnsupported(s, path)
		m.ungroup(s, path)
	case MapKeysOfOtherListType, MapKeysMissing, MapKeyUndeclared, MapKeyDuplicate:
		m.ungroup(s, path)
	case MapItemsOfOtherType, MapKeyNotScalar:
		m.giveType(s, path)
		m.regroup(path)
	case MapItemsNullable, MapKeyNullable:
		s.Nullable = false
	case MapKeyOptional:
		m.require(path)
	}
}

// regroup ungroups the list that has a schema for its items, or for a key of those.
func (m *mender) regroup(path string) {
	list, _, _ := cutLast(path, ".items")
	m.thenChange(list, func(s *apiextensions.JSONSchemaProps) { m.ungroup(s, list) })
}

// require makes the object that has a field require it.
func (m *mender) require(path string) {
	object, name, _ := cutLast(path, ".properties[")
	m.thenChange(object, func(s *apiextensions.JSONSchemaProps) {
		s.Required = append(slices.Clone(s.Required), strings.TrimSuffix(name, "]"))
	})
}

// takeDefault removes a default. The objects that hold the field must not ask for it any more where their own defaults
// counted on this one; a list's key is asked for instead.
func (m *mender) takeDefault(s *apiextensions.JSONSchemaProps, path string) {
	if s.Default == nil {
		return
	}
	s.Default = nil
	object, rest, ok := cutLast(path, ".properties[")
	if !ok {
		return
	}
	name := strings.TrimSuffix(rest, "]")
	if list, below, found := cutLast(object, ".items"); found && below == "" && m.isKey(list, name) {
		m.require(path)
		return
	}
	m.thenChange(object, func(s *apiextensions.JSONSchemaProps) {
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(r string) bool { return r == name })
	})
}

// isKey reports whether a field identifies the items of a list.
func (m *mender) isKey(list, name string) (is bool) {
	m.change(list, func(s *apiextensions.JSONSchemaProps) { is = slices.Contains(s.XListMapKeys, name) })
	return is
}

// cutLast cuts a path around the last of a step.
func cutLast(path, step string) (before, after string, found bool) {
	i := strings.LastIndex(path, step)
	if i < 0 {
		return path, "", false
	}
	return path[:i], path[i+len(step):], true
}
