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

// brief returns a text of the file for a message.
func brief(s string) string { return text.Foreign(s).Brief() }
