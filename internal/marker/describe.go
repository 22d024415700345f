package marker

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A Description is what people are told of a marker.
type Description struct {
	Name, Doc string
	Writes    string // what and where: "`maxItems` into the schema"; "" for what Doc says
	Since     string // the first controller-gen that takes it; "" for one that other generators take, too
	Takes     string // "an integer", and "arguments" for those below; "" for one without a value
	Values    []string
	Arguments []Argument
	Row       Row    // that makes a part of the manifest; the zero Row for none
	Usual     bool   // of several names for the same, the one to write
	For       string // the type of schemas that it is for alone; "" for any
}

// An Argument is one of a marker.
type Argument struct {
	Name, Doc string
	Values    []string
	Required  bool
}

// docs are what markers say, by the last part of their names.
var docs = map[string]string{
	"optional": "the field may be left out", "Optional": "the field may be left out",
	"required": "the field has to be there", "Required": "the field has to be there",
	"immutable": "the value cannot be changed once it is set", "nullable": "null is a value, and is kept",
	"default": "the value that the API server writes where there is none", "example": "a value that documentation shows",
	"title": "the title of the schema", "externalDocs": "where more is written about it",
	"listType":   "how server-side apply joins lists: by their keys (map), as sets of scalars (set), or not at all (atomic)",
	"listMapKey": "a field that tells the items of a list of type map apart; one marker for each",
	"mapType":    "whether server-side apply joins maps by their keys (granular), or replaces them (atomic)",
	"structType": "whether server-side apply joins objects by their fields (granular), or replaces them (atomic)",

	"PreserveUnknownFields": "fields that the schema does not have are kept", "XPreserveUnknownFields": "fields that the schema does not have are kept",
	"EmbeddedResource": "the value is an object with apiVersion, kind and metadata", "XEmbeddedResource": "the value is an object with apiVersion, kind and metadata",
	"XIntOrString": "the value is an integer or a string", "Schemaless": "the schema is left out, so that other markers have to say all of it",
	"ExactlyOneOf": "exactly one of these fields is set", "AtMostOneOf": "at most one of these fields is set", "AtLeastOneOf": "at least one of these fields is set",
	"XValidation": "an expression of CEL that has to be true", "MultipleOf": "a value is a multiple of this",
	"Maximum": "the largest value", "Minimum": "the smallest value", "ExclusiveMaximum": "the maximum itself is too large", "ExclusiveMinimum": "the minimum itself is too small",
	"MaxProperties": "a map has at most so many keys", "MinProperties": "a map has at least so many keys",
	"MaxLength": "a value has at most so many characters", "MinLength": "a value has at least so many characters",
	"MaxItems": "a list has at most so many items", "MinItems": "a list has at least so many items",
	"UniqueItems": "no two items are equal; API servers refuse true, for which listType=set is written",
	"Pattern":     "a regular expression (RE2) that values match", "Enum": "the values that there are, divided by semicolons",
	"enum": "the constants of the type are the values that there are", "Type": "the type in the schema, where that of Go is another", "Format": "the form of a value",

	"status": "status is written by itself, at /status", "scale": "kubectl scale and autoscalers work", "printcolumn": "a column of kubectl get",
	"resource": "names and scope of the resource", "selectablefield": "a field that can be selected by, as with kubectl get --field-selector",
	"metadata": "annotations and labels of the CRD", "storageversion": "objects are stored in this version", "unservedversion": "the version is not served",
	"skipversion": "the CRD does not have the version", "deprecatedversion": "clients are warned of the version",
}

// values are those that markers take, by the last part of their names, as far as there are only some, or usual ones.
var values = map[string]string{
	"listType": "map set atomic", "mapType": "granular atomic", "structType": "granular atomic", "UniqueItems": "false",
	"ExclusiveMaximum": "true false", "ExclusiveMinimum": "true false", "Type": "string integer number boolean object array",
	"Format": "int32 int64 float double byte date date-time duration password uri email hostname ipv4 ipv6 cidr mac uuid k8s-short-name k8s-long-name",
}

// argumentsOf are the arguments of markers, those that they need first.
var argumentsOf = map[string][]Argument{
	validation + "XValidation": {
		{"rule", "the expression; self is the value, oldSelf the one before", nil, true}, {"message", "what is said where it is false", nil, false},
		{"messageExpression", "an expression for what is said", nil, false}, {"fieldPath", "the field that is at fault", nil, false},
		{"reason", "the reason for clients", []string{"FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"}, false},
		{"optionalOldSelf", "whether a rule with oldSelf runs on create, too", []string{"true", "false"}, false},
	},
	"kubebuilder:subresource:scale": {
		{"specpath", "the path of the wanted number, such as .spec.replicas", nil, true}, {"statuspath", "the path of the number that there is", nil, true},
		{"selectorpath", "the path of the selector of pods, as a string", nil, false},
	},
	"kubebuilder:printcolumn": {
		{"name", "the heading", nil, true}, {"type", "the type of its values", []string{"string", "integer", "number", "boolean", "date"}, true},
		{"JSONPath", "the path of its values, such as `.spec.size`", nil, true}, {"description", "what is told of it", nil, false},
		{"format", "the format of its values", []string{"int32", "int64", "float", "double", "byte", "date", "date-time", "password"}, false},
		{"priority", "1 and more: with kubectl get -o wide only", nil, false},
	},
	"kubebuilder:resource": {
		{"path", "the plural", nil, false}, {"singular", "the singular", nil, false}, {"shortName", "short names, divided by semicolons", nil, false},
		{"categories", "categories, divided by semicolons", nil, false}, {"scope", "the scope", []string{"Namespaced", "Cluster"}, false},
	},
	"kubebuilder:deprecatedversion": {{"warning", "what clients are told", nil, false}},
	"kubebuilder:metadata":          {{"annotations", `"key=value", divided by semicolons`, nil, false}, {"labels", `"key=value", divided by semicolons`, nil, false}},
	"kubebuilder:selectablefield":   {{"JSONPath", "the path of the field, such as `.spec.colour`", nil, true}},
	"kubebuilder:externalDocs":      {{"url", "the address", nil, true}, {"description", "what is there", nil, false}},
}

// Describe describes a marker above a target by its name; ok is false for one that controller-gen does not take there.
func Describe(name string, above Target) (d Description, ok bool) {
	r := registered(name)
	if r == nil || r.since(above) == "" {
		return d, false
	}
	last := name[strings.LastIndexByte(name, ':')+1:]
	d = Description{Name: name, Doc: docs[last], Usual: true, Values: strings.Fields(values[last])}
	d.Arguments = argumentsOf[strings.Replace(name, validationOfItems, validation, 1)]
	if r.takes != takesNothing {
		d.Takes = forms[r.takes].words
	}
	if !r.ofKubernetes {
		d.Since = r.since(above)
	}
	var p Marker
	if !p.find(name) {
		return d, true
	}
	d.Row, d.Usual, d.For = p.Row, p.Row.Name == name || p.Items, typeOf(p.Row.Keyword)
	keyword, _, _ := strings.Cut(p.Row.Keyword, " ") // of a map
	switch {
	case keyword == Optional || keyword == Required || keyword == Skipped:
	case strings.HasPrefix(keyword, "spec."):
		d.Writes = "`spec.names` and `spec.scope` of the CRD"
	case strings.HasPrefix(keyword, "metadata."):
		d.Writes = "`metadata` of the CRD"
	case p.Row.Place == Kind:
		d.Writes = "`" + keyword + "` into the version"
	case p.Items:
		d.Writes, d.For = "`"+keyword+"` into the schema of its items", "array"
	default:
		d.Writes = "`" + keyword + "` into the schema"
	}
	return d, true
}

// typeOf is the type of schemas that a keyword is for alone, since controller-gen stops at it in others; "" for any.
func typeOf(keyword string) string {
	switch keyword {
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "maxItems", "minItems", "uniqueItems":
		return "array"
	case mapOfMaps, "maxProperties", "minProperties":
		return "object"
	case "maxLength", "minLength", "pattern":
		return "string"
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf":
		return "number"
	}
	return ""
}

// Names are the markers that controller-gen takes above a target, with those for the items of lists.
func Names(above Target) (all []string) {
	for _, r := range registrations {
		for _, name := range slices.Compact([]string{r.name, ofItems(r.name)}) {
			if of := registered(name); of != nil && of.since(above) != "" {
				all = append(all, name)
			}
		}
	}
	return all
}

// Repeats reports whether a declaration may have several markers of a row, each by itself.
func (r Row) Repeats() bool {
	return slices.Contains([]string{"x-kubernetes-validations", "additionalPrinterColumns", "selectableFields", "metadata.annotations", "metadata.labels"}, r.Keyword)
}

// Sentence says why controller-gen makes nothing of a marker above a declaration, and what to write.
func (r Rejection) Sentence(marker, symbol string) text.Text {
	name, above := text.Foreign(marker), text.Foreign(symbol)
	switch r.Fault {
	case Denied:
		return text.Sprintf("controller-gen ignores %s above %s; no marker says false, so remove it", name, above)
	case Misspelt:
		if r.Prose {
			return text.Sprintf("controller-gen ignores %s above %s; write %s on a line of its own", name, above, text.Foreign(r.Instead))
		}
		return text.Sprintf("controller-gen ignores %s above %s; write %s", name, above, text.Foreign(r.Instead))
	case TooNew:
		return text.Sprintf("controller-gen ignores %s above %s; it takes this marker from %s on", name, above, r.Since)
	case Refused:
		return text.Sprintf("controller-gen stops at %s above %s; this marker takes %s", name, above, r.Takes)
	case Misplaced:
		return text.Sprintf("controller-gen ignores %s above %s; it belongs %s", name, above, r.places())
	}
	return text.Sprintf("controller-gen ignores %s above %s; no marker has that name", name, above)
}

// places say where a marker counts.
func (r Rejection) places() string {
	var all []string
	for _, t := range r.Targets {
		all = append(all, []string{AboveField: "above a field", AboveType: "above a type", AboveKind: "above the struct of a kind"}[t])
	}
	if slices.Contains(r.Targets, AboveType) {
		all = []string{"above a type"} // of which kinds are some
	}
	if r.Package {
		all = append(all, "in a comment apart from declarations, for all of the package")
	}
	return strings.Join(all, " or ")
}
