package drift

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
)

// limits are the keywords whose values every version of controller-gen takes from a marker as they are, and from nothing
// else.
var limits = []string{"maxItems", "minItems", "maxLength", "minLength", "maximum", "multipleOf", "pattern"}

// limited returns the keywords whose values differ from those of the markers of a field. Where its type is declared by
// itself, that has markers as well: then only a keyword that is missing is sure to differ.
func limited(s *crd.Schema, at gotypes.Place) (differ []values) {
	if at.Field == nil || len(at.Elements) > 0 || len(at.Others) > 0 || s.Get("allOf") != nil {
		return nil
	}
	ofField := valuesOf(at.Field.Markers)
	ofType := map[string][]string{}
	if at.Type != nil {
		ofType = valuesOf(at.Type.Markers)
	}
	for _, keyword := range limits {
		declared, in := append(ofField[keyword], ofType[keyword]...), ""
		if n := s.Get(keyword); n != nil {
			in = numeral(n.Value)
		}
		if len(declared) > 1 || len(declared) == 1 && declared[0] == "" || at.Type != nil && in != "" {
			continue // several types may have a part in it
		}
		if one := strings.Join(declared, ""); one != in {
			differ = append(differ, values{keyword, one, in})
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
