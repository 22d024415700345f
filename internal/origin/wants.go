package origin

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// wants returns what a change asks of markers; ok is false where no marker makes it.
func (m *Manifest) wants(c lint.Change) (all []demand, ok bool) {
	v := m.versionOf(c.Path)
	if v == nil {
		return nil, false
	}
	base := demand{version: *v, value: c.Value, removed: c.Removed, open: c.Choose}
	if below, inside := strings.CutPrefix(c.Path, v.Schema.Path); inside && v.Schema.Node != nil {
		base.steps = append([]string{}, crd.Steps(strings.TrimPrefix(below, "."))...)
		return m.wantsInSchema(base, c)
	}
	return m.wantsOfKind(base, c)
}

// wantsInSchema is wants for a keyword of a schema.
func (m *Manifest) wantsInSchema(w demand, c lint.Change) ([]demand, bool) {
	s, rest := m.CRD.SchemaAt(c.Path)
	switch {
	case s == nil || s.InJunctor():
		return nil, false
	case len(rest) == 2 && rest[0] == "x-kubernetes-validations": // a member of one rule
		node, _ := m.CRD.Resolve(crd.Steps(c.Path))
		rule, _ := valueOf(node.Node).(map[string]any)
		if rule == nil {
			return nil, false
		}
		w.row, _ = marker.Of(rest[0])
		w.steps = w.steps[:len(w.steps)-len(rest)]
		w.about = hasArguments(rule, "rule")
		w.setMember(rule, c)
		return []demand{w}, true
	case len(rest) > 0:
		return nil, false
	case c.Keyword == "required":
		return m.wantsRequired(w, s)
	}
	w.was = valueOf(s.Get(c.Keyword))
	switch {
	case c.Keyword == "x-kubernetes-map-type":
		w.row = marker.OfMapType(s.AdditionalProperties() != nil)
		return []demand{w}, true
	case c.Keyword == "x-kubernetes-validations" && !w.open:
		return wantsOfEach(w, s.Get(c.Keyword), "x-kubernetes-validations", "rule")
	}
	var known bool
	w.row, known = marker.Of(c.Keyword)
	return []demand{w}, known && w.row.Place != marker.Kind
}

// wantsRequired is wants for the list of required properties, which Go types say field by field.
func (m *Manifest) wantsRequired(w demand, s *crd.Schema) (all []demand, ok bool) {
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
