package gofix

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/gotypes"
)

// spellings are names of markers that mean the same; where a file uses one of them, new markers have that name. The last
// names of a row count only in files that use none of the others.
var spellings = [][]string{
	{"optional", "kubebuilder:validation:Optional", "k8s:optional"},
	{"required", "kubebuilder:validation:Required", "k8s:required"},
	{"kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XPreserveUnknownFields"},
	{"kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource"},
}

// withArguments are markers of which a name is only the beginning: their arguments follow a colon, in any order.
var withArguments = []string{
	"kubebuilder:deprecatedversion", "kubebuilder:metadata", "kubebuilder:printcolumn", "kubebuilder:resource",
	"kubebuilder:selectablefield", "kubebuilder:subresource:scale", "kubebuilder:validation:XValidation",
}

// repeated are markers that a declaration may have several of, each by itself.
var repeated = []string{
	"kubebuilder:metadata", "kubebuilder:printcolumn", "kubebuilder:selectablefield", "kubebuilder:validation:XValidation",
}

// name returns the name of a marker without arguments.
func name(marker string) string {
	name := gotypes.Marker{Text: marker}.Name()
	for _, with := range withArguments {
		if rest, ok := strings.CutPrefix(name, with); ok && (rest == "" || rest[0] == ':') {
			return with
		}
	}
	return name
}

// topic returns what a marker is about: of all with one topic, a declaration has one, or those that belong together.
func topic(marker string) string {
	name := name(marker)
	for _, row := range spellings {
		if slices.Contains(row, name) {
			name = row[0]
		}
	}
	if name == "optional" {
		return "required"
	}
	return name
}

// respell returns a marker as a file spells it: like the one that it replaces, "" for none, or else as most in the file are
// spelled.
func (f *source) respell(marker, replaced string) string {
	called := name(marker)
	for _, row := range spellings {
		if !slices.Contains(row, called) {
			continue
		}
		column := f.habitual(row)
		if i, ok := columnOf(replaced, topic(marker)); ok {
			column = i
		}
		return "+" + row[column] + strings.TrimPrefix(marker, "+"+called)
	}
	return marker
}

// columnOf returns which spelling a marker about a topic has. The opposite of a marker is spelled in the same way.
func columnOf(marker, about string) (column int, ok bool) {
	if marker == "" || topic(marker) != about {
		return 0, false
	}
	for _, row := range spellings {
		if i := slices.Index(row, name(marker)); i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// habitual returns which name of a row most markers of the file have or, if none has one, most of their opposites.
func (f *source) habitual(row []string) int {
	same, opposite := make([]int, len(row)), make([]int, len(row))
	for _, d := range f.All {
		for _, m := range d.Markers {
			i, ok := columnOf(m.Text, topic("+"+row[0]))
			switch {
			case ok && name(m.Text) == row[i]:
				same[i]++
			case ok:
				opposite[i]++
			}
		}
	}
	if slices.Max(same) == 0 {
		same = opposite
	}
	best := 0
	for i := range same {
		if same[i] > same[best] && (i < 2 || same[0]+same[1] == 0) {
			best = i
		}
	}
	return best
}
