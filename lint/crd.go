package lint

// A CRD is what a report says of a CustomResourceDefinition that it is about, whether there are findings or not.
type CRD struct {
	Name       string       `json:"name,omitempty"`  // metadata.name
	Group      string       `json:"group,omitempty"` // spec.group
	Kind       string       `json:"kind,omitempty"`  // spec.names.kind
	File       string       `json:"file"`
	Line       int          `json:"line"`                 // of its first key
	Document   int          `json:"document"`             // index of the document in the file, from 0
	APIVersion string       `json:"apiVersion,omitempty"` // of the manifest, such as "apiextensions.k8s.io/v1"
	Versions   []APIVersion `json:"versions,omitempty"`   // in the order of the manifest
	Before     []APIVersion `json:"before,omitempty"`     // those of the older CRD; none where there is nothing to compare with
	State      CRDState     `json:"state,omitempty"`      // of a conversion; "" for a report on anything else
}

// An APIVersion is what spec.versions of a CRD says about a version.
type APIVersion struct {
	Name       string `json:"name"`
	Served     bool   `json:"served"`
	Storage    bool   `json:"storage"`
	Deprecated bool   `json:"deprecated"`
}

// A CRDState is what a conversion made of a CRD.
type CRDState string

const (
	CRDConverted    CRDState = "converted"    // or would have, for a run that writes nothing
	CRDAlreadyThere CRDState = "alreadyThere" // there was nothing to do
	CRDNeedsPerson  CRDState = "needsPerson"  // it stays as it was, and findings say what to decide
)

// A Migration is what a conversion of files was for.
type Migration struct {
	To      string `json:"to"`      // "v1" or "v1beta1"
	Written bool   `json:"written"` // what was converted is written, and not only shown
}
