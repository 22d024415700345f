package drift

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
)

// limits are the keywords whose values every version of controller-gen takes from a marker as they are, and from nothing
// else.
var limits = []string{"maxItems", "minItems", "maxLength", "minLength", "maximum", "multipleOf", "pattern"}

// limited returns the keywords whose values differ from those of the markers of a field. Where its type is declared by
// itself, that has markers as well: then only a keyword that is missing is sure to differ.
func limited(s *crd.Schema, at gotypes.Place) (differ []string) {
	if at.Field == nil || len(at.Elements) > 0 || len(at.Others) > 0 || s.Get("allOf") != nil {
		return nil
	}
	ofField := valuesOf(at.Field.Markers)
	ofType := map[string][]string{}
	if at.Type != nil {
		ofType = valuesOf(at.Type.Markers)
	}
	for _, keyword := range limits {
		written := s.Get(keyword)
		values := append(ofField[keyword], ofType[keyword]...)
		var same bool
		switch {
		case len(values) > 1 || len(values) == 1 && values[0] == "" || at.Type != nil && written != nil:
			continue // several types may have a part in it
		case len(values) == 0 || written == nil:
			same = len(values) == 0 && written == nil
		default:
			same = values[0] == numeral(written.Value)
		}
		if !same {
			differ = append(differ, keyword)
		}
	}
	return differ
}

// valuesOf returns the values that markers give to keywords; "" for one that is not sure.
func valuesOf(all []gotypes.Marker) map[string][]string {
	values := map[string][]string{}
	for _, m := range all {
		p, ok := marker.Parse(m.Text)
		if !ok || p.Items {
			continue
		}
		value, sure := formOf(p.Read(p.Row))
		if !sure || p.Name != p.Row.Name { // newer versions of the generator know it only
			value = ""
		}
		values[p.Row.Keyword] = append(values[p.Row.Keyword], value)
	}
	return values
}
