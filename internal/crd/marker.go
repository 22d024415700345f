package crd

import "strings"

// markers are the comments of Go types from which controller-gen generates parts of a manifest, by keyword. A marker
// that ends with = is followed by the value.
var markers = map[string]string{
	"x-kubernetes-list-type":               "+listType=",
	"x-kubernetes-list-map-keys":           "+listMapKey=",
	"x-kubernetes-map-type":                "+structType=", // +mapType= for a map
	"x-kubernetes-preserve-unknown-fields": "+kubebuilder:pruning:PreserveUnknownFields",
	"x-kubernetes-embedded-resource":       "+kubebuilder:validation:EmbeddedResource",
	"x-kubernetes-int-or-string":           "+kubebuilder:validation:XIntOrString",
	"x-kubernetes-validations":             "+kubebuilder:validation:XValidation",
	"default":                              "+kubebuilder:default=",
	"enum":                                 "+kubebuilder:validation:Enum=",
	"format":                               "+kubebuilder:validation:Format=",
	"pattern":                              "+kubebuilder:validation:Pattern=",
	"maxItems":                             "+kubebuilder:validation:MaxItems=",
	"minItems":                             "+kubebuilder:validation:MinItems=",
	"maxLength":                            "+kubebuilder:validation:MaxLength=",
	"minLength":                            "+kubebuilder:validation:MinLength=",
	"maxProperties":                        "+kubebuilder:validation:MaxProperties=",
	"minProperties":                        "+kubebuilder:validation:MinProperties=",
	"maximum":                              "+kubebuilder:validation:Maximum=",
	"minimum":                              "+kubebuilder:validation:Minimum=",
	"exclusiveMaximum":                     "+kubebuilder:validation:ExclusiveMaximum=",
	"exclusiveMinimum":                     "+kubebuilder:validation:ExclusiveMinimum=",
	"multipleOf":                           "+kubebuilder:validation:MultipleOf=",
	"uniqueItems":                          "+kubebuilder:validation:UniqueItems=",
	"nullable":                             "+nullable",
	"required":                             "+required",
	"optional":                             "+optional", // no keyword: that required does not list the field
	"scope":                                "+kubebuilder:resource:scope=",
	"shortNames":                           "+kubebuilder:resource:shortName=",
	"categories":                           "+kubebuilder:resource:categories=",
	"additionalPrinterColumns":             "+kubebuilder:printcolumn",
	"selectableFields":                     "+kubebuilder:selectablefield",
	"subresources":                         "+kubebuilder:subresource",
}

// marker is the marker from which controller-gen makes a keyword, or a keyword with its value: "+listType=map" for
// "x-kubernetes-list-type: map". It is "" where there is none.
func marker(keyword string) string {
	keyword, value, _ := strings.Cut(keyword, ": ")
	name := markers[keyword]
	if value != "" && strings.HasSuffix(name, "=") {
		return name + value
	}
	return strings.TrimSuffix(name, "=")
}

// markerAt returns the marker from which controller-gen generates the value at a path; "" where there is none.
func markerAt(path string) string {
	for _, step := range strings.Split(path, ".") {
		switch field, _, _ := strings.Cut(step, "["); field {
		case "additionalPrinterColumns", "selectableFields", "subresources":
			return marker(field)
		}
	}
	field, _, _ := strings.Cut(path[strings.LastIndexByte(path, '.')+1:], "[")
	return marker(field)
}
