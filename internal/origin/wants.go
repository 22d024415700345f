package origin

import (
	"maps"
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

// wantsOfKind is wants for what the struct of the kind has markers for.
func (m *Manifest) wantsOfKind(w demand, c lint.Change) (all []demand, ok bool) {
	path := c.Path
	if c.Path == "spec.versions" { // a version that goes
		return m.wantsSkipped(w, c)
	}
	for _, of := range []string{w.version.At.Path, "spec"} { // v1beta1 has the parts of versions below spec as well
		if below, inside := strings.CutPrefix(path, of); inside && below != "" {
			switch steps := crd.Steps(strings.TrimPrefix(below, ".")); steps[0] {
			case "subresources", "additionalPrinterColumns", "selectableFields":
				return m.wantsOfPart(w, c, steps)
			}
		}
	}
	keyword := c.Keyword
	switch {
	case path == "metadata.annotations" || path == "metadata.labels":
		w.was = m.valueAt(path, c.Keyword)
		return wantsMetadata(w, path, c)
	case path == "metadata" && c.Keyword == "annotations":
		values, _ := c.Value.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			one, _ := wantsMetadata(w, "metadata.annotations", lint.Change{Keyword: key, Value: values[key]})
			all = append(all, one...)
		}
		return all, len(all) > 0
	case path == "spec.names" || path == "spec" && keyword == "scope":
		keyword = path + "." + keyword
	case keyword == "subresources" && !w.open:
		return wantsSubresources(w, c)
	case keyword == "additionalPrinterColumns" && !w.open:
		return wantsOfEach(w, w.version.Columns.Node, keyword, m.idsOf(keyword)...)
	case keyword == "selectableFields" && !w.open:
		return wantsOfEach(w, w.version.SelectableFields.Node, keyword, m.idsOf(keyword)...)
	}
	w.was = m.valueAt(path, c.Keyword)
	w.row, ok = marker.Of(keyword)
	return []demand{w}, ok && w.row.Place == marker.Kind
}

// valueAt is the value that the manifest has at a path, nil for none.
func (m *Manifest) valueAt(path, keyword string) any {
	at, complete := m.CRD.Resolve(append(crd.Steps(path), keyword))
	if !complete {
		return nil
	}
	return valueOf(at.Node)
}

// wantsSkipped is wants for a version that the manifest no longer has.
func (m *Manifest) wantsSkipped(w demand, c lint.Change) ([]demand, bool) {
	for _, v := range m.CRD.Versions() {
		if v.Name == c.Keyword && c.Removed {
			w.version, w.value, w.removed, w.open = v, true, false, false
			w.row, _ = marker.Of(marker.Skipped)
			return []demand{w}, true
		}
	}
	return nil, false
}

// wantsMetadata is wants for an annotation or a label.
func wantsMetadata(w demand, path string, c lint.Change) ([]demand, bool) {
	w.row, _ = marker.Of(path)
	w.key = c.Keyword
	w.about = func(m marker.Marker) bool {
		pairs := append(m.Words(w.row.Argument), m.Argument(w.row.Argument)) // which may not be read as a list
		return slices.ContainsFunc(pairs, func(pair string) bool { return strings.HasPrefix(pair, w.key+"=") })
	}
	value, _ := c.Value.(string)
	if w.open {
		value = marker.Placeholder("value")
	}
	w.value = c.Keyword + "=" + value
	return []demand{w}, true
}

// wantsSubresources is wants for all subresources of a version.
func wantsSubresources(w demand, c lint.Change) (all []demand, ok bool) {
	values, _ := c.Value.(map[string]any)
	for _, name := range []string{"status", "scale"} {
		value, present := values[name]
		had := crd.Get(w.version.Subresources.Node, name) != nil
		if !present && !had {
			continue
		}
		one := w
		one.row, _ = marker.Of("subresources." + name)
		one.was = valueOf(crd.Get(w.version.Subresources.Node, name))
		one.value, one.removed = value, !present
		all = append(all, one)
	}
	return all, len(all) > 0
}

// wantsOfPart is wants for a change inside of subresources, printer columns or selectable fields.
func (m *Manifest) wantsOfPart(w demand, c lint.Change, steps []string) ([]demand, bool) {
	at, complete := m.CRD.Resolve(crd.Steps(c.Path))
	members, _ := valueOf(at.Node).(map[string]any)
	switch {
	case steps[0] == "subresources" && len(steps) == 1:
		w.row, _ = marker.Of("subresources." + c.Keyword)
		w.was = members[c.Keyword]
		return []demand{w}, w.row.Name != ""
	case !complete || members == nil:
		return nil, false
	case steps[0] == "subresources" && len(steps) == 2:
		w.row, _ = marker.Of("subresources." + steps[1])
	case len(steps) == 2:
		w.row, _ = marker.Of(steps[0])
		w.about = hasArguments(maps.Clone(members), m.idsOf(steps[0])...)
	}
	w.removed = false
	w.setMember(members, c)
	return []demand{w}, w.row.Name != ""
}

// idsOf are the members that tell items of a list of the kind apart. Two columns may have one name.
func (m *Manifest) idsOf(keyword string) []string {
	if keyword == "additionalPrinterColumns" {
		return []string{"name", m.CRD.ColumnPathField()}
	}
	return []string{"jsonPath"}
}
