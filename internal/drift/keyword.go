package drift

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
)

// A keyword is one that markers make, and other parts of Go types do not.
type keyword struct {
	name   string
	read   reading
	member string // of each element that is compared; "" for the elements themselves
	adds   bool   // each marker adds an element
	zero   bool   // false is not the same as nothing
}

// keywords are those that are compared in manifests of recent versions of the generator. The limits that all versions
// have are in limit.go.
var keywords = []keyword{
	{name: "x-kubernetes-list-type", read: scalar},
	{name: "x-kubernetes-list-map-keys", read: scalar, adds: true},
	{name: "x-kubernetes-map-type", read: scalar},
	{name: "enum", read: list},
	{name: "default", read: scalar, zero: true},
	{name: "nullable", read: flag},
	{name: "minimum", read: scalar},
	{name: "exclusiveMinimum", read: flag},
	{name: "exclusiveMaximum", read: flag},
	{name: "minProperties", read: scalar},
	{name: "maxProperties", read: scalar},
	{name: "x-kubernetes-validations", read: argument("rule"), member: "rule", adds: true},
}

// recent is the oldest controller-gen whose other markers are compared: it has them all above types, too.
var recent = version.MustParseGeneric("v0.11.0")

// generatorOf returns the controller-gen that wrote a manifest; nil for one whose markers are not known.
func generatorOf(of *crd.CRD) *version.Version {
	g, _ := of.Generator("")
	v, err := version.ParseGeneric(g.Version)
	if err != nil || v.LessThan(recent) || crd.StringAt(of.Node, "apiVersion") != "apiextensions.k8s.io/v1" {
		return nil
	}
	return v
}

// marked returns the keywords of a schema that are not what markers say. A schema is made from all types that are declared
// by one another and, unless it is of elements, the field; what is inlined into a struct has a part in it as well. What
// scripts have taken the properties out of keeps unknown fields, and is not compared.
func (c *comparison) marked(s *crd.Schema, at gotypes.Place, list *gotypes.Place) (differ []string) {
	if c.generator == nil || len(at.Others) > 0 || s.Get("allOf") != nil || s.KeepsUnknown() || at.Inlines() {
		return nil
	}
	markers, ok := markersOf(at, list)
	if !ok {
		return nil
	}
	for _, k := range keywords {
		declared, sure := k.declared(markers, c.generator)
		in, plain := written(s.Get(k.name), k.member)
		if in == "false" && !k.zero {
			in = ""
		}
		if sure && plain && declared != in {
			differ = append(differ, k.name)
		}
	}
	return append(differ, c.basic(s, at, markers)...)
}

// basic compares type and format of a basic type. A marker can say another format.
func (c *comparison) basic(s *crd.Schema, at gotypes.Place, markers []marker.Parsed) (differ []string) {
	t := typeOf(at.Basic())
	if t != "" && s.Type() != "" && s.Type() != t {
		differ = append(differ, "type")
	}
	format, sure := keyword{name: "format", read: scalar}.declared(markers, c.generator)
	if format == "" {
		format, sure = strings.TrimPrefix(formats.FindString(at.Basic()), "u"), sure && t != ""
	}
	if sure && format != crd.StringAt(s.Node, "format") {
		differ = append(differ, "format")
	}
	return differ
}

// formats are the basic types that have a format.
var formats = regexp.MustCompile(`^u?int(32|64)$`)

// markersOf returns the markers that a schema is made with; ok is false where some of them may make more than is known.
func markersOf(at gotypes.Place, list *gotypes.Place) (all []marker.Parsed, ok bool) {
	var texts []gotypes.Marker
	own := func(p gotypes.Place) (all []gotypes.Marker) {
		for _, t := range p.Types() {
			all = append(all, t.Markers...)
		}
		if p.Field != nil && len(p.Elements) == 0 {
			all = append(all, p.Field.Markers...)
		}
		return all
	}
	texts = own(at)
	elements := len(texts)
	if list != nil {
		texts = append(texts, own(*list)...)
	}
	for i, m := range texts {
		p, known := marker.Parse(m.Text)
		switch {
		case !known && isOdd(m.Name()), p.Row.Keyword == "type", strings.HasPrefix(p.Row.Keyword, "x-kubernetes-int-or"):
			return nil, false
		case known && p.Items == (i >= elements):
			all = append(all, p)
		}
	}
	return all, true
}

// isOdd reports whether a marker that is not in the table may change a schema.
func isOdd(name string) bool {
	return strings.HasPrefix(name, "kubebuilder:validation:") || strings.HasPrefix(name, "openshift:") ||
		strings.HasPrefix(name, "k8s:") && !strings.Contains(name, "-gen")
}

// declared returns what markers say of a keyword; sure is false where that cannot be told.
func (k keyword) declared(markers []marker.Parsed, generator *version.Version) (value string, sure bool) {
	var all []string
	for _, p := range markers {
		if name, _, _ := strings.Cut(p.Row.Keyword, " "); name != k.name {
			continue
		}
		read, ok := k.read(p)
		if !ok || p.Name != p.Row.Name && !p.Items || generator.LessThan(since(p)) || len(all) > 0 && !k.adds {
			return "", false
		}
		all = append(all, read)
	}
	return joined(all), true
}

// since is the first controller-gen that has a marker.
func since(p marker.Parsed) *version.Version {
	row := p.Row
	if p.Items {
		row, _ = row.Items()
	}
	return version.MustParseGeneric(row.Since)
}

// typeOf is the type that schemas have of a basic type; "" for those that may have several.
func typeOf(basic string) string {
	switch {
	case basic == "string":
		return "string"
	case basic == "bool":
		return "boolean"
	case strings.HasPrefix(basic, "int"), strings.HasPrefix(basic, "uint"):
		return "integer"
	}
	return ""
}
