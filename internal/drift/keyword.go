package drift

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A keyword is one that markers make, and other parts of Go types do not.
type keyword struct {
	name   string
	member string // of each element that is compared; "" for the elements themselves
	adds   bool   // each marker adds an element
	typed  bool   // strings are not the same as numbers, nor false as nothing
	others bool   // types in Go, or tools, may make it as well
	// ofMembers says that markers of the fields of a struct may make it as well.
	ofMembers bool
}

// keywords are those that are compared in manifests of recent versions of the generator; limits are compared in all.
var keywords = []string{
	"maxItems", "minItems", "uniqueItems", "maxLength", "minLength", "maximum", "multipleOf", "pattern", "x-kubernetes-list-type",
	"x-kubernetes-list-map-keys", "x-kubernetes-map-type", "enum", "default", "nullable", "minimum", "exclusiveMinimum", "exclusiveMaximum",
	"minProperties", "maxProperties", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-validations",
}

// particular are the keywords that have more to them than a name.
var particular = map[string]keyword{
	"x-kubernetes-list-map-keys":           {adds: true},
	"default":                              {typed: true},
	"x-kubernetes-preserve-unknown-fields": {others: true},
	"x-kubernetes-embedded-resource":       {others: true},
	"x-kubernetes-validations":             {member: "rule", adds: true, ofMembers: true},
}

// recent is the oldest controller-gen whose other markers are compared: it has them all above types, too.
var recent = version.MustParseGeneric("v0.11.0")

// generatorOf returns the version of the controller-gen that wrote a manifest, nil for none that it names, and the same
// again; nil for one whose markers are not compared.
func generatorOf(of *crd.CRD) (v, compared *version.Version) {
	g, _ := of.Generator("")
	v, err := version.ParseGeneric(g.Version)
	if err != nil || v.Major()+v.Minor()+v.Patch() == 0 { // a revision that Go numbers v0.0.0-DATE-COMMIT may be any release
		return nil, nil
	}
	if v.LessThan(recent) || crd.StringAt(of.Node, "apiVersion") != "apiextensions.k8s.io/v1" {
		return v, nil
	}
	return v, v
}

// marked returns the keywords of a schema that are not what markers say. A schema is made from all types that are declared
// by one another and, unless it is of elements, the field; what is inlined into a struct has a part in it as well. What
// scripts have taken the properties out of keeps unknown fields, and is not compared.
func (c *comparison) marked(s *crd.Schema, at gotypes.Place, list *gotypes.Place) (differ []values) {
	if c.generator == nil {
		return limited(s, at)
	}
	if len(at.Others) > 0 || s.Get("allOf") != nil || s.KeepsUnknown() || len(at.Inlined()) > 0 {
		return nil
	}
	markers, ok := markersOf(at, list, c.version)
	if !ok {
		return nil
	}
	for _, name := range keywords {
		k := particular[name]
		k.name = name
		if k.ofMembers && oddMembers(at) {
			continue
		}
		declared, sure := k.declared(markers, c.generator)
		in := k.written(s.Get(k.name))
		if declared == "" && in != "" && !s.Fits(k.name) {
			continue // a later step wrote it
		}
		if sure && k.differs(declared, in) {
			differ = append(differ, values{k.name, declared, in})
		}
	}
	return append(differ, c.basic(s, at, markers)...)
}

// written is the value of a manifest in the form in which it is compared.
func (k keyword) written(node *yaml.Node) string {
	in, plain := written(node, k.member)
	switch n := crd.Deref(node); {
	case !plain:
		return unclear
	case in == "false" && !k.typed:
		return ""
	case k.typed && n != nil && n.Tag == yaml.NodeTagString:
		return typed(in)
	}
	return in
}

// differs reports whether what markers say, "" for nothing, differs from a manifest.
func (k keyword) differs(declared, in string) bool {
	if declared == "" || in == "" {
		return declared != in && (declared != "" || !k.others)
	}
	return declared != unclear && in != unclear && declared != in
}

// basic compares type and format. A marker can say another format.
func (c *comparison) basic(s *crd.Schema, at gotypes.Place, markers []marker.Marker) (differ []values) {
	t := typeOf(at.Basic())
	switch {
	case t != "" && s.Type() != "" && s.Type() != t, isMissing(s, at, "items", s.Items()), isMissing(s, at, "additionalProperties", s.AdditionalProperties()),
		single().MatchString(s.Type()) && at.At("items").Outcome == gotypes.Exact:
		differ = append(differ, values{keyword: "type"})
	}
	format, sure := keyword{name: "format"}.declared(markers, c.generator)
	if format == unclear {
		return differ
	}
	if format == "" {
		format, sure = strings.TrimPrefix(formats().FindString(at.Basic()), "u"), sure && t != ""
	}
	if in := s.Text("format"); sure && format != in {
		differ = append(differ, values{"format", format, in})
	}
	return differ
}

// isMissing reports whether a schema has elements that the type in Go has not. Beside another type, a later step wrote them.
func isMissing(s *crd.Schema, at gotypes.Place, keyword string, elements *crd.Schema) bool {
	return elements != nil && s.Fits(keyword) && at.At(keyword).Outcome == gotypes.Missing
}

// single are the types of one value that no list in Go has: lists of bytes are strings.
var single = text.Pattern(`^(integer|number|boolean)$`)

// formats are the basic types that have a format.
var formats = text.Pattern(`^u?int(32|64)$`)

// markersOf returns the markers that a schema is made with by a generator, nil for the newest; ok is false where some of them
// may make more than is known. What controller-gen makes nothing of is left out.
func markersOf(at gotypes.Place, list *gotypes.Place, generator *version.Version) (all []marker.Marker, ok bool) {
	ok = true
	take := func(markers []gotypes.Marker, above marker.Target, items bool) {
		for _, m := range markers {
			p, known := marker.Parse(m.Text)
			switch fault := marker.Reject(m.Text, above, generator).Fault; {
			case fault == marker.Refused:
				ok = false // nobody knows what it will be
			case fault != marker.None && fault != marker.TooNew, known && marker.Since(m.Text, above) == "":
			case !known && isOdd(m.Name()), p.Row.Keyword == "type", strings.HasPrefix(p.Row.Keyword, "x-kubernetes-int-or"):
				ok = false
			case known && p.Items == items:
				all = append(all, p)
			}
		}
	}
	own := func(p gotypes.Place, items bool) {
		for _, t := range p.Types() {
			take(t.Markers, marker.AboveType, items)
		}
		if p.Field != nil && len(p.Elements) == 0 {
			take(p.Field.Markers, marker.AboveField, items)
		}
	}
	own(at, false)
	if list != nil {
		own(*list, true)
	}
	return all, ok
}

// isOdd reports whether a marker that is not in the table may change a schema.
func isOdd(name string) bool {
	return strings.HasPrefix(name, "kubebuilder:validation:") || strings.HasPrefix(name, "openshift:") ||
		strings.HasPrefix(name, "k8s:") && !strings.Contains(name, "-gen")
}

// MarkersKnown reports whether all markers that have a part in the schema at a place are known: where they are not, it may have
// keywords that no other says.
func MarkersKnown(at gotypes.Place) bool {
	_, ok := markersOf(at, nil, nil)
	return ok && !oddMembers(at) && len(at.Inlined()) == 0
}

// oddMembers reports whether markers of a struct's fields may change the schema of the struct, as +k8s:immutable does.
func oddMembers(at gotypes.Place) bool {
	fields, _ := at.Members()
	return slices.ContainsFunc(fields, func(f *gotypes.Field) bool {
		return slices.ContainsFunc(f.Markers, func(m gotypes.Marker) bool {
			_, known := marker.Parse(m.Text)
			return !known && isOdd(m.Name()) && marker.Reject(m.Text, marker.AboveField, nil).Fault == marker.None
		})
	})
}

// declared returns what markers say of a keyword; sure is false where that depends on the generator.
func (k keyword) declared(markers []marker.Marker, generator *version.Version) (value string, sure bool) {
	var all []string
	unread := false
	for _, p := range markers {
		if name, _, _ := strings.Cut(p.Row.Keyword, " "); name != k.name {
			continue
		}
		read, ok := k.read(p)
		if p.Name != p.Row.Name && !p.Items || generator.LessThan(since(p)) || len(all) > 0 && !k.adds {
			return "", false
		}
		all, unread = append(all, read), unread || !ok
	}
	if unread {
		return unclear, true
	}
	return joined(all), true
}

func (k keyword) read(p marker.Marker) (value string, sure bool) {
	if k.member != "" {
		return p.Member(k.member)
	}
	read, sure := p.Read(p.Row)
	value, plain := formOf(read, sure)
	if text, is := read.(string); is && k.typed && text != "true" && text != "false" {
		value = typed(value)
	}
	return value, plain
}

// since is the first controller-gen that has a marker.
func since(p marker.Marker) *version.Version {
	row := p.Row
	if p.Items {
		row, _ = row.Items()
	}
	return version.MustParseGeneric(cmp.Or(row.Since(marker.AboveField), row.Since(marker.AboveKind)))
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

// limits are the keywords whose values every version of controller-gen takes from a marker as they are, and from nothing
// else.
var limits = []string{"maxItems", "minItems", "maxLength", "minLength", "maximum", "multipleOf", "pattern"}

// limited returns the keywords whose values differ from those of the markers of a field. Where its type is declared by
// itself, that has markers as well: then only a keyword that is missing is sure to differ.
func limited(s *crd.Schema, at gotypes.Place) (differ []values) {
	if at.Field == nil || len(at.Elements) > 0 || len(at.Others) > 0 || s.Get("allOf") != nil {
		return nil
	}
	ofField := valuesOf(at.Field.Markers, marker.AboveField)
	ofType := map[string][]string{}
	if at.Type != nil {
		ofType = valuesOf(at.Type.Markers, marker.AboveType)
	}
	for _, keyword := range limits {
		declared, in := append(ofField[keyword], ofType[keyword]...), ""
		if n := s.Get(keyword); n != nil {
			in = numeral(n.Value)
		}
		if len(declared) > 1 || len(declared) == 1 && declared[0] == "" || at.Type != nil && in != "" {
			continue // several types may have a part in it
		}
		if one := strings.Join(declared, ""); one != in && (one != "" || s.Fits(keyword)) {
			differ = append(differ, values{keyword, one, in})
		}
	}
	return differ
}

// valuesOf returns the values that markers above a target give to keywords; "" for one that is not sure.
func valuesOf(all []gotypes.Marker, above marker.Target) map[string][]string {
	values := map[string][]string{}
	for _, m := range all {
		p, ok := marker.Parse(m.Text)
		if !ok || p.Items || marker.Since(m.Text, above) == "" {
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
