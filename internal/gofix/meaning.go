package gofix

import (
	"slices"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/text"
)

// topic returns what a marker is about: of all with one topic, a declaration has one, or those that belong together. They
// may have several names.
func topic(of string) string {
	parsed, known := marker.Parse(of)
	switch {
	case !known:
		return gotypes.Marker{Text: of}.Name()
	case parsed.Row.Keyword == marker.Optional: // the opposite
		required, _ := marker.Of(marker.Required)
		return required.Name
	case parsed.Items:
		return "items:" + parsed.Row.Name
	}
	return parsed.Row.Name
}

// repeated are the keywords of markers that a declaration may have several of, each by itself.
var repeated = []string{"x-kubernetes-validations", "additionalPrinterColumns", "selectableFields", "metadata.annotations", "metadata.labels"}

// mayRepeat reports whether a declaration may have several markers like one, each by itself.
func mayRepeat(of string) bool {
	parsed, known := marker.Parse(of)
	return known && slices.Contains(repeated, parsed.Row.Keyword)
}

// isColumn reports whether two markers make printer columns of one name, of which a kind has only one.
func isColumn(a, b string) bool {
	x, _ := marker.Parse(a)
	y, _ := marker.Parse(b)
	return x.Row.Keyword == "additionalPrinterColumns" && y.Row.Keyword == x.Row.Keyword && x.Argument("name") == y.Argument("name")
}

// shareColumn reports whether two lists of markers make a printer column of one name in different ways.
func shareColumn(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return x != y && isColumn(x, y) })
	})
}

// brief returns a text of the file for a message.
func brief(s string) string { return text.Foreign(s).Brief() }
