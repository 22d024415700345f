package origin

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

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
