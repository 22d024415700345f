package engine

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A Summary is the part of a CRD that is kept after its file has been linted.
type Summary struct {
	Group                            Name // spec.group
	Resource                         Name // metadata.name
	Plural, Singular, Kind, ListKind Name // as the API server defaults them
	ShortNames                       []Name
	Document                         int
	Version                          crd.Version // of the manifest

	Severities map[string]lint.Severity // of the rules that look across, by the configuration for the file
	Compared   bool                     // there was an older CRD to compare with
	Partly     bool                     // its conversion was not tested, or not all of it
	Named      string                   // Resource as findings have it
	Told       lint.CRD
}

// A Name is a name in a CRD and the place where it is written.
type Name struct {
	Value string
	Path  string
	lint.Source
}
