package lint

// A File is a manifest that is read when it is needed.
type File struct {
	Path  string                 // from the top of where it lies, with slashes
	Label string                 // as messages name it, such as "main:config/crd/foos.yaml"
	Read  func() ([]byte, error) // no text and no error for a file that is passed over, such as one that is too large
	Parts []Part                 // of the text, where that is taken out of the file; nil for all of it
}

// A Part is where a part of a text begins that was taken out of a larger file: a few items of a long list, say, with what is
// around them. It goes on to where the next one begins, and what is before the first is where it is in the file.
type Part struct {
	Offset       int // in the text
	Line, Column int // in the file
}

// A LostCRD is a CRD of an earlier version that the new one does not have.
type LostCRD struct {
	File        File
	Name, Group string
	FromCluster bool // it was read from an API server rather than written by its author
}

// An Addition is something that users of an API may do now and could not before.
type Addition struct {
	Resource string   `json:"resource"`           // metadata.name of the CRD
	Versions []string `json:"versions,omitempty"` // in the order of the CRD; none for the CRD as a whole
	Field    string   `json:"field,omitempty"`    // of custom resources; "" for an addition outside of schemas
	Text     string   `json:"text"`               // what about it; one line, begins with a small letter
	Kind     Gain     `json:"kind"`
	Warning  string   `json:"warning,omitempty"` // of a deprecated version, which servers send to its clients
}

// A Gain is a kind of Addition.
type Gain string

const (
	VersionAdded  Gain = "version-added"
	Added         Gain = "added"    // a field, a column, a name, or anything else that was not there
	Optional      Gain = "optional" // a field that was required
	Loosened      Gain = "loosened" // a field that takes more values
	ServedAgain   Gain = "served"
	NowDeprecated Gain = "deprecated"
)
