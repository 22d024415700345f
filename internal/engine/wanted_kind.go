package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// wantsOfKind is wants for what the struct of the kind has markers for.
func (p *Pass) wantsOfKind(w wanted, c lint.Change) (all []wanted, ok bool) {
	path := c.Path
	if c.Path == "spec.versions" { // a version that goes
		return p.wantsSkipped(w, c)
	}
	for _, of := range []string{w.version.At.Path, "spec"} { // v1beta1 has the parts of versions below spec as well
		if below, inside := strings.CutPrefix(path, of); inside && below != "" {
			switch steps := crd.Steps(strings.TrimPrefix(below, ".")); steps[0] {
			case "subresources", "additionalPrinterColumns", "selectableFields":
				return p.wantsOfPart(w, c, steps)
			}
		}
	}
	keyword := c.Keyword
	switch {
	case path == "metadata.annotations" || path == "metadata.labels":
		w.was = p.valueAt(path, c.Keyword)
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
		return wantsOfEach(w, w.version.Columns.Node, keyword, p.idsOf(keyword)...)
	case keyword == "selectableFields" && !w.open:
		return wantsOfEach(w, w.version.SelectableFields.Node, keyword, p.idsOf(keyword)...)
	}
	w.was = p.valueAt(path, c.Keyword)
	w.row, ok = marker.Of(keyword)
	return []wanted{w}, ok && w.row.Place == marker.Kind
}

// valueAt is the value that the manifest has at a path, nil for none.
func (p *Pass) valueAt(path, keyword string) any {
	at, complete := p.CRD.Resolve(append(crd.Steps(path), keyword))
	if !complete {
		return nil
	}
	return valueOf(at.Node)
}

// wantsSkipped is wants for a version that the manifest no longer has.
func (p *Pass) wantsSkipped(w wanted, c lint.Change) ([]wanted, bool) {
	for _, v := range p.CRD.Versions() {
		if v.Name == c.Keyword && c.Removed {
			w.version, w.value, w.removed, w.open = v, true, false, false
			w.row, _ = marker.Of(marker.Skipped)
			return []wanted{w}, true
		}
	}
	return nil, false
}

// wantsMetadata is wants for an annotation or a label.
func wantsMetadata(w wanted, path string, c lint.Change) ([]wanted, bool) {
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
	return []wanted{w}, true
}

// wantsSubresources is wants for all subresources of a version.
func wantsSubresources(w wanted, c lint.Change) (all []wanted, ok bool) {
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
func (p *Pass) wantsOfPart(w wanted, c lint.Change, steps []string) ([]wanted, bool) {
	at, complete := p.CRD.Resolve(crd.Steps(c.Path))
	members, _ := valueOf(at.Node).(map[string]any)
	switch {
	case steps[0] == "subresources" && len(steps) == 1:
		w.row, _ = marker.Of("subresources." + c.Keyword)
		w.was = members[c.Keyword]
		return []wanted{w}, w.row.Name != ""
	case !complete || members == nil:
		return nil, false
	case steps[0] == "subresources" && len(steps) == 2:
		w.row, _ = marker.Of("subresources." + steps[1])
	case len(steps) == 2:
		w.row, _ = marker.Of(steps[0])
		w.about = hasArguments(maps.Clone(members), p.idsOf(steps[0])...)
	}
	w.removed = false
	w.setMember(members, c)
	return []wanted{w}, w.row.Name != ""
}

// idsOf are the members that tell items of a list of the kind apart. Two columns may have one name.
func (p *Pass) idsOf(keyword string) []string {
	if keyword == "additionalPrinterColumns" {
		return []string{"name", p.CRD.ColumnPathField()}
	}
	return []string{"jsonPath"}
}
