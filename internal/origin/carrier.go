package origin

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// A carrier is the declaration whose markers are to change.
type carrier struct {
	declaration
	alike []declaration // others whose markers are to change in the same way: the structs of other versions
	all   []declaration // those whose markers are about the place
	only  bool          // nothing but their markers makes the keyword
	usual string        // what the generator makes of the keyword without a marker; "" where that is not known
	made  bool          // what is wanted is what the types say without a marker for it
}

// carrier returns the declaration whose markers are to change, and what is known of it; nil where that is nothing.
func (o *origins) carrier(w demand) (carrier, *statement) {
	kind := o.kind(w.version.Name)
	if kind == nil {
		return carrier{}, nil
	}
	if w.row.Place == marker.Kind {
		all := o.structs(w, kind)
		c := carrier{declaration: all[0], alike: all[1:], all: all, only: true}
		unknown := func(v crd.APIVersion) bool { return o.kind(v.Name) == nil } // which may have a marker
		if usual := drift.Usual(w.row.Keyword, kind); usual != "" && !slices.ContainsFunc(o.CRD.Versions(), unknown) {
			c.usual = usual
		}
		return c, &statement{mark: all[0].mark, confidence: lint.ExactOrigin}
	}
	place := kind.At(w.steps...)
	path := w.version.Schema.Path
	for _, step := range w.steps {
		path = crd.Member(path, step)
	}
	at := o.declared(&w.version, kind, path, place)
	if at == nil {
		return carrier{}, nil
	}
	d, ok := w.carrier(place)
	if !ok && at.confidence == lint.ExactOrigin && place.Foreign != nil {
		at.confidence, at.foreign = lint.ForeignOrigin, place.Foreign
	}
	c := ofPlace(d, place)
	if f := place.Field; f != nil && len(place.Elements)+len(place.Others) == 0 {
		required, sure := drift.IsRequired(f)
		c.made = sure && (w.row.Keyword == marker.Required && required || w.row.Keyword == marker.Optional && !required)
	}
	return c, at
}

// structs are those of the kind whose markers are to change. What is about all versions stands above any of them, and often
// above each: controller-gen reads them all, so that all which say it have to change.
func (o *origins) structs(w demand, kind *gotypes.Kind) []declaration {
	own := ofType(kind.Type, lint.KindDeclaration)
	if !ofResource(w.row) {
		return []declaration{own}
	}
	var alike, said []declaration
	for _, v := range o.CRD.Versions() {
		other := o.kind(v.Name)
		if other == nil {
			continue
		}
		d := ofType(other.Type, lint.KindDeclaration)
		if has := d.has(w); len(has) > 0 {
			alike = append(alike, d)
			if len(w.withValue(has)) > 0 {
				said = append(said, d)
			}
		}
	}
	switch {
	case len(said) > 0:
		return said
	case len(alike) > 0: // a marker that lacks the argument would take it away again
		return alike
	}
	return []declaration{own}
}

// ofResource reports whether a marker is about the resource rather than one version.
func ofResource(r marker.Row) bool {
	return strings.Contains(r.Keyword, "spec.") || strings.Contains(r.Keyword, "metadata.")
}

// shown is the place to show: that of the markers or, where none has an effect, that of the field.
func (c carrier) shown(at *statement) lint.Mark {
	if c.mark.At == "" {
		return at.mark
	}
	return c.mark
}

// ofPlace is the carrier of markers about a place in a schema.
func ofPlace(d declaration, place gotypes.Place) carrier {
	c := carrier{declaration: d}
	c.only = place.Field != nil && len(place.Elements) == 0 && len(place.Others) == 0 && place.Foreign == nil && drift.MarkersKnown(place)
	if d.mark.At != "" {
		c.all = append(c.all, d)
	}
	if place.Outcome != gotypes.Exact || place.Field == nil {
		return c
	}
	for _, other := range append(declarations(place), inlined(place)...) {
		if other.mark.Pos != d.mark.Pos || other.items != d.items {
			c.all = append(c.all, other)
		}
	}
	return c
}

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
	case c.usual != "" && len(have) == 0:
		return w.was == c.usual
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
