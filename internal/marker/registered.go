package marker

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// A Target is what a marker stands above. Controller-gen skips a marker that it does not register for the target.
type Target int

const (
	AboveField Target = iota
	AboveType         // any but the struct of a kind
	AboveKind
)

// A taking is what a marker takes as its value.
type taking int

const (
	takesNothing taking = iota
	takesInteger
	takesNumber
	takesBoolean
	takesText // with or without quotes
	takesList
	takesValue     // of any type
	takesArguments // name=value, divided by commas
)

// A registration is a name under which controller-gen knows a marker. Its versions are the first that know it above a field
// and above a type, "" for none.
type registration struct {
	name          string
	takes         taking
	field, typed  string
	ofKind        bool // above a type, only the struct of a kind has an effect from it
	ofPackage     bool // it has one in a comment of its own
	ofKubernetes  bool // generators of Kubernetes read it, too, and take it where controller-gen does not
	withoutValues bool // a value may be left out
}

// Newest is the newest controller-gen whose registrations are known.
var Newest = version.MustParseGeneric("v0.21.0")

// itemsSince is the first controller-gen that has markers for the elements of a list.
const (
	itemsSince        = "v0.15.0"
	validationOfItems = validation + "items:"
)

// registrations are those of controller-tools, v0.2.0 to v0.21.0: AllDefinitions of pkg/crd/markers. The tests of
// test/gotypes compare them with the package itself.
var registrations = []registration{
	{name: "optional", field: "v0.2.0", ofKubernetes: true},
	{name: "required", field: "v0.16.0", ofKubernetes: true},
	{name: "k8s:optional", field: "v0.20.0", ofKubernetes: true},
	{name: "k8s:required", field: "v0.20.0", ofKubernetes: true},
	{name: "k8s:immutable", field: "v0.21.0", ofKubernetes: true},
	{name: "k8s:enum", field: "v0.21.0", typed: "v0.21.0", ofKubernetes: true},
	{name: "default", takes: takesValue, field: "v0.16.0", ofKubernetes: true},
	{name: "nullable", field: "v0.2.0"},
	{name: "listType", takes: takesText, field: "v0.2.5", typed: "v0.10.0", ofKubernetes: true},
	{name: "listMapKey", takes: takesText, field: "v0.2.5", typed: "v0.10.0", ofKubernetes: true},
	{name: "mapType", takes: takesText, field: "v0.2.5", typed: "v0.10.0", ofKubernetes: true},
	{name: "structType", takes: takesText, field: "v0.2.5", typed: "v0.10.0", ofKubernetes: true},

	{name: "kubebuilder:default", takes: takesValue, field: "v0.2.2"},
	{name: "kubebuilder:example", takes: takesValue, field: "v0.11.3"},
	{name: "kubebuilder:title", takes: takesValue, field: "v0.18.0", typed: "v0.20.0"},
	{name: "kubebuilder:externalDocs", takes: takesArguments, field: "v0.21.0", typed: "v0.21.0"},
	{name: "kubebuilder:pruning:PreserveUnknownFields", field: "v0.2.3", typed: "v0.4.1"},

	{name: validation + "Optional", field: "v0.2.0", ofPackage: true},
	{name: validation + "Required", field: "v0.2.0", ofPackage: true},
	{name: validation + "EmbeddedResource", field: "v0.2.3"},
	{name: validation + "Schemaless", field: "v0.5.0"},
	{name: validation + "ExactlyOneOf", takes: takesList, typed: "v0.19.0"},
	{name: validation + "AtMostOneOf", takes: takesList, typed: "v0.19.0"},
	{name: validation + "AtLeastOneOf", takes: takesList, typed: "v0.20.0"},

	inBoth("Maximum", takesNumber, "v0.2.0"),
	inBoth("Minimum", takesNumber, "v0.2.0"),
	inBoth("ExclusiveMaximum", takesBoolean, "v0.2.0"),
	inBoth("ExclusiveMinimum", takesBoolean, "v0.2.0"),
	inBoth("MultipleOf", takesNumber, "v0.2.0"),
	inBoth("MinProperties", takesInteger, "v0.4.1"),
	inBoth("MaxProperties", takesInteger, "v0.4.1"),
	inBoth("MaxLength", takesInteger, "v0.2.0"),
	inBoth("MinLength", takesInteger, "v0.2.0"),
	inBoth("Pattern", takesText, "v0.2.0"),
	inBoth("MaxItems", takesInteger, "v0.2.0"),
	inBoth("MinItems", takesInteger, "v0.2.0"),
	inBoth("UniqueItems", takesBoolean, "v0.2.0"),
	inBoth("Enum", takesList, "v0.2.0"),
	inBoth("Format", takesText, "v0.2.0"),
	inBoth("Type", takesText, "v0.2.0"),
	inBoth("XPreserveUnknownFields", takesNothing, "v0.2.3"),
	inBoth("XEmbeddedResource", takesNothing, "v0.2.3"),
	inBoth("XIntOrString", takesNothing, "v0.7.0"),
	inBoth("XValidation", takesArguments, "v0.9.0"),

	{name: "kubebuilder:subresource:status", typed: "v0.2.0", ofKind: true},
	{name: "kubebuilder:subresource:scale", takes: takesArguments, typed: "v0.2.0", ofKind: true},
	{name: "kubebuilder:printcolumn", takes: takesArguments, typed: "v0.2.0", ofKind: true},
	{name: "kubebuilder:resource", takes: takesArguments, typed: "v0.2.0", ofKind: true, withoutValues: true},
	{name: "kubebuilder:storageversion", typed: "v0.2.0", ofKind: true},
	{name: "kubebuilder:skipversion", typed: "v0.2.0", ofKind: true},
	{name: "kubebuilder:unservedversion", typed: "v0.2.8", ofKind: true},
	{name: "kubebuilder:deprecatedversion", takes: takesArguments, typed: "v0.6.0", ofKind: true, withoutValues: true},
	{name: "kubebuilder:metadata", takes: takesArguments, typed: "v0.11.0", ofKind: true, withoutValues: true},
	{name: "kubebuilder:selectablefield", takes: takesArguments, typed: "v0.16.4", ofKind: true},
}

// inBoth is a marker for validation, which may stand above fields and types.
func inBoth(name string, takes taking, since string) registration {
	return registration{name: validation + name, takes: takes, field: since, typed: since}
}

// registered returns the registration of a name; nil for none.
func registered(name string) *registration {
	i := slices.IndexFunc(registrations, func(r registration) bool { return r.name == name })
	if plain, ok := strings.CutPrefix(name, validationOfItems); ok {
		i = slices.IndexFunc(registrations, func(r registration) bool { return r.name == validation+plain && r.field != "" && r.field == r.typed })
		if i >= 0 {
			of := registrations[i]
			of.name, of.field, of.typed = name, itemsSince, itemsSince
			return &of
		}
	}
	if i < 0 {
		return nil
	}
	return &registrations[i]
}

// ofItems is the name for the elements of a list.
func ofItems(name string) string { return strings.Replace(name, validation, validationOfItems, 1) }

// since is the first controller-gen that takes the marker above a target; "" where none does.
func (r registration) since(above Target) string {
	switch {
	case above == AboveField:
		return r.field
	case above == AboveType && r.ofKind:
		return ""
	}
	return r.typed
}

// Since is the first controller-gen that takes the marker above a target; "" where none does.
func (r Row) Since(above Target) string { return Since("+"+r.Name, above) }

// Since is the first controller-gen that takes a marker above a target; "" where none does.
func Since(text string, above Target) string {
	if of, _, ok := taken(text, above); ok {
		return of.since(above)
	}
	return ""
}

// taken returns the registration under which controller-gen takes a marker above a target, and what it reads as its value:
// the longer of two names counts, as in tryAnonLookup of controller-tools.
func taken(text string, above Target) (of *registration, raw string, ok bool) {
	long, short, raw := split(text)
	for _, name := range []string{long, short} {
		if of = registered(name); of != nil && of.since(above) != "" {
			return of, raw, true
		}
	}
	return nil, raw, false
}

// split divides a marker as splitMarker of controller-tools does: the name up to the first equals sign, that name without
// its last part, which may be an argument, and what is behind the sign.
func split(text string) (long, short, raw string) {
	long, raw, has := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "+"), "=")
	if short = long; has {
		short = long[:max(strings.LastIndexByte(long, ':'), 0)]
		if short == "" {
			short = long
		}
	}
	return long, short, raw
}
