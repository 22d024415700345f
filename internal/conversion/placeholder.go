package conversion

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// placeholderRule is the rule of lint that speaks of templates which parse as YAML.
const placeholderRule = "template-placeholder"

// yttValues reports the values that ytt puts in. To YAML they are null, and to a conversion that is nothing, which it would
// leave out, or write a default for. Below metadata nothing is converted.
func (j *job) yttValues() {
	for _, v := range j.input.YttValues() {
		if !strings.HasPrefix(v.At.Path, "metadata.") {
			j.placeholder(v.Comment, v.At)
		}
	}
}

// filledIn reports whether a server's error about a place of the input comes from a placeholder, which is reported instead.
func (j *job) filledIn(at crd.Place, err *field.Error, ytt []crd.YttValue) bool {
	for _, v := range ytt {
		if v.Explains(at.Path, true) {
			j.placeholder(v.Comment, v.At)
			return true
		}
	}
	bad, _ := err.BadValue.(string)
	name := crd.PlaceholderAt(at)
	switch {
	case name != "" || crd.InSchema(at.Path):
	case at.Path == "metadata.name":
		name, at = j.input.NamePlaceholder()
	default:
		name = crd.PlaceholderIn(bad)
	}
	if name != "" {
		j.placeholder(name, at)
	}
	return name != ""
}

// undecoded reports that a server cannot read the manifest: for placeholders that are of a wrong type, or in its words.
func (j *job) undecoded(server string, err error) {
	wrong := j.input.WrongTypes()
	if len(wrong) == 0 || slices.ContainsFunc(wrong, func(w crd.WrongType) bool { return crd.PlaceholderAt(w.Place) == "" }) {
		j.passOn(crd.Place{Node: j.input.Node}, server, err)
		return
	}
	for _, w := range wrong {
		j.placeholder(crd.PlaceholderAt(w.Place), w.Place)
	}
}

// placeholder reports a placeholder, once for each place.
func (j *job) placeholder(name string, at crd.Place) {
	if slices.ContainsFunc(j.notes, func(n *Note) bool { return n.ID == placeholderRule && n.At.Path == at.Path }) {
		return
	}
	j.reportText(placeholderRule, at, text.Sprintf("%s is a placeholder; convert the rendered manifest", text.Value(name)))
}
