package engine

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A wanted is what a change of a manifest asks of the markers of one declaration.
type wanted struct {
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

// wants returns what a change asks of markers; ok is false where no marker makes it.
func (p *Pass) wants(c lint.Change) (all []wanted, ok bool) {
	v := p.versionOf(c.Path)
	if v == nil {
		return nil, false
	}
	base := wanted{version: *v, value: c.Value, removed: c.Removed, open: c.Choose}
	if below, inside := strings.CutPrefix(c.Path, v.Schema.Path); inside && v.Schema.Node != nil {
		base.steps = append([]string{}, crd.Steps(strings.TrimPrefix(below, "."))...)
		return p.wantsInSchema(base, c)
	}
	return p.wantsOfKind(base, c)
}

// wantsInSchema is wants for a keyword of a schema.
func (p *Pass) wantsInSchema(w wanted, c lint.Change) ([]wanted, bool) {
	s, rest := p.CRD.SchemaAt(c.Path)
	switch {
	case s == nil || s.InJunctor():
		return nil, false
	case len(rest) == 2 && rest[0] == "x-kubernetes-validations": // a member of one rule
		node, _ := p.CRD.Resolve(crd.Steps(c.Path))
		rule, _ := valueOf(node.Node).(map[string]any)
		if rule == nil {
			return nil, false
		}
		w.row, _ = marker.Of(rest[0])
		w.steps = w.steps[:len(w.steps)-len(rest)]
		w.about = hasArguments(rule, "rule")
		w.setMember(rule, c)
		return []wanted{w}, true
	case len(rest) > 0:
		return nil, false
	case c.Keyword == "required":
		return p.wantsRequired(w, s)
	}
	w.was = valueOf(s.Get(c.Keyword))
	switch {
	case c.Keyword == "x-kubernetes-map-type":
		w.row = marker.OfMapType(s.AdditionalProperties() != nil)
		return []wanted{w}, true
	case c.Keyword == "x-kubernetes-validations" && !w.open:
		return wantsOfEach(w, s.Get(c.Keyword), "x-kubernetes-validations", "rule")
	}
	var known bool
	w.row, known = marker.Of(c.Keyword)
	return []wanted{w}, known && w.row.Place != marker.Kind
}

// setMember makes a change of one member of a mapping.
func (w *wanted) setMember(members map[string]any, c lint.Change) {
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

// wantsRequired is wants for the list of required properties, which Go types say field by field.
func (p *Pass) wantsRequired(w wanted, s *crd.Schema) (all []wanted, ok bool) {
	after := map[string]bool{}
	list, _ := w.value.([]any)
	for _, name := range list {
		text, _ := name.(string)
		after[text] = true
	}
	say := func(name, keyword string) {
		one := w
		one.row, _ = marker.Of(keyword)
		one.steps = append(slices.Clone(w.steps), "properties", name)
		one.value, one.removed, one.open = true, false, false
		all = append(all, one)
	}
	for _, n := range crd.Items(s.Get("required")) {
		if name := crd.StringAt(n); !after[name] {
			say(name, marker.Optional)
		} else {
			delete(after, name)
		}
	}
	for _, name := range list {
		if text, _ := name.(string); after[text] {
			say(text, marker.Required)
		}
	}
	return all, len(all) > 0
}

// wantsOfEach is wants for a list that has a marker for each item: those that went, and those that came. The members ids tell
// items apart; two may have the same first one.
func wantsOfEach(w wanted, old *yaml.Node, keyword string, ids ...string) (all []wanted, ok bool) {
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
