package origin

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// texts are the markers that say what is wanted, in their general form; nil where none can.
func (w demand) texts(row marker.Row) []string {
	switch {
	case w.removed:
		return []string{}
	case w.open && w.value == nil:
		return []string{row.Open()}
	}
	return row.Texts(w.value)
}

// A declaration is a field or a type with its markers.
type declaration struct {
	mark    lint.Mark
	markers []gotypes.Marker
	items   bool // the markers have to be those for the elements of a list
}

func ofField(f *gotypes.Field) declaration {
	return declaration{lint.Mark{Pos: f.Pos, Symbol: f.Symbol, At: lint.FieldDeclaration}, f.Markers, false}
}

func ofType(t *gotypes.Type, at lint.Declaration) declaration {
	return declaration{lint.Mark{Pos: t.Pos, Symbol: t.Name, At: at}, t.Markers, false}
}

// target is what the markers stand above.
func (d declaration) target() marker.Target {
	return map[lint.Declaration]marker.Target{lint.TypeDeclaration: marker.AboveType, lint.KindDeclaration: marker.AboveKind}[d.mark.At]
}

// has returns the markers of a declaration that are of a row and that controller-gen takes.
func (d declaration) has(w demand) (all []gotypes.Marker) {
	for _, m := range d.markers {
		parsed, ok := marker.Parse(m.Text)
		if ok && marker.Since(m.Text, d.target()) != "" && parsed.Row.Name == w.row.Name && parsed.Items == d.items && (w.about == nil || w.about(parsed)) {
			all = append(all, m)
		}
	}
	return all
}

// carrier returns the declaration whose markers are about a place; ok is false where no marker there has an effect.
func (w demand) carrier(place gotypes.Place) (d declaration, ok bool) {
	if place.Outcome != gotypes.Exact || place.Field == nil {
		return d, false
	}
	own := declarations(place)
	for _, d := range append(own, inlined(place)...) { // what is there already is changed where it is
		if len(d.has(w)) > 0 {
			return d, true
		}
	}
	alike := w
	alike.about = nil
	for _, d := range own {
		if len(d.has(alike)) > 0 {
			return d, true
		}
	}
	if w.row.Place == marker.Typed {
		c := place.TypedCarrier()
		switch {
		case c.Field != nil:
			d = ofField(c.Field)
		case c.Type != nil:
			d = ofType(c.Type, lint.TypeDeclaration)
		default:
			return d, false
		}
		d.items = c.Items
		return d, true
	}
	i := slices.IndexFunc(own, func(d declaration) bool { return w.row.Since(d.target()) != "" })
	if i < 0 {
		return d, false
	}
	return own[i], true
}

// declarations are those whose markers are about a place, the one to prefer first.
func declarations(place gotypes.Place) (all []declaration) {
	switch {
	case len(place.Elements) == 0:
		all = append(all, ofField(place.Field))
	case len(place.Elements) == 1 && place.Elements[0] == "items" && place.Type == nil:
		d := ofField(place.Field)
		d.items = true
		all = append(all, d)
	}
	for _, t := range slices.Backward(place.Types()) {
		all = append(all, ofType(t, lint.TypeDeclaration))
	}
	return all
}

// inlined are the declarations whose markers are about a place because they are inlined into it.
func inlined(place gotypes.Place) (all []declaration) {
	for _, at := range place.Inlined() {
		all = append(all, declarations(at)...)
	}
	return all
}

// change returns the change of a declaration's markers that is wanted, if there is one.
func (w demand) change(d declaration, generator string) lint.Mark {
	row, m := w.row, d.mark
	if d.items {
		var ok bool
		if row, ok = row.Items(); !ok {
			return m
		}
	}
	if w.open && !w.lacks {
		for _, have := range w.withValue(d.has(w)) {
			m.Correct = append(m.Correct, lint.Marker{Text: have.Text, Pos: have.Pos})
		}
		if m.Correct != nil {
			return m
		}
	}
	texts := w.merged(d, w.texts(row))
	if texts == nil {
		return m
	}
	for _, have := range append(d.has(w), d.against(w)...) {
		if i := slices.Index(texts, have.Text); i >= 0 {
			texts = slices.Delete(texts, i, i+1)
			continue
		}
		m.Drop = append(m.Drop, lint.Marker{Text: have.Text, Pos: have.Pos})
	}
	since := row.Since(d.target())
	for _, text := range texts {
		m.Add = append(m.Add, lint.Marker{Text: text, Open: w.open, Needs: needs(since, generator)})
	}
	return m
}

// withValue returns the markers that have the argument which is wanted, if it is one.
func (w demand) withValue(markers []gotypes.Marker) []gotypes.Marker {
	return slices.DeleteFunc(markers, func(m gotypes.Marker) bool {
		parsed, _ := marker.Parse(m.Text)
		return w.row.Argument != "" && !parsed.Has(w.row.Argument)
	})
}

// against are the markers that contradict a wanted one: a field cannot be both required and optional, and controller-gen
// fails for parts of a version that is left out.
func (d declaration) against(w demand) (all []gotypes.Marker) {
	for _, keyword := range opposites[w.row.Keyword] {
		w.row, _ = marker.Of(keyword)
		all = append(all, d.has(w)...)
	}
	return all
}

// opposites are the keywords that cannot stand beside another one.
var opposites = map[string][]string{
	marker.Optional: {marker.Required},
	marker.Required: {marker.Optional},
	marker.Skipped:  {"subresources.status", "subresources.scale", "additionalPrinterColumns", "selectableFields"},
}

// merged returns markers with the other arguments that those of the declaration have.
func (w demand) merged(d declaration, texts []string) []string {
	have := d.has(w)
	switch {
	case len(have) == 0:
		return texts
	case isMetadata(w.row):
		return w.mergedMetadata(have, texts)
	}
	if w.removed && w.row.Argument != "" {
		old, _ := marker.Parse(have[0].Text)
		return []string{old.With([2]string{w.row.Argument, ""})}
	}
	if len(texts) != 1 {
		return texts
	}
	now, _ := marker.Parse(texts[0])
	old, _ := marker.Parse(have[0].Text)
	if len(now.Arguments) == 0 {
		return []string{now.Like(old)}
	}
	return []string{old.With(now.Arguments...)}
}

// isMetadata reports whether a marker has annotations or labels, several of which may be in one.
func isMetadata(r marker.Row) bool { return r.Argument == "annotations" || r.Argument == "labels" }

// mergedMetadata is merged for the markers of an annotation or a label, where one has others as well.
func (w demand) mergedMetadata(have []gotypes.Marker, texts []string) []string {
	old, _ := marker.Parse(have[0].Text)
	others := slices.DeleteFunc(old.Words(w.row.Argument), func(pair string) bool { return strings.HasPrefix(pair, w.key+"=") })
	if len(others) == 0 && len(have) == 1 {
		return texts
	}
	var all []any
	for _, pair := range others {
		all = append(all, pair)
	}
	if !w.removed {
		all = append(all, w.value)
	}
	list, ok := marker.Value(all)
	if !ok || len(have) > 1 { // of which each may have others
		return nil
	}
	return []string{old.With([2]string{w.row.Argument, list})}
}

// needs returns the version of controller-gen that a marker needs, "" where the one at hand has it or is not known.
func needs(since, have string) string {
	at, err := version.ParseGeneric(have)
	if err != nil || at.Major()+at.Minor()+at.Patch() == 0 || !at.LessThan(version.MustParseGeneric(since)) {
		return ""
	}
	return since
}
