// Package marker knows the markers of controller-gen: the comments in Go types from which it makes the keywords of a
// CustomResourceDefinition. It turns a keyword with its value into the text of markers, and back. It knows neither Go
// types nor manifests.
//
// Read marker.go first: what a marker is, and the table of those that make keywords. text.go writes markers and parse.go
// takes them apart; read.go compares them with values. registered.go has which markers controller-gen takes and where, and
// fault.go what is wrong with one that it does not take.
package marker

import "cmp"

// A Place says what a marker has to stand above.
type Place int

const (
	// Field markers stand above the field, those of elements of a list in their items: form.
	Field Place = iota
	// Typed markers have an effect only where the schema has a type: above the field if its type is written there, else
	// above the type that it names.
	Typed
	// Kind markers stand above the struct of the version of the custom resource.
	Kind
)

// A Row is a marker: what it makes and where it is to be written. The registrations have where controller-gen accepts it.
type Row struct {
	// Keyword is that of a schema or, of a Kind marker, the field of the manifest: below the version, "subresources.status",
	// or below the CRD, "spec.names.shortNames" and "metadata.annotations".
	Keyword  string
	Name     string // without the plus sign
	Argument string // which argument of the marker has the value; "" if it is the value of the marker itself
	Place    Place
	Others   []string // other names for the same

	style style
}

// A style is how a marker has its value.
type style int

const (
	flag      style = iota // a marker without a value says true, and there is none that says false
	inverted               // a marker without a value says false
	boolean                // true or false
	number                 // 12
	word                   // atomic
	quoted                 // "^[a-z]+$"
	anything               // any value of JSON, in controller-gen's own syntax
	words                  // all values of a list, divided by semicolons
	each                   // a marker for each value of a list
	arguments              // a marker for each mapping, its members being arguments
)

const validation = "kubebuilder:validation:"

// rows are all markers that matter to manifests. Of several for a keyword, the first is the one to write.
var rows = []Row{
	{Keyword: "x-kubernetes-list-type", Name: "listType", Place: Typed, style: word},
	{Keyword: "x-kubernetes-list-map-keys", Name: "listMapKey", Place: Typed, style: each},
	{Keyword: "x-kubernetes-map-type", Name: "structType", Place: Typed, style: word},
	{Keyword: mapOfMaps, Name: "mapType", Place: Typed, style: word},
	{Keyword: "maxItems", Name: validation + "MaxItems", Place: Typed, style: number},
	{Keyword: "minItems", Name: validation + "MinItems", Place: Typed, style: number},
	{Keyword: "uniqueItems", Name: validation + "UniqueItems", Place: Typed, style: boolean},
	{Keyword: "maxProperties", Name: validation + "MaxProperties", Place: Typed, style: number},
	{Keyword: "minProperties", Name: validation + "MinProperties", Place: Typed, style: number},
	{Keyword: "maxLength", Name: validation + "MaxLength", Place: Typed, style: number},
	{Keyword: "minLength", Name: validation + "MinLength", Place: Typed, style: number},
	{Keyword: "pattern", Name: validation + "Pattern", Place: Typed, style: quoted},
	{Keyword: "maximum", Name: validation + "Maximum", Place: Typed, style: number},
	{Keyword: "minimum", Name: validation + "Minimum", Place: Typed, style: number},
	{Keyword: "exclusiveMaximum", Name: validation + "ExclusiveMaximum", Place: Typed, style: boolean},
	{Keyword: "exclusiveMinimum", Name: validation + "ExclusiveMinimum", Place: Typed, style: boolean},
	{Keyword: "multipleOf", Name: validation + "MultipleOf", Place: Typed, style: number},
	{Keyword: "enum", Name: validation + "Enum", style: words},
	{Keyword: "format", Name: validation + "Format", style: word},
	{Keyword: "type", Name: validation + "Type", style: word},
	{Keyword: "nullable", Name: "nullable", style: flag},
	{Keyword: "default", Name: "kubebuilder:default", Others: []string{"default"}, style: anything},
	{Keyword: Optional, Name: "optional", Others: []string{validation + "Optional", "k8s:optional"}, style: flag},
	{Keyword: Required, Name: "required", Others: []string{validation + "Required", "k8s:required"}, style: flag},
	{Keyword: "x-kubernetes-validations", Name: validation + "XValidation", style: arguments},
	{Keyword: "x-kubernetes-preserve-unknown-fields", Name: "kubebuilder:pruning:PreserveUnknownFields", Others: []string{validation + "XPreserveUnknownFields"}, style: flag},
	{Keyword: "x-kubernetes-embedded-resource", Name: validation + "EmbeddedResource", Others: []string{validation + "XEmbeddedResource"}, style: flag},
	{Keyword: "x-kubernetes-int-or-string", Name: validation + "XIntOrString", style: flag},

	{Keyword: "subresources.status", Name: "kubebuilder:subresource:status", Place: Kind, style: arguments},
	{Keyword: "subresources.scale", Name: "kubebuilder:subresource:scale", Place: Kind, style: arguments},
	{Keyword: "additionalPrinterColumns", Name: "kubebuilder:printcolumn", Place: Kind, style: arguments},
	{Keyword: "selectableFields", Name: "kubebuilder:selectablefield", Place: Kind, style: arguments},
	{Keyword: "storage", Name: "kubebuilder:storageversion", Place: Kind, style: flag},
	{Keyword: "served", Name: "kubebuilder:unservedversion", Place: Kind, style: inverted},
	{Keyword: Skipped, Name: "kubebuilder:skipversion", Place: Kind, style: flag},
	{Keyword: "deprecated", Name: "kubebuilder:deprecatedversion", Place: Kind, style: flag},
	{Keyword: "deprecationWarning", Name: "kubebuilder:deprecatedversion", Argument: "warning", Place: Kind, style: quoted},
	{Keyword: "spec.names.plural", Name: "kubebuilder:resource", Argument: "path", Place: Kind, style: word},
	{Keyword: "spec.names.singular", Name: "kubebuilder:resource", Argument: "singular", Place: Kind, style: word},
	{Keyword: "spec.names.shortNames", Name: "kubebuilder:resource", Argument: "shortName", Place: Kind, style: words},
	{Keyword: "spec.names.categories", Name: "kubebuilder:resource", Argument: "categories", Place: Kind, style: words},
	{Keyword: "spec.scope", Name: "kubebuilder:resource", Argument: "scope", Place: Kind, style: word},
	{Keyword: "metadata.annotations", Name: "kubebuilder:metadata", Argument: "annotations", Place: Kind, style: quoted},
	{Keyword: "metadata.labels", Name: "kubebuilder:metadata", Argument: "labels", Place: Kind, style: quoted},
}

// These are no keywords of a schema, but what markers say besides.
const (
	Optional = "optional" // the property is not among those that are required
	Required = "required" // it is among them
	Skipped  = "skipped"  // the manifest does not have the version

	mapOfMaps = "x-kubernetes-map-type of a map"
)

// argument is the argument of the marker for a member of the manifest.
func (r Row) argument(member string) string { return cmp.Or(memberArguments[r.Name][member], member) }

// memberArguments are the arguments of markers by the member of the manifest that they make, where they have other names.
var memberArguments = map[string]map[string]string{
	"kubebuilder:subresource:scale": {"specReplicasPath": "specpath", "statusReplicasPath": "statuspath", "labelSelectorPath": "selectorpath"},
	"kubebuilder:printcolumn":       {"jsonPath": "JSONPath"},
	"kubebuilder:selectablefield":   {"jsonPath": "JSONPath"},
}

// Of returns the marker to write for a keyword; ok is false for a keyword without one.
func Of(keyword string) (row Row, ok bool) {
	for _, r := range rows {
		if r.Keyword == keyword {
			return r, true
		}
	}
	return Row{}, false
}

// OfMapType is Of for x-kubernetes-map-type, which has one marker for structs and one for maps.
func OfMapType(isMap bool) Row {
	keyword := "x-kubernetes-map-type"
	if isMap {
		keyword = mapOfMaps
	}
	row, _ := Of(keyword)
	return row
}

// All returns the table.
func All() []Row { return append([]Row(nil), rows...) }
