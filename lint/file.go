package lint

// A File is a manifest that is read when it is needed.
type File struct {
	Path  string                 // from the top of where it lies, with slashes
	Label string                 // as messages name it, such as "main:config/crd/foos.yaml"
	Read  func() ([]byte, error) // no text and no error for a file that is passed over, such as one that is too large
}

// A Lost is a CRD of an older side that the new one does not have.
type Lost struct {
	File        File
	Name, Group string
	FromCluster bool // it was read from an API server rather than written by its author
}

// An Addition is something that users of an API may do now and could not before.
type Addition struct {
	Resource string   // metadata.name of the CRD
	Versions []string // in the order of the CRD; none for the CRD as a whole
	Field    string   // of custom resources; "" for an addition outside of schemas
	Text     string   // what about it; one line, begins with a small letter
}
