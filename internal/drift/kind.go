package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// kind compares what markers above the struct of the kind say of a version and, where there is one version only, of the
// CRD: with several, the generator takes the names of any.
func (c *comparison) kind(of *crd.CRD, v crd.APIVersion, kind *gotypes.Kind) {
	if c.generator == nil {
		return
	}
	k := kindMarkers{comparison: c, kind: kind, at: v.At, all: map[string][]marker.Marker{}}
	for _, m := range kind.Markers {
		if p, ok := marker.Parse(m.Text); ok && marker.Reject(m.Text, marker.AboveKind, c.version).Fault == marker.None {
			k.all[p.Row.Name] = append(k.all[p.Row.Name], p)
		}
	}
	only := len(of.Versions()) == 1 && kind.Alone() // versions that the manifest leaves out have a say as well
	_, status := crd.Lookup(v.Subresources.Node, "status")
	k.flag("subresources.status", status != nil)
	k.flag("served", !v.Served)
	k.flag("deprecated", v.Deprecated)
	if len(of.Versions()) > 1 {
		k.flag("storage", v.Storage)
	}
	if _, scale := crd.Lookup(v.Subresources.Node, "scale"); len(k.of("subresources.scale")) < 2 {
		k.mappings("subresources.scale", []*yaml.Node{scale}, "specReplicasPath", "statusReplicasPath", "labelSelectorPath")
	}
	k.mappings("additionalPrinterColumns", crd.Items(v.Columns.Node), "name", "type", "jsonPath", "priority")
	if !c.generator.LessThan(selectable) {
		k.mappings("selectableFields", crd.Items(v.SelectableFields.Node), "jsonPath")
	}
	if only {
		k.at = crd.Place{Node: of.Node}.At("spec")
		k.resource(k.at.Node)
	}
}

// selectable is the first controller-gen that has a marker for selectable fields.
var selectable = version.MustParseGeneric("v0.16.4")

type kindMarkers struct {
	*comparison
	kind *gotypes.Kind
	at   crd.Place
	all  map[string][]marker.Marker // by the name
}

func (k *kindMarkers) differ(v values) {
	d := Difference{Reason: Limit, At: k.at, Keyword: v.keyword, Go: lint.Mark{Pos: k.kind.Pos, Symbol: k.kind.Name, At: lint.KindDeclaration}}
	d.Declared, d.Written = v.plain()
	k.found = append(k.found, d)
}

func (k *kindMarkers) of(keyword string) []marker.Marker {
	row, _ := marker.Of(keyword)
	return k.all[row.Name]
}

// flag compares whether there is a marker with whether the manifest has what it makes.
func (k *kindMarkers) flag(keyword string, has bool) {
	if has != (len(k.of(keyword)) > 0) {
		k.differ(values{keyword: keyword})
	}
}

// mappings compares some members of mappings with the arguments of markers.
func (k *kindMarkers) mappings(keyword string, all []*yaml.Node, members ...string) {
	var declared, has []string
	for _, p := range k.of(keyword) {
		one, ok := mapping(members, p.Member)
		if !ok {
			return
		}
		declared = append(declared, one)
	}
	for _, n := range all {
		if n == nil {
			continue
		}
		one, _ := mapping(members, func(member string) (string, bool) { return written(crd.Get(n, member), "") })
		has = append(has, one)
	}
	if joined(declared) != joined(has) {
		k.differ(values{keyword: keyword})
	}
}

// mapping is a mapping in the form in which it can be compared.
func mapping(members []string, value func(member string) (string, bool)) (string, bool) {
	var all []string
	for _, member := range members {
		v, ok := value(member)
		if !ok {
			return "", false
		}
		if v = numeral(v); v != "" && v != "0" {
			all = append(all, fmt.Sprintf("%s %q", member, v))
		}
	}
	return strings.Join(all, ", "), true
}

// resource compares names and scope of the CRD with the marker for them.
func (k *kindMarkers) resource(spec *yaml.Node) {
	var of marker.Marker
	switch markers := k.of("spec.scope"); len(markers) {
	case 0:
	case 1:
		of = markers[0]
	default: // each replaces what the others say
		return
	}
	for _, keyword := range []string{"names.shortNames", "names.categories", "names.singular", "scope"} {
		row, _ := marker.Of("spec." + keyword)
		declared, sure := formOf(of.Read(row))
		if declared == "" {
			declared = numeral(Usual("spec."+keyword, k.kind))
		}
		has, plain := written(crd.Get(spec, strings.Split(keyword, ".")...), "")
		if sure && plain && declared != has && (keyword != "names.singular" || has != "") {
			k.differ(values{keyword, declared, has})
		}
	}
}

// Usual is what the generator writes for a keyword that no marker of a kind says, "" where that is not known.
func Usual(keyword string, kind *gotypes.Kind) string {
	return map[string]string{"spec.names.singular": strings.ToLower(kind.Name), "spec.scope": "Namespaced"}[keyword]
}

// ranked is the first controller-gen in which the markers of a field come before its tag, whatever they are.
var ranked = version.MustParseGeneric("v0.16.0")

// required compares which properties of a struct are required. Those that the manifest lacks are missing already. Where no
// property is required, a script may have taken the whole list out.
func (c *comparison) required(s *crd.Schema, at gotypes.Place) {
	if c.generator == nil || c.generator.LessThan(ranked) || s.Get("allOf") != nil {
		return
	}
	properties := s.Get("properties")
	fields, _ := at.Members()
	for _, f := range fields {
		k, _ := crd.Lookup(properties, f.JSON)
		if k == nil || c.full() || len(at.At("properties", f.JSON).Others) > 0 {
			continue
		}
		declared, sure := IsRequired(f)
		if !sure || declared == s.Required(f.JSON) || declared && s.Get("required") == nil {
			continue
		}
		keyword := marker.Required
		if declared {
			keyword = marker.Optional
		}
		property := s.Property(f.JSON)
		c.found = append(c.found, Difference{Reason: Limit, At: property.Place, Path: property.FieldPath(), Keyword: keyword, Go: fieldMark(f)})
	}
}

// IsRequired reports whether controller-gen requires a field. That is not sure where versions of it disagree.
func IsRequired(f *gotypes.Field) (required, sure bool) {
	says := map[string]bool{}
	for _, m := range f.Markers {
		says[m.Name()] = true
	}
	switch {
	case says["kubebuilder:validation:Optional"]:
		return false, true
	case says["kubebuilder:validation:Required"]:
		return true, true
	case says["k8s:optional"], says["k8s:required"]:
		return false, false // only since v0.20.0
	case says["optional"]:
		return false, true
	case says["required"]:
		return true, true
	case slices.ContainsFunc(f.File.Package().Markers, func(m gotypes.Marker) bool { return m.Name() == "kubebuilder:validation:Optional" }):
		return false, true
	}
	return !slices.Contains(f.Options, "omitempty"), !slices.Contains(f.Options, "omitzero")
}
