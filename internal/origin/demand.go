package origin

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// A demand is what a change of a manifest asks of the markers of one declaration.
type demand struct {
	version crd.APIVersion
	row     marker.Row
	steps   []string // to a place in the version's schema; nil for a Kind marker
	was     any      // the value in the manifest, nil for none
	value   any
	open    bool // a person has to choose the value
	lacks   bool // of markers that are there, in which the value is to be added
	removed bool
	key     string // of an annotation or a label
	// about tells which of several markers of the row is meant; nil for any.
	about func(marker.Marker) bool
}

// setMember makes a change of one member of a mapping.
func (w *demand) setMember(members map[string]any, c lint.Change) {
	after := maps.Clone(members)
	switch {
	case c.Removed:
		delete(after, c.Keyword)
	case c.Choose:
		w.lacks = members[c.Keyword] == nil
		after[c.Keyword] = marker.Placeholder(c.Keyword)
	default:
		after[c.Keyword] = c.Value
	}
	w.was, w.value = members, after
}

// hasArguments is true of a marker whose arguments are members of a mapping.
func hasArguments(item any, names ...string) func(marker.Marker) bool {
	members, _ := item.(map[string]any)
	return func(m marker.Marker) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			text, _ := members[name].(string)
			has, _ := m.Member(name)
			return has != text
		})
	}
}

// wantsOfEach is wants for a list that has a marker for each item: those that went, and those that came. The members ids tell
// items apart; two may have the same first one.
func wantsOfEach(w demand, old *yaml.Node, keyword string, ids ...string) (all []demand, ok bool) {
	w.row, _ = marker.Of(keyword)
	var came, went []any
	for _, n := range crd.Items(old) {
		went = append(went, valueOf(n))
	}
	kept, _ := w.value.([]any)
	for _, item := range kept {
		if i := slices.IndexFunc(went, func(other any) bool { return reflect.DeepEqual(item, other) }); i >= 0 {
			went = slices.Delete(went, i, i+1)
		} else {
			came = append(came, item)
		}
	}
	for _, item := range came {
		one := w
		one.was, one.value, one.about = nil, item, hasArguments(item, ids[:1]...)
		all = append(all, one)
	}
	for _, item := range went {
		if slices.ContainsFunc(kept, func(other any) bool { return sameMembers(item, other, ids) }) {
			return nil, false // both have the same marker
		}
		one := w
		one.was, one.value, one.removed, one.about = item, nil, true, hasArguments(item, ids...)
		all = append(all, one)
	}
	return all, len(all) > 0
}

// sameMembers reports whether two mappings have the same members of some names.
func sameMembers(a, b any, names []string) bool {
	one, _ := a.(map[string]any)
	other, _ := b.(map[string]any)
	return !slices.ContainsFunc(names, func(name string) bool { return !reflect.DeepEqual(one[name], other[name]) })
}

// valueOf is a node as encoding/json knows it; nil where it has no JSON.
func valueOf(n *yaml.Node) (value any) {
	if text, err := yaml11.ToJSON(n); err == nil {
		_ = json.Unmarshal(text, &value) // which yaml11 wrote
	}
	return value
}

// ToSet is the change that gives a keyword the value of a node.
func ToSet(path, keyword string, value *yaml.Node) lint.Change {
	return lint.Change{Path: path, Keyword: keyword, Value: valueOf(value)}
}

// ToChoose is the change that gives a keyword a value which a person has to choose.
func ToChoose(path, keyword string) lint.Change {
	return lint.Change{Path: path, Keyword: keyword, Choose: true}
}

// ToRemove is the change that takes a keyword away.
func ToRemove(path, keyword string) lint.Change {
	return lint.Change{Path: path, Keyword: keyword, Removed: true}
}

// impliedBy returns the change of a remedy that another comes with: the marker for an integer or a string takes the place of
// type and anyOf. It is -1 for a change of its own.
func impliedBy(c lint.Change, remedy []lint.Change) int {
	if c.Keyword != "type" && c.Keyword != "anyOf" {
		return -1
	}
	return slices.IndexFunc(remedy, func(other lint.Change) bool {
		return other.Path == c.Path && other.Keyword == "x-kubernetes-int-or-string" && other.Value == true
	})
}
