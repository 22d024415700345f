package lint

import "slices"

// An Origin is the place in Go types that the part of a manifest which a finding is about is generated from.
type Origin struct {
	// Mark is the place, and how its markers have to change for the finding to go. Where nothing has to be added or
	// dropped, no marker fixes the finding, or it is not known which.
	Mark
	Others     []Mark // other places whose markers have to change as well
	Confidence Confidence
	// Safe is that of the fix, except that it is false where a marker is for a type, which others may use as well.
	Safe bool
	// Manual is true where no program makes the changes, since a person has to decide whether they are what is meant.
	Manual bool
	// Partial says that a part of the remedy has no marker, or all of it where no marker has to change.
	Partial bool
	// Generator is the program that has to run again, with its version where the manifest has it: "controller-gen v0.21.0".
	Generator string
	// Type is the type that the repository does not declare, such as corev1.PodTemplateSpec, and Module the module that
	// declares it, with its Version by go.mod; both are "" where they are not known. Only a foreign origin has them.
	Type, Module, Version string
	// InModule says that the Module declares all of the kind: the files of Mark are its own, relative to its folder.
	InModule bool
	// CopyOf is the manifest that one with a CopyOrigin is made from; "" where the repository has none.
	CopyOf string
	// Step is the place of the later step of a LaterOrigin; the zero Position where it is not known.
	Step Position
	// Program is what writes the Go file, such as "upjet"; "" for a file that people write. Markers put there would be gone
	// when it runs again, so that none have to change here.
	Program string
	// Written is how many markers the run has changed in the Go file: the manifest has the finding until the generator runs.
	Written int
	// Edits are the changes of the markers as text. They are made for a linter that is asked for edits, where a program can
	// make the changes.
	Edits []FileEdit
}

// A FileEdit is an edit of another file than the one that a finding is in.
type FileEdit struct {
	File string `json:"file"`
	TextEdit
}

// Marks are all places whose markers have to change, Mark included.
func (o *Origin) Marks() []Mark { return append([]Mark{o.Mark}, o.Others...) }

// Changes reports whether it says which markers have to change.
func (o *Origin) Changes() bool { return slices.ContainsFunc(o.Marks(), Mark.Changes) }

// Writable reports whether a program can make the changes: the place is exact, every value is known, the generator knows
// every marker, they make all of the remedy, and they are not for a person to decide.
func (o *Origin) Writable() bool {
	return o.Confidence == ExactOrigin && !o.Manual && !o.Partial && !slices.ContainsFunc(o.Marks(), func(m Mark) bool { return !m.Writable() })
}

// A Confidence says how far an origin can be relied on.
type Confidence string

const (
	ExactOrigin   Confidence = "exact"   // Go types and manifest agree
	StaleOrigin   Confidence = "stale"   // they differ here: the manifest has to be generated again before anything is changed
	ForeignOrigin Confidence = "foreign" // another module declares it, or the type of the field that Mark is
	// LaterOrigin is that of what neither types nor markers make: a later step, such as a kustomize patch, wrote it.
	LaterOrigin Confidence = "later"
	// CopyOrigin is that of a manifest which may be older than the Go types on purpose, by its Role: those of releases, charts,
	// bundles and test data.
	CopyOrigin Confidence = "copy"
)

// A Declaration is what a marker stands above.
type Declaration string

const (
	FieldDeclaration Declaration = "field" // of a struct
	TypeDeclaration  Declaration = "type"  // of a field, or of several
	KindDeclaration  Declaration = "kind"  // the struct of a version of the custom resource
)

// A Mark is a change of the markers of one declaration in Go. New ones go on lines of their own above it.
type Mark struct {
	Pos    Position // of the name of what is declared
	Symbol string   // "WidgetStatus.Conditions" or "Widget"
	At     Declaration
	Add    []Marker
	Drop   []Marker // those that are in the way, or that others replace
	// Correct are markers with a value that is wrong, in the place of which a person has to choose another.
	Correct []Marker
}

// Changes reports whether a marker has to change.
func (m Mark) Changes() bool { return len(m.Add)+len(m.Drop)+len(m.Correct) > 0 }

// A Marker is a comment from which a generator makes parts of a manifest.
type Marker struct {
	Text string   // from the plus sign on: "+listType=map"
	Pos  Position // of the comment, for one that is there; the zero Position for one that is not
	// Open says that a person has to choose the value, in the place of which Text has what it is: "<number>".
	Open bool
	// Needs is the version that the generator must have at least, where that of the manifest is older: "v0.15.0".
	Needs string
}

// Writable reports whether a program can make the change: every value is known, and the generator knows every marker.
func (m Mark) Writable() bool {
	for _, marker := range m.Add {
		if marker.Open || marker.Needs != "" {
			return false
		}
	}
	return len(m.Add)+len(m.Drop) > 0 && len(m.Correct) == 0
}

// A Change is a part of a remedy: what a manifest has at a path after it.
type Change struct {
	Path    string `json:"path"`    // of what has the keyword: "spec.versions[0].schema.openAPIV3Schema.properties[spec]"
	Keyword string `json:"keyword"` // "maxItems"
	// Value is what the keyword is to have, as encoding/json knows it; nil where it is removed, and where a person has to
	// choose.
	Value   any  `json:"value,omitempty"`
	Removed bool `json:"removed,omitempty"`
	Choose  bool `json:"choose,omitempty"` // the value, which only a person knows
	// Markers are those from which controller-gen makes it; none where it has none, and in a manifest that is not generated
	// from Go types.
	Markers []string `json:"markers,omitempty"`
}
