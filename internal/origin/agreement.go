package origin

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// besides are keywords that need no marker to be in a manifest: types in Go, and other tools, make them as well.
var besides = []string{
	"type", "format", "minimum", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
	"storage", "spec.names.plural", "spec.names.singular", "spec.scope", "metadata.annotations", "metadata.labels",
}

// agrees reports whether markers and manifest say the same of a keyword, as far as is known. Where they do not, somebody has
// changed the markers, and the generator has not run since.
func (c carrier) agrees(w demand) bool {
	if w.row.Keyword == marker.Optional || w.row.Keyword == marker.Required {
		return true // see its default
	}
	var have []marker.Marker
	for _, d := range c.all {
		for _, m := range d.has(w) {
			parsed, _ := marker.Parse(m.Text)
			if w.row.Argument == "" || parsed.Has(w.row.Argument) {
				have = append(have, parsed)
			}
		}
	}
	said := w.was != nil // by a marker
	if texts := w.row.Texts(w.was); said && texts != nil {
		said = len(texts) > 0
	}
	switch {
	case !said || len(have) == 0:
		return !said && len(have) == 0 || said && (!c.only || slices.Contains(besides, w.row.Keyword))
	case slices.Contains(besides, w.row.Keyword) && w.row.Argument != "" && w.about != nil: // an annotation
		return true
	}
	return slices.ContainsFunc(have, func(m marker.Marker) bool { return !m.Differs(w.row, w.was) })
}

// madeElsewhere reports whether what is to be changed, one element of several in a schema, is from no marker that is known.
// Another one would come to it, and not replace it.
func (w demand) madeElsewhere(c carrier) bool {
	return w.row.Place != marker.Kind && w.about != nil && w.was != nil && len(c.has(w)) == 0
}

// differs returns the declaration of the keyword that a finding is about if its markers do not say what the manifest does;
// nil if they do, or have nothing to do with it.
func (o *origins) differs(path string) *statement {
	parent, keyword := crd.Above(path)
	if keyword == "" || keyword == "required" {
		return nil
	}
	wants, _ := o.wants(ToChoose(parent, keyword))
	for _, w := range wants {
		if c, at := o.carrier(w); at != nil && at.confidence == lint.ExactOrigin && !c.agrees(w) {
			return &statement{mark: c.shown(at), confidence: lint.StaleOrigin}
		}
	}
	return nil
}
