package drift

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
	"github.com/crdlift/crdlift/lint"
)

// kind compares what markers above the struct of the kind say of a version and, where there is one version only, of the
// CRD: with several, the generator takes the names of any.
func (c *comparison) kind(of *crd.CRD, v crd.APIVersion, kind *gotypes.Kind) {
	if c.generator == nil {
		return
	}
	k := kindMarkers{comparison: c, kind: kind, at: v.At, all: map[string][]marker.Parsed{}}
	for _, m := range kind.Markers {
		if p, ok := marker.Parse(m.Text); ok {
			k.all[p.Row.Name] = append(k.all[p.Row.Name], p)
		}
	}
	only := len(of.Versions()) == 1
	_, status := crd.Lookup(v.Subresources.Node, "status")
	k.flag("subresources.status", status != nil, "kubebuilder:subresource:status")
	k.flag("served", !v.Served, "kubebuilder:unservedversion")
	k.flag("deprecated", v.Deprecated, "kubebuilder:deprecatedversion")
	if !only {
		k.flag("storage", v.Storage, "kubebuilder:storageversion")
	}
	scales := map[string]string{"specReplicasPath": "specpath", "statusReplicasPath": "statuspath", "labelSelectorPath": "selectorpath"}
	if _, scale := crd.Lookup(v.Subresources.Node, "scale"); len(k.all["kubebuilder:subresource:scale"]) < 2 {
		k.mappings("subresources.scale", []*yaml.Node{scale}, "kubebuilder:subresource:scale", scales)
	}
	columns := map[string]string{"name": "name", "type": "type", "jsonPath": "JSONPath", "priority": "priority"}
	k.mappings("additionalPrinterColumns", crd.Items(v.Columns.Node), "kubebuilder:printcolumn", columns)
	if !c.generator.LessThan(selectable) {
		k.mappings("selectableFields", crd.Items(v.SelectableFields.Node), "kubebuilder:selectablefield", map[string]string{"jsonPath": "JSONPath"})
	}
	if only {
		k.at = crd.Place{Node: of.Node}.At("spec")
		k.resource(k.at.Node)
	}
}

// selectable is the first controller-gen that has a marker for selectable fields.
var selectable = version.MustParseGeneric("v0.16.4")

// kindMarkers are those of the struct of a kind.
type kindMarkers struct {
	*comparison
	kind *gotypes.Kind
	at   crd.Place
	all  map[string][]marker.Parsed // by the name
}

func (k *kindMarkers) differ(keyword string) {
	k.found = append(k.found, Difference{
		Reason: Limit, At: k.at, Keyword: keyword,
		Go: lint.Mark{Pos: k.kind.Pos, Symbol: k.kind.Name, At: lint.KindDeclaration},
	})
}

// flag compares whether there is a marker with whether the manifest has what it makes.
func (k *kindMarkers) flag(keyword string, has bool, name string) {
	if has != (len(k.all[name]) > 0) {
		k.differ(keyword)
	}
}

// mappings compares mappings with markers whose arguments are their members.
func (k *kindMarkers) mappings(keyword string, all []*yaml.Node, name string, arguments map[string]string) {
	var declared, has []string
	for _, p := range k.all[name] {
		one, ok := mapping(arguments, func(_, argument string) (string, bool) { return argumentOf(p, argument) })
		if !ok {
			return
		}
		declared = append(declared, one)
	}
	for _, n := range all {
		if n == nil {
			continue
		}
		one, _ := mapping(arguments, func(member, _ string) (string, bool) { return written(crd.Get(n, member), "") })
		has = append(has, one)
	}
	if joined(declared) != joined(has) {
		k.differ(keyword)
	}
}

// mapping is a mapping in the form in which it can be compared.
func mapping(arguments map[string]string, value func(member, argument string) (string, bool)) (string, bool) {
	var all []string
	for member, argument := range arguments {
		v, ok := value(member, argument)
		if !ok {
			return "", false
		}
		if v != "" && v != "0" {
			all = append(all, fmt.Sprintf("%s %q", member, v))
		}
	}
	return strings.ReplaceAll(joined(all), "\n", ", "), true
}

// argumentOf returns an argument without its quotes; "" for one that the marker lacks. ok is false where it has others than
// strings and words.
func argumentOf(p marker.Parsed, name string) (value string, ok bool) {
	for _, a := range p.Arguments {
		if a[0] != name {
			continue
		}
		if v, ok := word(a[1]); ok {
			return v, true
		}
		plain := a[1]
		return plain, plain != "" && !strings.ContainsAny(plain, "\"'`{};")
	}
	return "", true
}

// resource compares names and scope of the CRD with the marker for them.
func (k *kindMarkers) resource(spec *yaml.Node) {
	var of marker.Parsed
	switch markers := k.all["kubebuilder:resource"]; len(markers) {
	case 0:
	case 1:
		of = markers[0]
	default: // each replaces what the others say
		return
	}
	for _, name := range [][2]string{{"shortNames", "shortName"}, {"categories", "categories"}} {
		declared, sure := "", true
		for _, a := range of.Arguments {
			if a[0] == name[1] {
				declared, sure = wordsOf(a[1])
			}
		}
		has, plain := written(crd.Get(spec, "names", name[0]), "")
		if sure && plain && declared != has {
			k.differ("names." + name[0])
		}
	}
	singular, sure := argumentOf(of, "singular")
	if singular == "" {
		singular = strings.ToLower(k.kind.Name)
	}
	if has := crd.StringAt(spec, "names", "singular"); sure && has != "" && has != singular {
		k.differ("names.singular")
	}
	scope, sure := argumentOf(of, "scope")
	if scope == "" {
		scope = "Namespaced"
	}
	if sure && scope != crd.StringAt(spec, "scope") {
		k.differ("scope")
	}
}
